namespace Serdica.Perf.Measurement.Verification;

/// <summary>
/// Reads the instances of operations back from the database and compares each with what it should be: all of up to <see
/// cref="MaxInstances"/>, above that an evenly spread sample. The counts of the census cover the rest.
/// </summary>
internal static class InstanceAudit
{
    public const int MaxInstances = 10_000;

    /// <summary>
    /// The number of instances that operations keep for the audit, which reads a sample of them; those of an hour would fill the
    /// memory.
    /// </summary>
    public const int MostKept = 4 * MaxInstances;

    /// <summary>Few enough to leave the pool's connections to others.</summary>
    private const int Readers = 4;

    /// <param name="ids">The instance of each operation; an empty id is an operation that never got one.</param>
    /// <param name="examine">Null when the instance of an operation is as expected, otherwise the problem.</param>
    /// <param name="operations">The number of operations that <paramref name="ids"/> sample; default: they are of all.</param>
    /// <param name="numberOf">The number of the operation of each of the ids; default its index.</param>
    /// <param name="closedAs">The status with which the instance of an operation must have closed; default completed.</param>
    public static async Task<IReadOnlyList<VerificationCheck>> RunAsync(
        IWorkflowBackend backend,
        ReadOnlyMemory<Guid> ids,
        Func<int, InstanceRecord, string?> examine,
        CancellationToken cancellationToken,
        int? operations = null,
        Func<int, int>? numberOf = null,
        Func<int, InstanceStatus>? closedAs = null
    )
    {
        var sampled = Math.Min(ids.Length, MaxInstances);
        var lost = new Findings();
        var notClosed = new Findings();
        var wrong = new Findings();
        await Parallel
            .ForAsync(
                0,
                sampled,
                new ParallelOptions { MaxDegreeOfParallelism = Readers, CancellationToken = cancellationToken },
                async (index, token) =>
                {
                    var place = (int)((long)index * ids.Length / sampled);
                    var (id, operation) = (ids.Span[place], numberOf?.Invoke(place) ?? place);
                    var record = id == Guid.Empty ? null : await backend.FindAsync(id, token);
                    if (record is null)
                        lost.Add($"operation {operation} has no instance");
                    else if (record.Status != (closedAs?.Invoke(operation) ?? InstanceStatus.Completed))
                        notClosed.Add(
                            $"instance {record.Id} is {record.Status} at '{record.Step}'{(record.Error is { } error ? $": {error}" : "")}"
                        );
                    else if (examine(operation, record) is { } problem)
                        wrong.Add(problem);
                }
            );

        var all = operations ?? ids.Length;
        var of = sampled == all ? $"{sampled}" : $"{sampled} of {all} sampled";
        return
        [
            lost.Check($"every instance found ({of})"),
            notClosed.Check($"every instance {(closedAs is null ? "completed" : "closed as it must")} ({of})"),
            wrong.Check($"every state and version as expected ({of})"),
        ];
    }
}
