namespace Serdica.Perf.Workflows.Oracle;

/// <summary>The redo logs of a server. When they are small, figures are of how they are switched.</summary>
internal sealed record OracleRedoLogs(int Groups, long SmallestBytes)
{
    private const long MiB = 1 << 20;

    /// <summary>What the server's own installation makes.</summary>
    public const long EnoughBytes = 200 * MiB;

    /// <returns>Null when the user may not read it.</returns>
    public static async Task<OracleRedoLogs?> ReadAsync(OracleSession session, CancellationToken cancellationToken)
    {
        try
        {
            var rows = await session
                .QueryAsync(
                    OracleStatement.Plain("inspect-redo-logs"),
                    [],
                    static reader => new OracleRedoLogs(
                        Convert.ToInt32(reader.GetValue(0), CultureInfo.InvariantCulture),
                        Convert.ToInt64(reader.GetValue(1), CultureInfo.InvariantCulture)
                    ),
                    cancellationToken
                )
                .ConfigureAwait(false);
            return rows[0];
        }
        catch (DbException e) when (OracleErrors.KindOf(e) == OracleErrorKind.Permanent)
        {
            return null;
        }
    }

    /// <summary>What an inspection says of it.</summary>
    public static OracleFinding Judge(OracleRedoLogs? logs) =>
        logs switch
        {
            null => new("Redo logs", false, "unknown: this user cannot read V$LOG."),
            { SmallestBytes: < EnoughBytes } => new(
                "Redo logs",
                true,
                $"{logs}: commits would wait for the logs to be switched. As SYS, in the root: ALTER DATABASE ADD LOGFILE ... SIZE 256M "
                    + "three times, ALTER SYSTEM SWITCH LOGFILE three times, ALTER SYSTEM CHECKPOINT, then drop the small groups."
            ),
            _ => new("Redo logs", false, $"{logs}."),
        };

    public override string ToString() => Invariant($"{Groups} x {SmallestBytes / MiB} MB");
}
