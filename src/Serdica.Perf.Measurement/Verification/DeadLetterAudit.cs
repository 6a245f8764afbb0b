namespace Serdica.Perf.Measurement.Verification;

/// <summary>
/// Reads the dead letters and compares them with those that a scenario causes on purpose: one for each operation that should
/// have one, and none for any other. The scenario's warm-up must not cause any.
/// </summary>
internal static class DeadLetterAudit
{
    /// <param name="examine">Null when the dead letter of an operation is as expected, otherwise the problem.</param>
    /// <param name="judged">Signals that earlier steps on the store have judged; those of this one are added.</param>
    public static async Task<VerificationCheck> RunAsync(
        IWorkflowBackend backend,
        IReadOnlyDictionary<Guid, int> operations,
        Func<int, DeadLetter, string?> examine,
        CancellationToken cancellationToken,
        HashSet<Guid>? judged = null
    )
    {
        var findings = new Findings();
        var missing = operations.ToDictionary();
        judged ??= [];
        var letters = await backend
            .ListDeadLettersAsync(new DeadLetterQuery { Limit = judged.Count + operations.Count + 1 }, cancellationToken);
        DeadLetter[] added = [.. letters.Where(letter => !judged.Contains(letter.Signal.Id))];
        judged.UnionWith(added.Select(letter => letter.Signal.Id));
        foreach (var letter in added)
        {
            if (!missing.Remove(letter.Signal.InstanceId, out var operation))
                findings.Add($"signal {letter.Signal.Id} to instance {letter.Signal.InstanceId} is a dead letter: {letter.Detail}");
            else if (examine(operation, letter) is { } problem)
                findings.Add(problem);
        }

        foreach (var (instance, operation) in missing)
            findings.Add($"operation {operation} has no dead letter of its instance {instance}");
        return findings.Check($"every dead letter as expected ({operations.Count})");
    }
}
