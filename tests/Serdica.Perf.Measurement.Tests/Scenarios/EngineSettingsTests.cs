using Serdica.Perf.Measurement.LoadTests.Profiles;

namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class EngineSettingsTests
{
    public static TheoryData<string> Names => [.. EngineSettings.All.Select(setting => setting.Name)];

    [Fact]
    public void What_was_asked_for_is_what_the_engine_gets()
    {
        var settings = EngineSettings.Parse([
            "claim-batch=64",
            "linger=2ms",
            "submit-batch=100",
            "submit-concurrency=3",
            "max-pending=50",
            "max-poll=0.2s",
            "max-activities=7",
            "direct=off",
        ]);

        var options = EngineSettings.Options(workers: 5, settings);

        Assert.Equal(
            new WorkflowOptions
            {
                Workers = 5,
                ClaimBatch = 64,
                Linger = FromMilliseconds(2),
                SubmitBatch = 100,
                SubmitConcurrency = 3,
                MaxPendingSubmissions = 50,
                MaxPollInterval = FromMilliseconds(200),
                MaxActivities = 7,
                DirectSignals = false,
            },
            options
        );
        Assert.Equal("200ms", settings["max-poll"]);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_value_that_was_read_can_be_written(string name)
    {
        var setting = EngineSettings.All.Single(setting => setting.Name == name);

        Assert.Equal(new WorkflowOptions(), setting.Write(new(), setting.Read(new())));
    }

    [Theory]
    [InlineData("claim-batch=0", "The engine's setting claim-batch is '0'; it must be a whole number from 1 to 1,000,000.")]
    [InlineData("claim-batch=1.5", "The engine's setting claim-batch is '1.5'; it must be a whole number from 1 to 1,000,000.")]
    [InlineData("linger=2", "The engine's setting linger is '2'; it must be a number followed by ms, s, m or h, for instance 20ms.")]
    [InlineData(
        "max-poll=0s",
        "The engine's setting max-poll is '0s'; it must be a number followed by ms, s, m or h, 10ms at least, for instance 20ms."
    )]
    [InlineData("direct=yes", "The engine's setting direct is 'yes'; it must be on or off.")]
    [InlineData("linger", "The engine's setting linger has no value; it must be a number followed by ms, s, m or h, for instance 20ms.")]
    [InlineData(
        "frob=1",
        "The engine has no setting 'frob' that a run may change; the settings are claim-batch, linger, submit-batch, submit-concurrency, "
            + "max-pending, max-poll, max-activities, direct."
    )]
    public void A_mistake_is_told_with_what_would_be_right(string text, string sentence) =>
        Assert.Equal(sentence, Mistake(() => EngineSettings.Parse([text])));

    [Fact]
    public void A_setting_that_is_said_twice_is_refused() =>
        Assert.Equal(
            "The engine's setting linger is given twice; give it once.",
            Mistake(() => EngineSettings.Parse(["linger=1ms", "linger=2ms"]))
        );

    [Fact]
    public void A_setting_without_a_value_in_a_profile_is_refused() =>
        Assert.Contains(
            "linger has no value",
            Assert
                .Throws<LoadProfileException>(() => LoadProfileReader.Parse("{ engine: { linger: }, steps: [{ rate: 1 }] }", "p"))
                .Message
        );

    [Fact]
    public void A_scenarios_own_setting_stays_where_nothing_else_is_asked_for()
    {
        var own = ScenarioCatalog.Find("signal-roundtrip-throughput-parallel")!.Parameters with
        {
            Engine = EngineSettings.Parse(["linger=1ms", "claim-batch=8"]),
        };

        var applied = new RunOptions { Engine = EngineSettings.Parse(["claim-batch=9"]) }.Apply(own, repeat: 1);

        Assert.Equal(new Dictionary<string, string> { ["claim-batch"] = "9", ["linger"] = "1ms" }, applied.Engine);
    }

    [Fact]
    public void Those_of_the_command_line_go_before_those_of_a_profile()
    {
        var profile = LoadProfileReader.Parse("{ engine: { claim-batch: 8, linger: 1ms }, steps: [{ rate: 1 }] }", "p");

        Assert.Equal(
            new Dictionary<string, string> { ["claim-batch"] = "9", ["linger"] = "1ms" },
            EngineSettings.Merged(profile.Engine, EngineSettings.Parse(["claim-batch=9"]))
        );
        Assert.Equal(
            "Profile 'p': The engine's setting linger is '1'; it must be a number followed by ms, s, m or h, for instance 20ms.",
            Assert
                .Throws<LoadProfileException>(() => LoadProfileReader.Parse("{ engine: { linger: 1 }, steps: [{ rate: 1 }] }", "p"))
                .Message
        );
    }

    [Theory]
    [InlineData(null, 3, 3)]
    [InlineData(null, null, int.MaxValue)]
    [InlineData("large-state", 3, 3)]
    [InlineData("large-state", null, 64)]
    public async Task Slots_bound_the_activities_of_shaped_work_and_of_scenarios(string? workflow, int? slots, int expected)
    {
        var profile = new LoadProfile { Name = "test", Steps = [], Slots = slots };
        var work = workflow is null ? LoadWork.Of(profile) : LoadWork.Of(profile, ScenarioCatalog.Find(workflow)!);

        await using var workload = LoadWork.HostOf(work.Create(new TestStore(new InMemoryWorkflowBackend())), profile);

        Assert.Equal(expected, workload.OptionsToShare.MaxActivities);
    }

    [Fact]
    public void The_way_of_the_signals_is_recorded_where_there_are_two_and_runs_of_different_ways_are_unlike()
    {
        var scenario = ScenarioCatalog.Find("signal-roundtrip-throughput-parallel")!;
        ScenarioResult Way(bool? isDirect) =>
            ScenarioResults.Blank(
                scenario,
                "postgresql",
                scenario.Parameters with { Engine = EngineSettings.WithWay(scenario.Parameters.Engine, isDirect) }
            );

        Assert.Empty(Way(null).Parameters.Engine);
        Assert.Empty(Likeness.ParameterDifferences(Way(true), Way(true)));
        Assert.Equal(["engine.direct: off against on"], Likeness.ParameterDifferences(Way(false), Way(true)));
        Assert.Equal(["engine.direct: none against on"], Likeness.ParameterDifferences(Way(null), Way(true)));
    }
}
