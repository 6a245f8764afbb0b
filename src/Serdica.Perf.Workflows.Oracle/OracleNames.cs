namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What the server calls its figures, and what results call them.</summary>
internal static class OracleNames
{
    public static IReadOnlyList<(string Server, string Name, string? Unit)> Counters { get; } =
    [
        ("user commits", "commits", null),
        ("user rollbacks", "rollbacks", null),
        ("session logical reads", "logicalReads", null),
        ("redo size", "walBytes", "bytes"),
        ("SQL*Net roundtrips to/from client", "roundTrips", null),
        ("execute count", "executions", null),
        ("parse count (hard)", "hardParses", null),
    ];

    /// <summary>The server counts these in microseconds.</summary>
    public static IReadOnlyList<(string Server, string Name)> Times { get; } = [("DB time", "databaseTime"), ("DB CPU", "databaseCpu")];

    /// <summary>The states of a message in a queue table, by number.</summary>
    public static IReadOnlyList<string> BacklogStates { get; } = ["backlogReady", "backlogWaiting", "backlogProcessed", "backlogExpired"];
}
