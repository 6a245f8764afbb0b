namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class HarnessOverheadTests
{
    private static readonly IReadOnlyList<DatabaseDescription> Databases = [SampleRun.Database, ReferenceSizedRun.Memory];

    private static readonly ScenarioResult Database = ReferenceSizedRun.Measured(
        "signal-roundtrip-throughput-parallel",
        "WorkflowPerfThroughput",
        ScenarioFamilies.SignalRoundtrip,
        96,
        16,
        8,
        400
    );

    [Fact]
    public void Its_share_is_the_time_that_the_scenario_takes_in_memory()
    {
        var overhead = Assert.Single(HarnessOverhead.Of(Databases, [Database, InMemory(40)]));

        Assert.Equal(0.1, overhead.TimeShare!.Value, 6);
        Assert.Equal(0.5, overhead.CpuShare!.Value, 6);
    }

    [Fact]
    public void Other_parameters_are_another_measurement()
    {
        var own = Database.Parameters;
        EachItem.Holds(
            [own with { Operations = 97 }, own with { Concurrency = 1 }, own with { Workers = 1 }, own with { Load = LoadModel.Closed }],
            other => Assert.Empty(HarnessOverhead.Of(Databases, [Database, InMemory(40) with { Parameters = other }]))
        );
    }

    [Fact]
    public void A_scenario_paced_by_its_delays_or_slower_in_memory_has_no_share_of_time()
    {
        static double? Share(ScenarioResult database, double inMemoryMs) =>
            Assert.Single(HarnessOverhead.Of(Databases, [database, InMemory(inMemoryMs)])).TimeShare;

        Assert.Null(Share(Database with { Lateness = SampleRun.Latency(96, 1) }, 40));
        Assert.Null(Share(Database, 501));
        Assert.NotNull(Share(Database, 499));
    }

    [Theory]
    [InlineData(300, 0)]
    [InlineData(330, 1)]
    public void A_database_that_is_nearly_as_fast_as_none_was_not_measured(double inMemoryMs, int warnings) =>
        Assert.Equal(
            warnings,
            WarningAnalysis
                .Of(SampleRun.Environment, Databases, [Database, InMemory(inMemoryMs)])
                .Count(warning => warning.Code == WarningCodes.HarnessLimited)
        );

    private static ScenarioResult InMemory(double durationMs) =>
        Database with
        {
            Name = "in-memory-signal-roundtrip-throughput-parallel",
            Backend = "in-memory",
            DurationMs = durationMs,
            CostPerOperation = new Metrics
            {
                [MetricNames.EngineCpu] = MetricValue.Of(Database.CostPerOperation[MetricNames.EngineCpu].Value!.Value / 2, "ms"),
            },
        };
}
