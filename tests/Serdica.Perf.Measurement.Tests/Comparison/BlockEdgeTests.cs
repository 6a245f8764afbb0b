namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>What blocks say when a run lacks a figure, differs in more than it should, or has too few operations.</summary>
public sealed class BlockEdgeTests
{
    private const string Scenario = "signal-roundtrip-throughput-parallel";

    private static readonly IReadOnlyList<AbBlock> Blocks = SimulatedBlocks.Of(new(3), 4, 0.02, slowerBy: 0.25);

    [Fact]
    public void Ratio_of_a_block_is_that_of_the_geometric_means_of_its_sides()
    {
        AbRunFigures Of(AbSide side, IReadOnlyDictionary<string, double> figures) =>
            new(side, "run", new Dictionary<string, IReadOnlyDictionary<string, double>> { [Scenario] = figures });
        AbRunFigures Run(AbSide side, double value) => Of(side, new Dictionary<string, double> { ["p99"] = value });
        AbRunFigures Without(AbSide side) => Of(side, new Dictionary<string, double>());
        var result = new AbResult
        {
            StartedAt = DateTimeOffset.UnixEpoch,
            FinishedAt = DateTimeOffset.UnixEpoch,
            Command = "ab",
            Comparison = Compare(Blocks),
            Blocks =
            [
                new(1, [Run(AbSide.Base, 2), Run(AbSide.Candidate, 3), Run(AbSide.Candidate, 12), Run(AbSide.Base, 8)]),
                new(2, [Run(AbSide.Base, 2), Run(AbSide.Candidate, 3), Without(AbSide.Candidate), Run(AbSide.Base, 8)]),
                new(3, [Run(AbSide.Candidate, 1), Run(AbSide.Base, 4)]),
            ],
        };

        Assert.Equal((1, 1), (result.SchemaVersion, result.Comparison.SchemaVersion));
        Assert.Equal([1.5, null, 0.25], result.Ratios(Scenario, "p99"), Near);
        Assert.Equal([null, null, null], result.Ratios(Scenario, "p50"));
        Assert.Equal([null, null, null], result.Ratios("another", "p99"));

        static bool Near(double? left, double? right) => left == right || Math.Abs((left - right) ?? 1) < 1e-9;
    }

    [Fact]
    public void Figures_of_a_block_are_those_that_each_run_has()
    {
        var block = Blocks[0] with
        {
            Runs =
            [
                Changed(
                    Blocks[0].Runs[0],
                    scenario =>
                        scenario with
                        {
                            Drain = null,
                            CostPerOperation = new Metrics { [MetricNames.WalBytes] = MetricValue.Of(7, "bytes") },
                        }
                ),
                .. Blocks[0].Runs.Skip(1),
            ],
        };

        var figures = AbBlockFigures.Of(block);

        Assert.Equal((1, AbSide.Base, "runs/1"), (figures.Number, figures.Runs[0].Side, figures.Runs[0].Folder));
        Assert.Equal(7, figures.Runs[0].Figures[Scenario]["cost.walBytes"]);
        Assert.DoesNotContain("drain", figures.Runs[0].Figures[Scenario].Keys);
        Assert.Contains("drain", figures.Runs[1].Figures[Scenario].Keys);
    }

    [Theory]
    [InlineData("base")]
    [InlineData("candidate")]
    public void Figure_that_one_run_of_either_side_lacks_is_not_measured(string side)
    {
        var lacking = WithOne(side, run => Changed(run, scenario => scenario with { Drain = null }));

        Assert.Equal(
            (Verdict.NotMeasured, "Not every run has drain."),
            Compare(lacking).Scenarios[0].Metrics.Where(metric => metric.Metric == "drain").Select(m => (m.Verdict, m.Reason)).Single()
        );
    }

