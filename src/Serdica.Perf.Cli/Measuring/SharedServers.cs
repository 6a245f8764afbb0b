namespace Serdica.Perf.Cli.Measuring;

/// <summary>
/// The servers that several measuring processes share: each is started once, and every process gets its connection string
/// through the environment and makes a schema of its own there. Disposing this stops what was started.
/// </summary>
internal sealed class SharedServers : IAsyncDisposable
{
    private readonly Dictionary<string, DatabaseServer> _servers = [];

    /// <summary>For the environment of measuring processes. Secrets: never to be printed.</summary>
    public IReadOnlyDictionary<string, string> Variables =>
        _servers
            .SelectMany(server => DatabaseEnvironment.HandOver(server.Key, server.Value))
            .ToDictionary(variable => variable.Key, variable => variable.Value);

    /// <summary>The server of a backend that was started.</summary>
    public DatabaseServer this[string backend] => _servers[backend];

    /// <param name="backends">Those that run on no PostgreSQL server are left to the measuring processes.</param>
    /// <param name="source">Overrides the variables; null leaves the choice to them.</param>
    /// <param name="expectedLogBytes">See <see cref="DatabaseRequest.ExpectedLogBytes"/>.</param>
    /// <param name="logger">Logs what is started, before and after.</param>
    /// <param name="adjust">Further changes of what is asked for; null for none.</param>
    /// <exception cref="MeasuringException">A server is not available.</exception>
    public static async Task<SharedServers> StartAsync(
        IEnumerable<string> backends,
        DatabaseEnvironment environment,
        DatabaseSourceKind? source,
        long? expectedLogBytes,
        ILogger logger,
        CancellationToken cancellationToken,
        Func<DatabaseRequest, DatabaseRequest>? adjust = null
    )
    {
        var from = BackendCatalog.From(source, expectedLogBytes);
        var ready = new ReadyServers(environment, adjust is null ? from : request => adjust(from(request)), logger);
        var servers = new SharedServers();
        try
        {
            foreach (var backend in backends.Intersect(BackendNames.OnPostgreSqlServers))
                servers._servers[backend] = await StartAsync(backend, ready, cancellationToken);
            return servers;
        }
        catch
        {
            await servers.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values)
            await server.DisposeAsync();
    }

    private static async Task<DatabaseServer> StartAsync(string backend, ReadyServers servers, CancellationToken cancellationToken)
    {
        try
        {
            return await servers.ProvideAsync(backend, cancellationToken) switch
            {
                ProvisionOutcome.Provisioned { Server: var server } => server,
                ProvisionOutcome.Unavailable { Reason: var reason } => throw new MeasuringException(
                    ExitCodes.BackendUnavailable,
                    $"{backend} is not available: {reason}"
                ),
                var other => throw new InvalidOperationException($"Unknown outcome {other}."),
            };
        }
        catch (DatabaseStartException error)
        {
            throw new MeasuringException(ExitCodes.Failed, error.Message);
        }
    }
}
