namespace Serdica.Perf.Measurement.Queues;

/// <summary>Maintains the tables of queues once a second, as a host of workflows does, and counts failures.</summary>
internal sealed class QueueMaintenance(IReadOnlyList<Func<CancellationToken, Task>> queues)
{
    private static readonly TimeSpan Interval = FromSeconds(1);

    private int _failures;
    private string? _firstFailure;

    /// <summary>The first failure as a sentence; null while nothing has failed.</summary>
    public string? Warning =>
        Volatile.Read(ref _firstFailure) is { } first
            ? Invariant($"Maintenance of the queue's tables failed {Figure.Number(Volatile.Read(ref _failures), "time")}, so dead rows ")
                + Invariant($"may have stayed longer than usual. The first failure: {first}")
            : null;

    /// <summary>Returns when the token fires.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var clock = new PeriodicTimer(Interval);
            while (await clock.WaitForNextTickAsync(cancellationToken))
                await RoundAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // This is the planned end.
        }
    }

    /// <summary>Maintains every queue once. A failure only delays housekeeping, which is tried again in the next round.</summary>
    public async Task RoundAsync(CancellationToken cancellationToken)
    {
        foreach (var maintainAsync in queues)
        {
            try
            {
                await maintainAsync(cancellationToken);
            }
            catch (WorkflowBackendException e)
            {
                Interlocked.Increment(ref _failures);
                Interlocked.CompareExchange(ref _firstFailure, e.Message, null);
            }
        }
    }
}

/// <summary>A store whose queue tables can be left to the server's own vacuum settings.</summary>
internal interface IVacuumTuning
{
    /// <summary>Removes the engine's settings from the queue's table, after the schema was created.</summary>
    Task UseServerVacuumAsync(CancellationToken cancellationToken);
}