    [Theory]
    [InlineData("base")]
    [InlineData("candidate")]
    public void Times_are_withdrawn_for_a_generator_that_limited_either_side_and_costs_are_not(string side)
    {
        var limited = WithOne(side, run => run with { Result = OpenLoads.Late(run.Result, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30) });

        var metrics = Compare(limited).Scenarios[0].Metrics;

        Assert.Equal(Verdict.GeneratorLimited, metrics[0].Verdict);
        Assert.StartsWith($"Repeat 1 of the {side} was limited", metrics[0].Reason);
        Assert.NotEqual(Verdict.GeneratorLimited, metrics.Single(metric => metric.Metric == "cost.writingCommits").Verdict);
    }

    [Fact]
    public void Other_settings_of_one_database_or_another_definition_make_the_sides_unlike()
    {
        var durability = On("candidate", run =>
            run with { Result = run.Result with { Databases = [SampleRun.Database with { Durability = Durability.LossOnCrash }] } }
        );
        var definition = On("candidate", run => Changed(run, scenario => scenario with { DefinitionHash = "d2" }));
        var machine = On("candidate", run => run with { Result = SampleGate.Elsewhere(run.Result) });

        Assert.Equal(["database durability: durable against lossOnCrash"], Compare(durability).Scenarios[0].Unlike);
        Assert.Empty(Compare(durability).Scenarios[0].Varied);
        Assert.Equal(["definition hash: d1 against d2"], Compare(definition).Scenarios[0].Unlike);
        Assert.Equal(["machine logicalCores: 2 against 4"], Compare(machine).Unlike);
        Assert.Equal(Verdict.Regressed, Compare(machine).Scenarios[0].Metrics[0].Verdict);
    }

    [Theory]
    [InlineData("base")]
    [InlineData("candidate")]
    public void Debug_build_on_either_side_is_not_compared(string side)
    {
        var comparison = Compare(On(side, run => run with { Result = SampleGate.Debug(run.Result) }));

        Assert.All(comparison.Scenarios[0].Metrics, metric => Assert.Equal(Verdict.NotComparable, metric.Verdict));
        Assert.Equal($"Different conditions: {side}: debug-build.", comparison.Scenarios[0].Metrics[0].Reason);
    }

    [Fact]
    public void Percentile_of_too_few_operations_has_no_figures_and_is_inconclusive()
    {
        var few = WithOne(
            "candidate",
            run => Changed(run, scenario => scenario with { ResponseTime = scenario.ResponseTime with { Count = 99 } })
        );

        var p99 = Compare(few).Scenarios[0].Metrics.Single(metric => metric.Metric == "p99");

        Assert.Equal(Verdict.Unstable, p99.Verdict);
        Assert.Equal("A repeat has only 99 operations, which are too few.", p99.Reason);
        Assert.Equal((true, null, null), (p99.Before is not null, p99.After, p99.Ratio));
    }

    [Fact]
    public void Throughput_of_too_few_operations_has_no_ratio_in_any_block()
    {
        IReadOnlyList<AbBlock> few =
        [
            .. Blocks.Select(block =>
                block with
                {
                    Runs =
                    [
                        .. block.Runs.Select(run =>
                            Changed(run, scenario => scenario with { Counts = scenario.Counts with { Completed = 24 } })
                        ),
                    ],
                }
            ),
        ];
        var result = new AbResult
        {
            StartedAt = DateTimeOffset.UnixEpoch,
            FinishedAt = DateTimeOffset.UnixEpoch,
            Command = "ab",
            Comparison = Compare(few),
            Blocks = [.. few.Select(AbBlockFigures.Of)],
        };

        Assert.Equal(ComparisonText.CorrectnessOnly, ComparisonText.OnlyCorrectness(result.Comparison));
        Assert.Null(ComparisonText.OnlyCorrectness(Compare(Blocks)));
        Assert.Equal([null, null, null, null], result.Ratios(Scenario, "throughput"));
        Assert.DoesNotContain(null, result.Ratios(Scenario, "p99"));
    }

