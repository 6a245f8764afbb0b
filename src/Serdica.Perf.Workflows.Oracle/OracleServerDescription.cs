namespace Serdica.Perf.Workflows.Oracle;

/// <summary>A server as it describes itself.</summary>
/// <param name="Version">Null when the user may not read it.</param>
/// <param name="Settings">Parameters that decide what figures mean, as far as the user may read them.</param>
internal sealed record OracleServerDescription(string? Version, IReadOnlyDictionary<string, string> Settings)
{
    private static readonly string[] Parameters =
    [
        "cpu_count",
        "sga_target",
        "pga_aggregate_target",
        "processes",
        "aq_tm_processes",
        "streams_pool_size",
        "commit_logging",
        "commit_wait",
    ];

    /// <summary>Logs in and asks.</summary>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    public static async Task<OracleServerDescription> ReadAsync(OracleBackendOptions options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        try
        {
            var connections = new OracleConnections(options, new OracleScripts(options.Prefix));
            return await connections
                .UseAsync(session => ReadAsync(session, connections.Settings, cancellationToken), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e))
        {
            throw OracleErrors.Wrap("be asked what it is", e);
        }
    }

    private static async Task<OracleServerDescription> ReadAsync(
        OracleSession session,
        string driver,
        CancellationToken cancellationToken
    )
    {
        var settings = new Dictionary<string, string> { ["driver"] = driver };
        foreach (var name in Parameters)
        {
            if (
                await OracleInspection
                    .AskAsync(session, OracleStatement.InspectParameter, [name], cancellationToken)
                    .ConfigureAwait(false) is
                { } value
            )
                settings[name] = value;
        }

        if (await OracleRedoLogs.ReadAsync(session, cancellationToken).ConfigureAwait(false) is { } logs)
            settings["redo_logs"] = logs.ToString();
        settings["statistics"] = await OracleStatistics.IsByContainerAsync(session, cancellationToken).ConfigureAwait(false)
            ? "of the container"
            : "of the whole instance, as far as the user may read them";
        return new(
            await OracleInspection.AskAsync(session, OracleStatement.Plain("inspect-version"), [], cancellationToken).ConfigureAwait(false),
            settings
        );
    }
}
