namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Checks what the operations of a step left in its store.</summary>
internal static class StepVerification
{
    /// <summary>The counts of a store that was not clean before cannot be verified; its instances are still read back.</summary>
    /// <returns>The checks, and why what completed was not verified; null when it was.</returns>
    public static async Task<(IReadOnlyList<VerificationCheck> Checks, string? Unverified)> RunAsync(
        LoadOutcome outcome,
        CensusAudit audit,
        OperationSet operations,
        Workload workload,
        CancellationToken cancellationToken
    )
    {
        var completed = outcome.Completed;
        if (outcome.Failed + outcome.Running > 0)
        {
            // A failed operation must not disable verification: what was acknowledged is checked. Its count does not stand for that: it
            // is a lower bound, and says nothing about a state.
            var ofCompleted = await operations.VerifyCompletedAsync(outcome.Started, cancellationToken);
            return (
                [
                    .. CensusAudit.IsIdle(audit.Before) && operations.Intended == IntendedTrouble.None && workload.InstancesPerOperation > 0
                        ? audit.ChecksOfCompleted(Instances(completed, operations, workload))
                        : [],
                    .. ofCompleted,
                ],
                UnverifiedOf(completed, operations, ofCompleted)
            );
        }

        var counted = CensusAudit.IsIdle(audit.Before) && (operations.Intended == IntendedTrouble.None || completed == operations.Count);
        VerificationCheck[] checks =
        [
            .. counted ? audit.Checks(Instances(completed, operations, workload), operations.Intended) : [],
            .. await operations.VerifyAsync(completed, cancellationToken),
        ];
        return (checks, completed > 0 && checks.Length == 0 ? "its workflow has no checks, or the store was not clean before it." : null);
    }

    private static string? UnverifiedOf(int completed, OperationSet operations, IReadOnlyList<VerificationCheck> ofCompleted)
    {
        var kinds = (operations as MixedOperations)?.KindsWithout(ofCompleted) ?? [];
        return completed > 0 && (ofCompleted.Count == 0 || kinds.Count > 0)
            ? "operations failed or never ended, and nothing verified what the completed ones left"
                + $"{(kinds.Count == 0 ? "" : $" in {string.Join(", ", kinds)}")}."
            : null;
    }

    private static long Instances(int completed, OperationSet operations, Workload workload) =>
        operations is MixedOperations mix ? mix.Instances : (long)completed * workload.InstancesPerOperation;
}