    [Fact]
    public void Set_noise_floor_holds_for_blocks_too()
    {
        var settings = ComparisonSettings.Default with
        {
            Metrics = new Dictionary<string, MetricSettings> { ["throughput"] = new() { NoiseFloor = 0.5 } },
        };
        var comparison = BlockComparer.Compare("base", "candidate", Blocks, settings);

        Assert.Equal(Verdict.Regressed, Compare(Blocks).Scenarios[0].Metrics[0].Verdict);
        Assert.Equal(Verdict.Unstable, comparison.Scenarios[0].Metrics[0].Verdict);
        Assert.Contains("the same code is known to differ by 50 %", comparison.Scenarios[0].Metrics[0].Reason);
    }

    [Fact]
    public void Every_scenario_of_the_blocks_is_compared_once()
    {
        var comparison = Compare(WithSecond(_ => true));

        Assert.Equal([SimulatedRuns.Name, "postgresql-second"], comparison.Scenarios.Select(scenario => scenario.Name));
        Assert.Equal(2, comparison.Scenarios[1].Metrics[0].Ratio!.Value, 1e-9);
        Assert.Equal(0.8, comparison.Scenarios[0].Metrics[0].Ratio!.Value, 0.05);
    }

    [Fact]
    public void Scenario_that_the_candidate_lacks_is_a_breach()
    {
        var blocks = WithSecond(run => run.Side == AbSide.Base);

        var (second, breach) = SecondOf(blocks);

        Assert.Equal("The candidate has no postgresql-second.", second.Lacking);
        Assert.Equal(
            [(Verdict.NotMeasured, "The candidate has no postgresql-second.")],
            second.Metrics.Select(metric => (metric.Verdict, metric.Reason))
        );
        Assert.Equal(
            ("postgresql-second", Gate.VerificationMetric, "postgresql-second: The candidate has no postgresql-second."),
            (breach?.Scenario, breach?.Metric, breach?.Sentence)
        );
    }

    [Fact]
    public void Scenario_that_some_runs_of_the_candidate_lack_is_a_breach()
    {
        var (second, breach) = SecondOf(WithSecond(run => run.Folder != "runs/2" || run.Side == AbSide.Base));

        Assert.Equal("2 of 8 runs of the candidate have no postgresql-second.", second.Lacking);
        Assert.Equal(Verdict.NotMeasured, Assert.Single(second.Metrics).Verdict);
        Assert.Equal(Gate.VerificationMetric, breach?.Metric);
    }

    [Fact]
    public void Scenario_that_some_runs_of_the_base_lack_is_not_judged_and_no_breach_of_the_candidate()
    {
        var (second, breach) = SecondOf(WithSecond(run => run.Folder != "runs/1" || run.Side == AbSide.Candidate));

        Assert.Null(second.Lacking);
        Assert.Equal("2 of 8 runs of the base have no postgresql-second.", Assert.Single(second.Metrics).Reason);
        Assert.Null(breach);
    }

    /// <summary>Such a scenario has no entry of the metric that the limit names.</summary>
    [Theory]
    [InlineData("p50")]
    [InlineData("p*")]
    [InlineData("throughput")]
    public void Gate_does_not_hold_for_a_scenario_that_some_runs_of_the_base_lack_whatever_it_limits(string metric)
    {
        var blocks = WithSecond(run => run.Folder != "runs/1" || run.Side == AbSide.Candidate);
        var gate = SampleGate.Limit(metric, 0.5);

        var result = Gate.Judge(gate, Compare(blocks), BlockComparer.Runs(blocks, AbSide.Candidate)[0], new(2026, 11, 21));

        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        Assert.Equal(["postgresql-second"], result.SpeedNotJudged);
        Assert.Contains("2 of 8 runs of the base have no postgresql-second", result.SpeedBecause);
    }

    [Fact]
    public void Run_of_the_candidate_that_failed_is_a_breach()
    {
        var failed = WithOne(
            "candidate",
            run => Changed(run, scenario => scenario with { Status = ScenarioStatus.Failed, FailureReasons = ["Two signals were left."] })
        );

        Assert.Equal("1 of 8 repeats of the candidate did not pass: Two signals were left.", Compare(failed).Scenarios[0].Lacking);
    }

