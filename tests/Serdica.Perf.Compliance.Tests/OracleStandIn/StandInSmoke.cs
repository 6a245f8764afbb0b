using Serdica.Perf.Measurement.Catalog;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// Scenarios of the Smoke tier run through the Oracle backend's C# side and are verified. Nothing is reported: the
/// figures are those of the stand-in.
/// </summary>
public sealed class StandInSmoke(PostgreSqlFixture server)
{
    private static readonly RunOptions Quick = new() { WarmUp = 0 };

    [Theory]
    [InlineData("immediate-burst-smoke")]
    [InlineData("delayed-burst-smoke")]
    [InlineData("synthetic-external-resume-smoke")]
    [InlineData("bulstrad-quote-or-apl-cancel-smoke")]
    public async Task Smoke_scenario_is_verified(string name)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = new Store((StandInStore)await new StandInFixture(server).CreateSchemaAsync(cancellationToken));
        var progress = new ScenarioProgress($"{store.Backend}-{name}", Quick.Apply(scenario.Parameters, repeat: 1));

        var measurement = await new ScenarioRunner(Quick).RunAsync(scenario, store, progress, cancellationToken);

        Assert.Empty(measurement.Result.FailureReasons);
        Assert.Equal(ScenarioStatus.Passed, measurement.Result.Status);
        Assert.True(measurement.Result.Counts.Balanced);
    }

    private sealed class Store(StandInStore store) : IScenarioStore
    {
        public string Backend => "oracle-stand-in";

        public IBackendStatistics? Statistics => null;

        public IWorkflowBackend Connect() => store.Connect();

        public ValueTask DisposeAsync() => store.DisposeAsync();
    }
}
