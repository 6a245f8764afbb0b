namespace Serdica.Perf.Cli.Ab;

/// <summary>
/// The servers that are started for a comparison: one for both sides, or one for each where their conditions differ. Both run until
/// its end, and the one that is not measured has nothing to do.
/// </summary>
internal sealed class ServersOfSides : IAsyncDisposable
{
    private readonly Dictionary<string, SharedServers> _servers = [];

    /// <param name="logger">Logs what is started, before and after.</param>
    /// <exception cref="MeasuringException">A server is not available.</exception>
    public static async Task<ServersOfSides> StartAsync(
        AbRequest request,
        DatabaseEnvironment environment,
        ILogger logger,
        CancellationToken cancellationToken
    )
    {
        var servers = new ServersOfSides();
        try
        {
            var source = request.SourceOfServers(environment);
            foreach (var alike in request.Sides.Where(side => side.Server is null).GroupBy(side => side.Conditions.Text))
            {
                servers._servers[alike.Key] = await SharedServers.StartAsync(
                    alike.Select(request.BackendOf).Distinct(),
                    environment,
                    source,
                    request.ExpectedLogBytes,
                    logger,
                    cancellationToken,
                    alike.First().Conditions.Apply
                );
            }

            return servers;
        }
        catch
        {
            await servers.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc cref="SharedServers.Variables"/>
    public IReadOnlyDictionary<string, string> Variables(SideOfAb side) => _servers[side.Conditions.Text].Variables;

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values)
            await server.DisposeAsync();
    }
}
