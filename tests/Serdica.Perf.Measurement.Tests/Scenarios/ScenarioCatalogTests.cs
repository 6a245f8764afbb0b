namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class ScenarioCatalogTests
{
    [Theory]
    [InlineData("signal-roundtrip-latency-serial", "WorkflowPerfLatency", 16, 1, 1, LoadModel.Serial)]
    [InlineData("signal-roundtrip-throughput-parallel", "WorkflowPerfThroughput", 96, 16, 8, LoadModel.Wave)]
    [InlineData("immediate-burst-smoke", "WorkflowPerfSmoke", 24, 1, 8, LoadModel.Wave)]
    [InlineData("delayed-burst-smoke", "WorkflowPerfSmoke", 12, 1, 8, LoadModel.Wave)]
    [InlineData("synthetic-external-resume-smoke", "WorkflowPerfSmoke", 12, 4, 8, LoadModel.Wave)]
    [InlineData("bulstrad-quote-or-apl-cancel-smoke", "WorkflowPerfSmoke", 10, 4, 8, LoadModel.Wave)]
    [InlineData("signal-roundtrip-capacity-c1", "WorkflowPerfCapacity", 16, 1, 8, LoadModel.Wave)]
    [InlineData("signal-roundtrip-capacity-c4", "WorkflowPerfCapacity", 64, 4, 8, LoadModel.Wave)]
    [InlineData("signal-roundtrip-capacity-c8", "WorkflowPerfCapacity", 128, 8, 8, LoadModel.Wave)]
    [InlineData("signal-roundtrip-capacity-c16", "WorkflowPerfCapacity", 256, 16, 8, LoadModel.Wave)]
    [InlineData("signal-roundtrip-soak", "WorkflowPerfSoak", 108, 8, 8, LoadModel.Wave)]
    [InlineData("immediate-burst-nightly", "WorkflowPerfNightly", 120, 1, 8, LoadModel.Wave)]
    [InlineData("delayed-burst-nightly", "WorkflowPerfNightly", 48, 1, 8, LoadModel.Wave)]
    [InlineData("synthetic-external-resume-nightly", "WorkflowPerfNightly", 36, 8, 8, LoadModel.Wave)]
    [InlineData("bulstrad-quotation-confirm-convert-to-policy-nightly", "WorkflowPerfNightly", 12, 4, 8, LoadModel.Wave)]
    public void A_scenario_has_the_parameters_of_the_reference(
        string name,
        string tier,
        int operations,
        int concurrency,
        int workers,
        LoadModel load
    )
    {
        var scenario = ScenarioCatalog.Find(name)!;

        Assert.Equal(tier, scenario.Tier);
        Assert.Equal(
            (operations, concurrency, workers, load),
            (scenario.Parameters.Operations, scenario.Parameters.Concurrency, scenario.Parameters.Workers, scenario.Parameters.Load)
        );
    }

    [Theory]
    [InlineData("cancel-under-load", ScenarioFamilies.Resilience, 240, 16)]
    [InlineData("poison-signal", ScenarioFamilies.Resilience, 100, 8)]
    [InlineData("duplicate-and-early-signals", ScenarioFamilies.Resilience, 120, 8)]
    [InlineData("recovery-backlog", ScenarioFamilies.Resilience, 20_000, 64)]
    [InlineData("child-fan-out", ScenarioFamilies.FanOut, 60, 8)]
    [InlineData("full-host", ScenarioFamilies.Resilience, 800, 16)]
    [InlineData("timer-wheel", ScenarioFamilies.Timers, 10_000, 64)]
    [InlineData("large-state", ScenarioFamilies.LargeState, 96, 8)]
    public void A_further_scenario_is_a_nightly_wave(string name, string family, int operations, int concurrency)
    {
        var scenario = ScenarioCatalog.Find(name)!;

        Assert.Equal((Tiers.Nightly, family), (scenario.Tier, scenario.Family));
        Assert.Equal(
            (operations, concurrency, 8, LoadModel.Wave),
            (scenario.Parameters.Operations, scenario.Parameters.Concurrency, scenario.Parameters.Workers, scenario.Parameters.Load)
        );
    }

    [Fact]
    public void There_are_the_fifteen_scenarios_of_the_reference() => Assert.Equal(15, ScenarioCatalog.Reference.Count);

    [Fact]
    public void The_sustained_round_trip_has_a_window_of_seconds()
    {
        var scenario = ScenarioCatalog.Find("signal-roundtrip-throughput-sustained")!;

        Assert.Equal((Tiers.Throughput, 2_000), (scenario.Tier, scenario.WarmUp));
        Assert.Equal(
            (20_000, 64, 2, LoadModel.Closed),
            (scenario.Parameters.Operations, scenario.Parameters.Concurrency, scenario.Parameters.Workers, scenario.Parameters.Load)
        );
    }

    [Fact]
    public void The_long_soak_is_in_the_catalogue_and_in_no_tier()
    {
        var soak = ScenarioCatalog.Find("long-soak")!;

        Assert.Equal(
            (LoadModel.Open, 600.0, 0),
            (soak.Parameters.Load, soak.Parameters.DurationSeconds!.Value, soak.Parameters.Operations)
        );
        Assert.DoesNotContain(soak, ScenarioCatalog.OfAllTiers());
        Assert.DoesNotContain(soak, ScenarioCatalog.OfTier(soak.Tier));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    public void A_rung_of_any_ladder_is_that_of_the_reference(int concurrency)
    {
        var level = ScenarioCatalog.Rung(concurrency);
        var catalogued = ScenarioCatalog.Find(level.Name)!;

        Assert.True(CapacityLadder.IsRung(level.Name));
        Assert.Equal(
            (catalogued.Tier, catalogued.Family, catalogued.Description, catalogued.Parameters.Operations, catalogued.Parameters.Load),
            (level.Tier, level.Family, level.Description, level.Parameters.Operations, level.Parameters.Load)
        );
    }

    [Fact]
    public void A_scenario_that_lasts_for_a_time_keeps_its_load_and_takes_the_duration()
    {
        var parameters = ScenarioCatalog.Find("long-soak")!.Parameters;

        var applied = new RunOptions
        {
            Duration = FromSeconds(90),
            Operations = 5,
            Load = LoadModel.Closed,
        }.Apply(parameters, repeat: 1);

        Assert.Equal((90.0, 0, LoadModel.Open), (applied.DurationSeconds!.Value, applied.Operations, applied.Load));
    }

    [Fact]
    public void A_warm_up_that_was_set_is_a_condition_of_the_result()
    {
        var parameters = ScenarioCatalog.Find("long-soak")!.Parameters;

        Assert.Equal("0", new RunOptions { WarmUp = 0 }.Apply(parameters, repeat: 1).Options[ScenarioParameters.WarmUpOption]);
        Assert.DoesNotContain(ScenarioParameters.WarmUpOption, new RunOptions().Apply(parameters, repeat: 1).Options.Keys);
    }

    [Fact]
    public void Names_are_unique() =>
        Assert.Equal(ScenarioCatalog.All.Count, ScenarioCatalog.All.DistinctBy(scenario => scenario.Name).Count());

    [Theory]
    [InlineData(0)]
    [InlineData(1_234_567_890)]
    public void The_payload_of_a_signal_is_256_bytes_of_JSON_with_the_correlation(int operation)
    {
        var json = CorrelatedPayload.WriteJson(operation);

        Assert.Equal(256, json.Length);
        using var document = JsonDocument.Parse(json);
        Assert.Equal(operation.ToString("D10", CultureInfo.InvariantCulture), document.RootElement.GetProperty("correlation").GetString());
    }

    [Fact]
    public void Asking_a_serial_scenario_for_more_callers_makes_the_load_closed()
    {
        var parameters = ScenarioCatalog.Find("signal-roundtrip-latency-serial")!.Parameters;

        var applied = new RunOptions { Concurrency = 4 }.Apply(parameters, repeat: 2);

        Assert.Equal((LoadModel.Closed, 4, 2), (applied.Load, applied.Concurrency, applied.Repeat));
    }
}
