namespace Serdica.Perf.Measurement.Verification;

/// <summary>What the measured window has added to the database, from a census before it and one after it.</summary>
/// <param name="Before">The census after the warm-up, when idle.</param>
/// <param name="After">The census after the drain.</param>
/// <param name="Host">What the workers did between the two.</param>
internal sealed record CensusAudit(BackendCensus Before, BackendCensus After, HostCounters Host)
{
    /// <summary>Whether nothing is left that workers would claim, now or later.</summary>
    public static bool IsIdle(BackendCensus census, long mayWait = 0) =>
        census is { SignalsDue: 0, SignalsLater: 0, Messages: 0 } && census.Open <= mayWait;

    public long Added(InstanceStatus status) => After.Count(status) - Before.Count(status);

    public long DeadLetters => After.DeadLetters - Before.DeadLetters;

    /// <summary>A conflict is rolled back and retried; it is unresolved until the retry.</summary>
    public long UnresolvedConflicts => IsIdle(After) ? 0 : Host.Conflicts;

    public long SignalsLeft => After.SignalsDue + After.SignalsLater;

    /// <param name="instances">
    /// The number of instances that the operations should have left, all completed except for the intended trouble.
    /// </param>
    public IEnumerable<VerificationCheck> Checks(long instances, IntendedTrouble intended)
    {
        yield return Equal("instances completed in the database", instances - intended.Cancelled, Added(InstanceStatus.Completed));
        yield return Equal("no instance faulted", 0, Added(InstanceStatus.Faulted));
        yield return NoneBut("no instance cancelled", intended.Cancelled, Added(InstanceStatus.Cancelled));
        yield return Equal("no instance open", 0, After.Open);
        yield return Equal("no instance stuck", 0, After.Stuck);
        yield return NoneBut("no dead letter", intended.DeadLetters, DeadLetters);
        yield return Equal("no unresolved conflict", 0, UnresolvedConflicts);
        yield return NoneBut("no handler failed", intended.HandlerFailures, Host.HandlerFailures);
        yield return Equal("no signal due left", 0, After.SignalsDue);
        yield return Equal("no signal for later left", 0, After.SignalsLater);
        yield return Equal("no message left", 0, After.Messages);
        yield return Equal("no message put aside by the database", 0, After.DeadMessages);
    }

    /// <summary>
    /// The checks when operations have failed or never ended: at least what was acknowledged exists, and nothing is stuck.
    /// </summary>
    public IEnumerable<VerificationCheck> ChecksOfCompleted(long instances)
    {
        var added = Added(InstanceStatus.Completed);
        yield return new(
            "instances of completed operations completed in the database",
            added >= instances,
            Invariant($"{instances} or more"),
            added.ToString(CultureInfo.InvariantCulture)
        );
        yield return Equal("no instance stuck", 0, After.Stuck);
    }

    public static VerificationCheck Equal(string check, long expected, long actual) =>
        new(check, expected == actual, expected.ToString(CultureInfo.InvariantCulture), actual.ToString(CultureInfo.InvariantCulture));

    private static VerificationCheck NoneBut(string none, long intended, long actual) =>
        Equal(intended == 0 ? none : none + " but the intended ones", intended, actual);
}
