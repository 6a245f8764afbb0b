namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What <c>replSetGetStatus</c> tells, as its manual for 7.0 and 8.0 has it.</summary>
internal static class MongoDbReplication
{
    /// <summary>
    /// How far a majority is behind the member that answers, by the clock of the primary that wrote: what
    /// <c>serverStatus</c> tells of it has whole seconds only.
    /// </summary>
    public static Statistic LagOf(MongoDbAnswer answer)
    {
        if (answer.Reply is not { } status)
            return new(null, "ms", answer.Missing, IsGauge: true);
        if (
            status.Find("optimes", "lastAppliedWallTime") is not { } applied
            || status.Find("optimes", "lastCommittedWallTime") is not { } committed
        )
            return new(null, "ms", "replSetGetStatus has no wall times.", IsGauge: true);
        return new((applied.ToUniversalTime() - committed.ToUniversalTime()).TotalMilliseconds, "ms", IsGauge: true);
    }
}
