using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Verification;

/// <summary>
/// Reads the instances of operations back from the database and compares each with what it should be. Up to
/// <see cref="MaxInstances"/> all are read, of more a sample that is spread evenly; the counts of the census cover the rest.
/// </summary>
internal static class InstanceAudit
{
    public const int MaxInstances = 10_000;

    /// <summary>Instances that operations keep for it, which reads a sample of these; those of an hour would fill the memory.</summary>
    public const int MostKept = 4 * MaxInstances;

    /// <summary>Few enough to leave the pool's connections to others.</summary>
    private const int Readers = 4;

    /// <summary>For instances that must all have completed.</summary>
    /// <inheritdoc cref="RunAsync(IWorkflowBackend, ReadOnlyMemory{Guid}, Func{int, InstanceStatus}, string, Func{int, InstanceRecord, string?}, CancellationToken, int?)"/>
    public static Task<IReadOnlyList<VerificationCheck>> RunAsync(
        IWorkflowBackend backend,
        ReadOnlyMemory<Guid> ids,
        Func<int, InstanceRecord, string?> examine,
        CancellationToken cancellationToken,
        int? operations = null) =>
        RunAsync(backend, ids, static _ => InstanceStatus.Completed, "completed", examine, cancellationToken, operations);

    /// <param name="backend">Where they are read.</param>
    /// <param name="ids">The instance of each operation; empty ids are operations that never got one.</param>
    /// <param name="closedAs">How the instance of an operation must have closed.</param>
    /// <param name="closed">The same of all of them, as a word for the name of the check.</param>
    /// <param name="examine">Null when the instance of an operation is as it should be, else what is wrong with it.</param>
    /// <param name="cancellationToken">Stops reading.</param>
    /// <param name="operations">Operations that <paramref name="ids"/> are a sample of; default: they are of all.</param>
    public static async Task<IReadOnlyList<VerificationCheck>> RunAsync(
        IWorkflowBackend backend,
        ReadOnlyMemory<Guid> ids,
        Func<int, InstanceStatus> closedAs,
        string closed,
        Func<int, InstanceRecord, string?> examine,
        CancellationToken cancellationToken,
        int? operations = null)
    {
        var sampled = Math.Min(ids.Length, MaxInstances);
        var lost = new Findings();
        var notClosed = new Findings();
        var wrong = new Findings();
        await Parallel.ForAsync(
            0,
            sampled,
            new ParallelOptions { MaxDegreeOfParallelism = Readers, CancellationToken = cancellationToken },
            async (index, token) =>
            {
                var operation = (int)((long)index * ids.Length / sampled);
                var id = ids.Span[operation];
                var record = id == Guid.Empty ? null : await backend.FindAsync(id, token).ConfigureAwait(false);
                if (record is null)
                    lost.Add($"operation {operation} has no instance");
                else if (record.Status != closedAs(operation))
                    notClosed.Add($"instance {record.Id} is {record.Status} at '{record.Step}'{(record.Error is { } error ? $": {error}" : "")}");
                else if (examine(operation, record) is { } problem)
                    wrong.Add(problem);
            }).ConfigureAwait(false);

        var all = operations ?? ids.Length;
        var of = sampled == all ? $"{sampled}" : $"{sampled} of {all} sampled";
        return
        [
            lost.Check($"every instance found ({of})"),
            notClosed.Check($"every instance {closed} ({of})"),
            wrong.Check($"every state and version as expected ({of})"),
        ];
    }
}
