using System.Diagnostics;

namespace Serdica.Perf.Measurement.Measuring;

/// <summary>
/// Takes a sample at each interval until it is stopped. Never two at once: what the last one was too slow for is skipped and
/// counted. A sample that fails is counted too and disturbs nothing.
/// </summary>
internal sealed class SampleClock(Func<CancellationToken, Task> take, TimeSpan interval) : IAsyncDisposable
{
    /// <summary>So long may the last sample take when all others wait for it.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _giveUp = new();
    private Task _running = Task.CompletedTask;

    public int Taken { get; private set; }

    public int Skipped { get; private set; }

    public int Failed { get; private set; }

    /// <summary>Of the first sample that failed.</summary>
    public string? Error { get; private set; }

    /// <summary>The first sample comes after one interval.</summary>
    public void Start() => _running = Task.Run(RunAsync);

    /// <summary>Waits for a sample that is under way; one that takes too long is given up.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stop.IsCancellationRequested)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        _giveUp.CancelAfter(Patience);
        await _running.ConfigureAwait(false);
        _stop.Dispose();
        _giveUp.Dispose();
    }

    /// <summary>
    /// Which interval is due next. A timer may fire a little early, when its own interval has not quite passed: that one is
    /// not due a second time.
    /// </summary>
    internal static int After(int due, TimeSpan elapsed, TimeSpan interval) => Math.Max(due, (int)(elapsed / interval)) + 1;

    private async Task RunAsync()
    {
        var begin = Stopwatch.GetTimestamp();
        for (var due = 1; await PauseUntilAsync(due * interval - Stopwatch.GetElapsedTime(begin)).ConfigureAwait(false);)
        {
            try
            {
                await take(_giveUp.Token).ConfigureAwait(false);
                Taken++;
            }
            catch (Exception e)
            {
                // The outermost loop: whatever it is, the measurement goes on.
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
            await Task.Delay(pause > TimeSpan.Zero ? pause : TimeSpan.Zero, _stop.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
