using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>Stores of <see cref="StandInFixture"/>, used with a transaction for each signal and message.</summary>
internal sealed class OneByOneFixture(IvorySqlFixture server) : IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        new OneByOneStore((StandInStore)await new StandInFixture(server).CreateSchemaAsync(cancellationToken));
}

internal sealed class OneByOneStore(StandInStore store) : IBackendSchema, IScenarioStore
{
    public string Backend => "oracle-stand-in";

    public IBackendStatistics? Statistics => null;

    public StandInFactory Factory => store.Factory;

    public IWorkflowBackend Connect() => new OracleWorkflowBackend(store.Options() with { OneByOne = true });

    public ValueTask DisposeAsync() => store.DisposeAsync();
}
