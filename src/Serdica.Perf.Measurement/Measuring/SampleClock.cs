namespace Serdica.Perf.Measurement.Measuring;

/// <summary>
/// Takes a sample at each interval until it is stopped. It never takes two at once: samples for which the previous one was too
/// slow are skipped and counted. A failed sample is counted too and disturbs nothing.
/// </summary>
internal sealed class SampleClock(Func<CancellationToken, Task> take, TimeSpan interval) : IAsyncDisposable
{
    /// <summary>The longest wait for the last sample.</summary>
    private static readonly TimeSpan Patience = FromSeconds(2);

    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _giveUp = new();
    private Task _running = Task.CompletedTask;

    public int Taken { get; private set; }

    public int Skipped { get; private set; }

    public int Failed { get; private set; }

    /// <summary>The error of the first sample that failed.</summary>
    public string? Error { get; private set; }

    /// <summary>Starts sampling; the first sample comes after one interval.</summary>
    public void Start() => _running = Task.Run(RunAsync);

    /// <summary>Waits for a sample in progress, up to a limit.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stop.IsCancellationRequested)
            return;
        await _stop.CancelAsync();
        _giveUp.CancelAfter(Patience);
        await _running;
        _stop.Dispose();
        _giveUp.Dispose();
    }

    /// <summary>
    /// The number of the interval that is due next. A timer may fire a little early, before its own interval has passed; that
    /// interval is not due a second time.
    /// </summary>
    internal static int After(int due, TimeSpan elapsed, TimeSpan interval) => Math.Max(due, (int)(elapsed / interval)) + 1;

    private async Task RunAsync()
    {
        var begin = Stopwatch.GetTimestamp();
        for (var due = 1; await PauseUntilAsync(due * interval - Stopwatch.GetElapsedTime(begin));)
        {
            try
            {
                await take(_giveUp.Token);
                Taken++;
            }
            catch (Exception e)
            {
                // The outermost loop: the measurement continues whatever happens.
                Failed++;
                Error ??= e.Message;
            }

            var next = After(due, Stopwatch.GetElapsedTime(begin), interval);
            Skipped += next - due - 1;
            due = next;
        }
    }

    /// <returns>False when it was stopped.</returns>
    private async Task<bool> PauseUntilAsync(TimeSpan pause)
    {
        try
        {
            await Task.Delay(pause > TimeSpan.Zero ? pause : TimeSpan.Zero, _stop.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
