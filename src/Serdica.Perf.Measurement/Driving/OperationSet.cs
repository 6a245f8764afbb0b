namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// A number of similar operations, which a <see cref="LoadRun"/> drives. Many callers call its methods at the same time, once
/// for each operation.
/// </summary>
public abstract class OperationSet(int count)
{
    /// <summary>The count of a set that only time ends: more operations than anybody starts.</summary>
    public const int Endless = int.MaxValue;

    /// <summary>The number of operations, or <see cref="Endless"/>.</summary>
    public int Count => count;

    /// <summary>Latencies that the operations record besides their total.</summary>
    public PhaseRecorders Phases { get; } = new();

    /// <summary>
    /// What the operations should leave besides completed instances; read when all have ended. Each count is exact: more is a
    /// failure, and so is less.
    /// </summary>
    public virtual IntendedTrouble Intended => IntendedTrouble.None;

    /// <summary>The largest number of latencies that one operation records in one of the <see cref="Phases"/>.</summary>
    internal virtual int LatenciesPerOperation => 1;

    /// <summary>Prepares what must exist before the first operation; no time includes it.</summary>
    public virtual Task PrepareAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// The caller's part of an operation. The inner task completes when the operation has completed, and fails when it has
    /// failed; an operation whose caller's part fails has failed too.
    /// </summary>
    public abstract ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken);

    /// <summary>Like the other, for a set that needs to know when the operation was due.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="due">Its intended start, as a reading of the stopwatch.</param>
    /// <param name="cancellationToken">As there.</param>
    internal virtual ValueTask<Task> LaunchAsync(int operation, long due, CancellationToken cancellationToken) =>
        LaunchAsync(operation, cancellationToken);

    /// <summary>Called at the end of each operation with its times, as readings of the stopwatch.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="due">Its intended start.</param>
    /// <param name="start">Its call.</param>
    /// <param name="end">Its end.</param>
    /// <param name="completed">Whether it completed; otherwise it failed.</param>
    internal virtual void OnEnd(int operation, long due, long start, long end, bool completed) { }

    /// <summary>Compares what the first <paramref name="launched"/> operations have left with what they should have left.</summary>
    public abstract Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken);

    /// <summary>
    /// Checks what the completed operations among the first <paramref name="launched"/> have left, when others failed or never
    /// ended. Empty when the set does not know which operations completed; a step of a load test is then UNVERIFIED.
    /// </summary>
    public virtual Task<IReadOnlyList<VerificationCheck>> VerifyCompletedAsync(int launched, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
}

/// <summary>An operation ended in another way than expected; the message says how.</summary>
internal sealed class OperationFailedException(string message) : Exception(message);
