namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// The figures that a PostgreSQL server has, by the names that the scripts give their columns, and which scripts read them
/// on which version.
/// </summary>
internal static class PostgreSqlFigures
{
    private const string StatIo = "pg_stat_io came with PostgreSQL 16.";
    private const string Untimed = "track_wal_io_timing is off.";

    private static readonly FrozenDictionary<string, Figure> All = new Figure[]
    {
        new("writingCommits", IsExact: true),
        new("walBytes", "bytes", IsExact: true),
        new("commits"),
        new("rollbacks"),
        new("logicalReads"),
        new("blocksRead"),
        new("tempFiles"),
        new("tempBytes", "bytes"),
        new("deadlocks"),
        new("rowsInserted"),
        new("rowsUpdated"),
        new("rowsDeleted"),
        new("rowsHotUpdated"),
        new("rowsTouched"),
        new("liveRows", IsGauge: true),
        new("deadRows", IsGauge: true),
        new("vacuums"),
        new("autovacuums"),
        new("tableBytes", "bytes", IsGauge: true),
        new("indexBytes", "bytes", IsGauge: true),
        new("connections", IsGauge: true),
        new("sessionsWaitingForLocks", IsGauge: true),
        new("oldestTransactionAge", "ms", IsGauge: true),
        new("notificationQueueUsage", IsGauge: true),
        new("walRecords"),
        new("walFullPageImages"),
        new("walBuffersFull"),
        new("walSyncs"),
        new("walSyncTime", "ms", Missing: Untimed),
        new("checkpoints"),
        new("checkpointBuffers"),
        new("walSinceCheckpoint", "bytes", IsGauge: true),
        new("clientBlocksWritten", Missing: StatIo),
        new("clientBlocksExtended", Missing: StatIo),
        new("clientBlocksEvicted", Missing: StatIo),
    }.ToFrozenDictionary(figure => figure.Name);

    /// <summary>The scripts that together read all figures that this version has; each answers with one row.</summary>
    public static IReadOnlyList<string> ScriptsOf(int version) =>
        [
            "statistics",
            "statistics-relations",
            "statistics-sessions",
            version >= 18 ? "statistics-wal-18" : "statistics-wal",
            version >= 17 ? "statistics-checkpoints-17" : "statistics-checkpoints",
            .. (IEnumerable<string>)(version >= 16 ? ["statistics-io-16"] : []),
        ];

    /// <summary>Figures for what a server answered; what it did not answer has a reason in place of a value.</summary>
    /// <param name="answers">By name; without a value where the server does not take it.</param>
    /// <param name="lag">How long sessions may hold counts back.</param>
    public static Dictionary<string, Statistic> Of(IReadOnlyDictionary<string, double?> answers, TimeSpan lag) =>
        All.Values.ToDictionary(figure => figure.Name, figure => figure.Of(answers.GetValueOrDefault(figure.Name), lag));

    private sealed record Figure(string Name, string? Unit = null, bool IsExact = false, bool IsGauge = false, string? Missing = null)
    {
        public Statistic Of(double? value, TimeSpan lag) =>
            new(
                value,
                Unit,
                value is null ? Missing ?? "The server does not report it." : null,
                IsExact || IsGauge ? TimeSpan.Zero : lag,
                IsGauge
            );
    }
}
