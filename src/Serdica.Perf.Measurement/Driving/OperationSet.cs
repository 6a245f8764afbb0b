using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// A number of like operations, which a <see cref="LoadRun"/> drives. Its methods are called by many callers at once,
/// each operation once.
/// </summary>
public abstract class OperationSet(int count)
{
    /// <summary>The count of a set that time alone ends: more operations than anybody begins.</summary>
    public const int Endless = int.MaxValue;

    /// <summary>Operations that there are, or <see cref="Endless"/>.</summary>
    public int Count => count;

    /// <summary>Latencies that the operations record beside their total.</summary>
    public PhaseRecorders Phases { get; } = new();

    /// <summary>
    /// What the operations were to leave besides completed instances; read when all have ended. Each count is exact: more
    /// is a failure, and so is less.
    /// </summary>
    public virtual IntendedTrouble Intended => IntendedTrouble.None;

    /// <summary>What must be there before the first operation and is in none of their times.</summary>
    public virtual Task PrepareAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// The caller's part of an operation. The task within completes when the operation has, and fails when it has failed;
    /// an operation whose caller's part fails has failed as well.
    /// </summary>
    public abstract ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken);

    /// <summary>Compares what the first <paramref name="launched"/> operations have left with what they should have.</summary>
    public abstract Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken);

    /// <summary>
    /// Compares what those of the first <paramref name="launched"/> operations have left that completed, while others failed
    /// or never ended. Empty where the set does not know which those are: nothing is verified then.
    /// </summary>
    public virtual Task<IReadOnlyList<VerificationCheck>> VerifyCompletedAsync(int launched, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
}

/// <summary>An operation ended otherwise than it should; the message says how.</summary>
public sealed class OperationFailedException(string message) : Exception(message);
