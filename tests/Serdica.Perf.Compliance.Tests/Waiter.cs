namespace Serdica.Perf.Compliance;

/// <summary>A process that waits for work and counts how often it hears of some.</summary>
internal sealed class Waiter : IAsyncDisposable
{
    private readonly IWorkflowBackend _backend;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _waiting;
    private int _heard;

    public Waiter(IWorkflowBackend backend)
    {
        _backend = backend;
        _waiting = Task.Run(WaitAsync);
    }

    public int Heard => Volatile.Read(ref _heard);

    public bool IsFirst => _backend.IsFirst == true;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _waiting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task WaitAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            await _backend.WaitForWorkAsync(FromMinutes(5), _stop.Token);
            Interlocked.Increment(ref _heard);
        }
    }
}
