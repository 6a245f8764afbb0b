using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Cli.Composition;

/// <summary>A store on a server in a container, whose statistics hold those of the container too.</summary>
internal sealed class MeteredStore : IScenarioStore
{
    private readonly IScenarioStore _store;

    private MeteredStore(IScenarioStore store, DatabaseServer server)
    {
        _store = store;
        Statistics = store.Statistics is { } statistics ? new ContainerStatistics(statistics, server.ReadUsageAsync) : null;
    }

    public string Backend => _store.Backend;

    public IBackendStatistics? Statistics { get; }

    /// <summary>The store itself where there is no container.</summary>
    public static IScenarioStore Of(IScenarioStore store, DatabaseServer? server) =>
        server?.Description.Container is null ? store : new MeteredStore(store, server);

    public IWorkflowBackend Connect() => _store.Connect();

    public ValueTask DisposeAsync() => _store.DisposeAsync();
}
