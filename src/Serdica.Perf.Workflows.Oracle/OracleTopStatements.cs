namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// What the statements of a store cost the server: the calls of the package, the statements in it, and those of AQ. From
/// <c>V$SQLSTATS</c>, which needs no licence of its own and keeps what has left the shared pool (Oracle Database Reference).
/// </summary>
internal static class OracleTopStatements
{
    private const double MicrosecondsPerMillisecond = 1_000;

    public static async Task<(IReadOnlyList<StatementCost> Statements, string? Missing)> ReadAsync(
        OracleSession session,
        CancellationToken cancellationToken
    )
    {
        var (rows, missing) = await OracleStatistics
            .TryQueryAsync(
                session,
                "statistics-statements",
                static reader => new StatementCost(
                    reader.GetString(0),
                    (long)OracleStatistics.Number(reader, 1),
                    OracleStatistics.Number(reader, 2) / MicrosecondsPerMillisecond,
                    (long)OracleStatistics.Number(reader, 3),
                    LogBytes: null
                )
                {
                    CpuMilliseconds = OracleStatistics.Number(reader, 4) / MicrosecondsPerMillisecond,
                    LogicalReads = OracleStatistics.Number(reader, 5),
                },
                cancellationToken
            )
            .ConfigureAwait(false);
        return (rows ?? [], missing);
    }
}