    [Fact]
    public void Scenario_of_two_backends_that_the_candidate_lacks_has_the_name_that_they_would_share()
    {
        var blocks = SimulatedBlocks.On(
            WithSecond(run => run.Side == AbSide.Base),
            AbSide.Candidate,
            run => Changed(run, scenario => scenario with { Backend = "in-memory", Name = $"in-memory-{scenario.Scenario}" })
        );

        Assert.Equal([Scenario, "second"], Compare(blocks).Scenarios.Select(scenario => scenario.Name));
    }

    [Fact]
    public void Deadlock_in_one_run_of_the_candidate_is_a_regression_where_the_base_had_none()
    {
        static AbRun With(AbRun run, double deadlocks) =>
            Changed(
                run,
                scenario =>
                    scenario with
                    {
                        CostPerOperation = new Metrics(scenario.CostPerOperation)
                        {
                            ["deadlocks"] = MetricValue.Of(deadlocks),
                        },
                    }
            );
        AbBlock[] blocks = [.. Blocks.Select(block => block with { Runs = [.. block.Runs.Select(run => With(run, 0))] })];
        var runs = blocks[2].Runs.ToArray();
        var place = Array.FindIndex(runs, run => run.Side == AbSide.Candidate);
        runs[place] = With(runs[place], 1);
        blocks[2] = blocks[2] with { Runs = runs };

        var deadlocks = Compare(blocks).Scenarios[0].Metrics.Single(metric => metric.Metric == "cost.deadlocks");

        Assert.Equal(Verdict.Regressed, deadlocks.Verdict);
        Assert.Contains("is above 0 in 1 of 8 of the candidate", deadlocks.Reason);
    }

    private static RunComparison Compare(IReadOnlyList<AbBlock> blocks) =>
        BlockComparer.Compare("base", "candidate", blocks, ComparisonSettings.Default);

    /// <summary>The second scenario of these blocks, and its breach of a limit on throughput.</summary>
    private static (ScenarioComparison Second, GateBreach? Breach) SecondOf(IReadOnlyList<AbBlock> blocks)
    {
        var comparison = Compare(blocks);
        var gate = SampleGate.Limit("throughput", 0.5);
        var candidate = BlockComparer.Runs(blocks, AbSide.Candidate)[0];
        var result = Gate.Judge(gate, comparison, candidate, new(2026, 11, 21));
        return (comparison.Scenarios[1], result.Breaches.SingleOrDefault());
    }

    /// <summary>Blocks whose runs have a second scenario, which the candidate does in half the time.</summary>
    private static AbBlock[] WithSecond(Func<AbRun, bool> has) =>
        [.. Blocks.Select(block => block with { Runs = [.. block.Runs.Select(run => has(run) ? WithSecond(run) : run)] })];

    private static AbRun WithSecond(AbRun run)
    {
        var second = run.Result.Scenarios[0] with
        {
            Name = "postgresql-second",
            Scenario = "second",
            DurationMs = run.Side == AbSide.Candidate ? 1_000 : 2_000,
        };
        return run with { Result = run.Result with { Scenarios = [.. run.Result.Scenarios, second] } };
    }

    private static AbBlock[] On(string side, Func<AbRun, AbRun> change) =>
        SimulatedBlocks.On(Blocks, side == "base" ? AbSide.Base : AbSide.Candidate, change);

    /// <summary>The first run of a side in the second block is another one.</summary>
    private static AbBlock[] WithOne(string side, Func<AbRun, AbRun> change)
    {
        var place = Blocks[1].Runs.Index().First(run => $"{run.Item.Side}".ToLowerInvariant() == side).Index;
        var runs = Blocks[1].Runs.Select((run, index) => index == place ? change(run) : run);
        return [Blocks[0], Blocks[1] with { Runs = [.. runs] }, .. Blocks.Skip(2)];
    }

    private static AbRun Changed(AbRun run, Func<ScenarioResult, ScenarioResult> change) =>
        run with { Result = SampleGate.Each(run.Result, change) };
}
