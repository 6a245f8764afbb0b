using Serdica.Perf.Analysis.Reference;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class ReferenceBaselineTests
{
    private static readonly ReferenceBaseline Reference = ReferenceBaseline.OracleAq;

    [Fact]
    public void It_has_the_fifteen_scenarios_as_printed()
    {
        Assert.Equal(15, Reference.Scenarios.Count);
        Assert.Equal(("oracle-aq", new DateOnly(2026, 3, 17)), (Reference.Backend, Reference.Run.Date));
        EachItem.Holds(Reference.Scenarios, scenario => Assert.Equal($"oracle-aq-{scenario.Scenario}", scenario.Name));
        var top = Reference.Find("signal-roundtrip-capacity-c16")!;
        Assert.Equal((256, 16, 34.03, 7523.47), (top.Operations, top.Concurrency, top.ThroughputPerSecond, top.DurationMs));
        Assert.Equal((6551.81, 6710.05, 6721.81), (top.LatencyToDrain.AverageMs, top.LatencyToDrain.P95Ms, top.LatencyToDrain.MaxMs));
        Assert.Equal(4, top.PerOperation(top.Database.UserCommits));
        Assert.Equal("log file sync", top.TopWait);
    }

    [Fact]
    public void What_is_not_printed_is_missing_and_not_nought()
    {
        var serial = Reference.Find("signal-roundtrip-latency-serial")!;

        Assert.Null(serial.LatencyToDrain.P99Ms);
        Assert.Null(serial.Database.UserCommits);
        Assert.Null(serial.PerOperation(serial.Database.UserCommits));
        Assert.Empty(serial.Counters);
        Assert.Null(Reference.Find("signal-roundtrip-capacity-c1")!.Workers);
        Assert.True(Reference.Run.HardwareUnknown);
    }

    [Fact]
    public void The_soak_has_its_counters_and_the_times_of_its_waits()
    {
        var soak = Reference.Find("signal-roundtrip-soak")!;

        EachItem.Holds(soak.Counters.Values, value => Assert.Equal(0, value));
        Assert.Equal([10_904_550, 1_573_185, 719_739], soak.Database.TopWaits.Select(wait => wait.TimeMicroseconds));
    }

    [Fact]
    public void An_unknown_scenario_is_not_found() => Assert.Null(Reference.Find("large-state"));
}
