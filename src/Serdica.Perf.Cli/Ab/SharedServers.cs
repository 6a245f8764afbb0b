using Microsoft.Extensions.Logging.Abstractions;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.PostgreSql;
using Serdica.Perf.Databases.Sources;

namespace Serdica.Perf.Cli.Ab;

/// <summary>
/// The servers of a comparison: each is started once, and every measuring process gets its connection string by the
/// environment and makes a schema of its own there. Disposing this stops what was started.
/// </summary>
internal sealed class SharedServers : IAsyncDisposable
{
    private readonly List<DatabaseServer> _servers = [];
    private readonly Dictionary<string, string> _variables = [];

    /// <summary>For the environment of measuring processes. Secrets: never to be printed.</summary>
    public IReadOnlyDictionary<string, string> Variables => _variables;

    /// <exception cref="AbException">A server is not available.</exception>
    public static async Task<SharedServers> StartAsync(
        IEnumerable<string> backends, DatabaseEnvironment environment, DatabaseSourceKind? source, CancellationToken cancellationToken)
    {
        var servers = new SharedServers();
        try
        {
            foreach (var backend in backends.Where(backend => backend is BackendNames.PostgreSql or BackendNames.DocumentDb))
                await servers.StartAsync(backend, environment, source, cancellationToken).ConfigureAwait(false);
            return servers;
        }
        catch
        {
            await servers.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers)
            await server.DisposeAsync().ConfigureAwait(false);
    }

    private async Task StartAsync(
        string backend, DatabaseEnvironment environment, DatabaseSourceKind? source, CancellationToken cancellationToken)
    {
        if (!environment.TryReadRequest(backend, out var request, out var problem))
            throw new AbException(ExitCodes.BackendUnavailable, problem);

        request = request with { Source = source ?? request.Source };
        try
        {
            var outcome = backend == BackendNames.PostgreSql
                ? await PostgreSqlServers.ProvisionAsync(request, NullLogger.Instance, cancellationToken).ConfigureAwait(false)
                : await DocumentDbServers.ProvisionAsync(request, NullLogger.Instance, cancellationToken).ConfigureAwait(false);
            if (outcome is not ProvisionOutcome.Provisioned { Server: var server })
            {
                throw new AbException(
                    ExitCodes.BackendUnavailable, $"{backend} is not available: {((ProvisionOutcome.Unavailable)outcome).Reason}");
            }

            _servers.Add(server);
            await PostgreSqlLogFiles.MakeAheadAsync(server, request.ExpectedLogBytes, NullLogger.Instance, cancellationToken)
                .ConfigureAwait(false);
            foreach (var (name, value) in DatabaseEnvironment.HandOver(backend, server))
                _variables[name] = value;
        }
        catch (DatabaseStartException error)
        {
            throw new AbException(ExitCodes.Failed, error.Message);
        }
    }
}
