namespace Serdica.Perf.Measurement.Tests.Driving;

/// <summary>Operations that complete when the test says so, and count how many were launched.</summary>
internal sealed class StubOperations(int count, Func<int, Task> completion) : OperationSet(count)
{
    private int _launched;
    private int _inFlight;
    private int _ended;

    public int Launched => Volatile.Read(ref _launched);

    /// <summary>Operations that have completed or failed.</summary>
    public int Ended => Volatile.Read(ref _ended);

    /// <summary>The most operations that were launched and not complete at one moment.</summary>
    public int MostInFlight { get; private set; }

    public ConcurrentBag<long> Due { get; } = [];

    public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
    {
        lock (this)
            MostInFlight = Math.Max(MostInFlight, ++_inFlight);
        Interlocked.Increment(ref _launched);
        return ValueTask.FromResult(FinishAsync(operation));
    }

    internal override void OnEnd(int operation, long due, long start, long end, bool completed) => Due.Add(due);

    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<VerificationCheck>>([]);

    private async Task FinishAsync(int operation)
    {
        try
        {
            await completion(operation);
        }
        finally
        {
            lock (this)
                _inFlight--;
            Interlocked.Increment(ref _ended);
        }
    }
}
