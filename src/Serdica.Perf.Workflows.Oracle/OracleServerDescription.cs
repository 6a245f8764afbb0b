namespace Serdica.Perf.Workflows.Oracle;

/// <summary>A server as it describes itself.</summary>
/// <param name="Version">Null when the user may not read it.</param>
/// <param name="Settings">Parameters that decide what figures mean, as far as the user may read them.</param>
internal sealed record OracleServerDescription(string? Version, IReadOnlyDictionary<string, string> Settings)
{
    /// <summary>Logs in and asks.</summary>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    public static async Task<OracleServerDescription> ReadAsync(OracleBackendOptions options, CancellationToken cancellationToken)
    {
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

    private static async Task<OracleServerDescription> ReadAsync(OracleSession session, string driver, CancellationToken cancellationToken)
    {
        var parameters = await OracleParameters.ReadAsync(session, cancellationToken).ConfigureAwait(false);
        var settings = new Dictionary<string, string>(parameters.Values) { ["driver"] = driver };
        if (parameters.ServerProcess is { } process)
            settings["server_process"] = process;
        if (await OracleRedoLogs.ReadAsync(session, cancellationToken).ConfigureAwait(false) is { } logs)
            settings["redo_logs"] = logs.ToString();
        settings["statistics"] = await OracleStatistics.IsByContainerAsync(session, cancellationToken).ConfigureAwait(false)
            ? "of the container"
            : "of the whole instance, as far as the user may read them";
        return new(parameters.Version, settings);
    }
}
