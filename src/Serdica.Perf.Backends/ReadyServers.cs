using Serdica.Perf.Databases.PostgreSql;

namespace Serdica.Perf.Backends;

/// <summary>The one place that provides a server of the PostgreSQL family ready to be measured: with its log files created.</summary>
/// <param name="adjust">Applies options to each request; they override the variables.</param>
internal sealed class ReadyServers(DatabaseEnvironment environment, Func<DatabaseRequest, DatabaseRequest>? adjust, ILogger logger)
{
    /// <summary>
    /// Citus makes at most a fifth of the round trips of one server on the same processors (docs/scaling.md), and its two workers share
    /// their log.
    /// </summary>
    private const int ShareOfNode = 10;

    /// <returns>The server, or why there is none: an invalid variable, or no source that has one.</returns>
    /// <exception cref="DatabaseStartException">A server was found and does not work.</exception>
    public async Task<ProvisionOutcome> ProvideAsync(string backend, CancellationToken cancellationToken)
    {
        if (Request(backend, out var problem) is not { } request)
            return new ProvisionOutcome.Unavailable(problem!);

        var outcome = await DatabaseSources.Of(backend).ProvisionAsync(request, logger, cancellationToken);

        // In memory a new file costs nothing that a commit would wait for.
        if (outcome is not ProvisionOutcome.Provisioned { Server: var server } || request.Container.DataInMemory)
            return outcome;

        try
        {
            var expectedBytes = server.Nodes.Count > 1 ? request.ExpectedLogBytes / ShareOfNode : request.ExpectedLogBytes;
            foreach (var node in server.Nodes)
                await PostgreSqlLogFiles.MakeAheadAsync(node, expectedBytes, logger, cancellationToken);
            return outcome;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>What is asked for; null with the reason when a variable is invalid.</summary>
    /// <param name="problem">A sentence, or null.</param>
    public DatabaseRequest? Request(string backend, out string? problem) =>
        environment.TryReadRequest(backend, out var request, out problem) ? adjust?.Invoke(request) ?? request : null;
}
