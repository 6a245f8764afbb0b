using Serdica.Perf.Analysis.Reference;

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class ConstantCheckTests
{
    [Fact]
    public void The_catalogue_keeps_what_must_stay_constant_for_every_scenario_of_the_reference()
    {
        var reference = ReferenceBaseline.OracleAq;
        var scenarios = reference
            .Scenarios.Select(row =>
                ScenarioResults.Blank(ScenarioCatalog.Find(row.Scenario)!, "postgresql", ScenarioCatalog.Find(row.Scenario)!.Parameters)
            )
            .ToArray();

        var checks = ConstantCheck.Of(scenarios, reference);

        Assert.Equal(15, checks.Count);
        EachItem.Holds(checks, check => Assert.True(check.IsKept, string.Join(", ", check.Differences)));
        EachItem.Holds(checks, check => Assert.Equal(check.Reference!.Tier, check.Scenario.Tier));
    }

    [Fact]
    public void Other_numbers_are_named()
    {
        var scenario = ReferenceSizedRun.Measured(
            "signal-roundtrip-soak",
            "WorkflowPerfSoak",
            ScenarioFamilies.SignalRoundtrip,
            20_000,
            8,
            2,
            100
        );
        scenario = scenario with { Parameters = scenario.Parameters with { Engine = EngineSettings.Parse(["claim-batch=1"]) } };

        var check = Assert.Single(ConstantCheck.Of([scenario], ReferenceBaseline.OracleAq));

        Assert.False(check.IsKept);
        Assert.Equal(
            ["operations 20000 instead of 108", "workers 2 instead of 8", "claim-batch of the engine set to 1"],
            check.Differences
        );
    }

    [Theory]
    [InlineData("on", new string[0])]
    [InlineData("off", new[] { "direct of the engine set to off" })]
    public void The_way_of_the_signals_is_named_when_it_is_not_the_usual_one(string way, string[] differences)
    {
        var scenario = ScenarioCatalog.Find("signal-roundtrip-soak")!;
        var measured = ScenarioResults.Blank(
            scenario,
            "postgresql",
            scenario.Parameters with { Engine = EngineSettings.Parse([$"direct={way}"]) }
        );

        Assert.Equal(differences, Assert.Single(ConstantCheck.Of([measured], ReferenceBaseline.OracleAq)).Differences);
    }

    /// <summary>The reference shares no commits either, and its callers commit side by side.</summary>
    [Theory]
    [InlineData(true, new[] { "linger of the engine set to 1ms" })]
    [InlineData(false, new[] { "submit-concurrency of the engine set to 16", "linger of the engine set to 1ms" })]
    public void A_transaction_for_each_item_is_no_difference_and_other_settings_are(bool isOneByOne, string[] differences)
    {
        var scenario = ScenarioCatalog.Find("immediate-burst-smoke")!;
        var engine = EngineSettings.WithWay(EngineSettings.Parse(["submit-concurrency=16", "linger=1ms"]), isDirect: null, isOneByOne);
        var measured = ScenarioResults.Blank(scenario, "postgresql", scenario.Parameters with { Engine = engine });

        Assert.Equal(differences, Assert.Single(ConstantCheck.Of([measured], ReferenceBaseline.OracleAq)).Differences);
    }

    [Fact]
    public void A_definition_that_differs_between_backends_is_named()
    {
        var scenario = ReferenceSizedRun.Measured(
            "signal-roundtrip-soak",
            "WorkflowPerfSoak",
            ScenarioFamilies.SignalRoundtrip,
            108,
            8,
            8,
            100
        );
        var other = scenario with { Name = "mongodb-signal-roundtrip-soak", Backend = "mongodb", DefinitionHash = "d2" };

        EachItem.Holds(
            ConstantCheck.Of([scenario, other], ReferenceBaseline.OracleAq),
            check => Assert.Contains("definitions differ", Assert.Single(check.Differences))
        );
    }

    [Fact]
    public void A_scenario_that_the_reference_lacks_is_neither_kept_nor_different()
    {
        var scenario = ReferenceSizedRun.Measured("large-state", "WorkflowPerfNightly", ScenarioFamilies.SignalRoundtrip, 10, 1, 8, 100);

        var check = Assert.Single(ConstantCheck.Of([scenario], ReferenceBaseline.OracleAq));

        Assert.Null(check.Reference);
        Assert.False(check.IsKept);
        Assert.Empty(check.Differences);
    }
}
