using Serdica.Perf.Measurement.Catalog;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// Scenarios of the Smoke tier run through the Oracle backend and its package and are verified. Nothing is reported: the
/// figures are those of the stand-in.
/// </summary>
public sealed class StandInSmoke(IvorySqlFixture server)
{
    private static readonly RunOptions Quick = new() { WarmUp = 0 };

    [Theory]
    [InlineData("immediate-burst-smoke", false)]
    [InlineData("delayed-burst-smoke", false)]
    [InlineData("synthetic-external-resume-smoke", false)]
    [InlineData("bulstrad-quote-or-apl-cancel-smoke", false)]
    [InlineData("immediate-burst-smoke", true)]
    [InlineData("delayed-burst-smoke", true)]
    [InlineData("synthetic-external-resume-smoke", true)]
    public async Task Smoke_scenario_is_verified_and_its_result_says_how_it_was_measured(string name, bool isOneByOne)
    {
        var cancellationToken = Token;
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = (StandInStore)await new StandInFixture(server, isOneByOne).CreateSchemaAsync(cancellationToken);
        var progress = new ScenarioProgress($"{store.Backend}-{name}", Quick.Apply(scenario, repeat: 1));

        var measurement = await new ScenarioRunner(Quick).RunAsync(scenario, store, progress, cancellationToken);

        Assert.Empty(measurement.Result.FailureReasons);
        Assert.Equal(ScenarioStatus.Passed, measurement.Result.Status);
        Assert.True(measurement.Result.Counts.Balanced);
        KeyValuePair<string, string>[] way = isOneByOne ? [new("one-by-one", "on")] : [];
        Assert.Equal(way, measurement.Result.Parameters.Engine);
    }
}
