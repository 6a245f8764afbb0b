namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What the server calls its figures, and what results call them.</summary>
internal static class OracleNames
{
    /// <summary>
    /// Names as in <c>V$SYSSTAT</c> and <c>V$CON_SYSSTAT</c>; what they count is in the appendix "Statistics Descriptions" of the
    /// Oracle Database Reference.
    /// </summary>
    public static IReadOnlyList<OracleFigure> Counters { get; } =
    [
        new("user commits", "commits"),
        new("user rollbacks", "rollbacks"),
        new("session logical reads", "logicalReads"),
        new("physical reads", "blocksRead"),
        new("physical writes", "blocksWritten"),
        new("redo size", "walBytes", "bytes"),
        new("redo writes", "redoWrites"),
        new("redo synch writes", "redoSyncs"),
        // The sum over all sessions that waited, so it is not walSyncTime, the time in which the log was being flushed.
        new("redo synch time", "redoSyncTime", "ms", OracleFigure.HundredthsToMilliseconds),
        new("enqueue waits", "enqueueWaits"),
        new("SQL*Net roundtrips to/from client", "roundTrips"),
        new("execute count", "executions"),
        new("parse count (total)", "parses"),
        new("parse count (hard)", "hardParses"),
        new("leaf node splits", "leafSplits"),
    ];

    /// <summary>The server counts these in microseconds.</summary>
    public static IReadOnlyList<(string Server, string Name)> Times { get; } = [("DB time", "databaseTime"), ("DB CPU", "databaseCpu")];

    /// <summary>The states of a message in a queue table, by number.</summary>
    public static IReadOnlyList<string> BacklogStates { get; } = ["backlogReady", "backlogWaiting", "backlogProcessed", "backlogExpired"];
}

/// <summary>A figure of the server.</summary>
/// <param name="Unit">Its unit in results; <see langword="null"/> for a plain count.</param>
internal readonly record struct OracleFigure(string Server, string Name, string? Unit = null, double Factor = 1)
{
    /// <summary>The server's older statistics of time are in hundredths of a second.</summary>
    public const double HundredthsToMilliseconds = 10;
}
