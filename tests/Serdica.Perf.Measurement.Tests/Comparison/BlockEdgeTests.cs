using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Results.Runs;

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
                            CostPerOperation = new Dictionary<string, MetricValue> { [MetricNames.WalBytes] = MetricValue.Of(7, "bytes") },
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
        Assert.StartsWith($"Repeat 1 of the {side} was limited", metrics[0].Reason, StringComparison.Ordinal);
        Assert.NotEqual(Verdict.GeneratorLimited, metrics.Single(metric => metric.Metric == "cost.writingCommits").Verdict);
    }

    [Fact]
    public void Other_settings_of_one_database_or_another_definition_make_the_sides_unlike()
    {
        var durability = OnCandidate(run =>
            run with
            {
                Result = run.Result with { Databases = [SampleRun.Database with { Durability = Durability.LossOnCrash }] },
            }
        );
        var definition = OnCandidate(run => Changed(run, scenario => scenario with { DefinitionHash = "d2" }));
        var machine = OnCandidate(run =>
            run with
            {
                Result = run.Result with
                {
                    Environment = SampleRun.Environment with { Machine = SampleRun.Environment.Machine with { LogicalCores = 4 } },
                },
            }
        );

        Assert.Equal(["database durability: durable against lossOnCrash"], Compare(durability).Scenarios[0].Unlike);
        Assert.Empty(Compare(durability).Scenarios[0].Varied);
        Assert.Equal(["definition hash: d1 against d2"], Compare(definition).Scenarios[0].Unlike);
        Assert.Equal(["machine logicalCores: 2 against 4"], Compare(machine).Unlike);
        Assert.Equal(Verdict.Regressed, Compare(machine).Scenarios[0].Metrics[0].Verdict);
    }

    [Fact]
    public void Percentile_of_too_few_operations_has_figures_and_is_inconclusive()
    {
        var few = WithOne(
            "candidate",
            run => Changed(run, scenario => scenario with { ResponseTime = scenario.ResponseTime with { Count = 99 } })
        );

        var p99 = Compare(few).Scenarios[0].Metrics.Single(metric => metric.Metric == "p99");

        Assert.Equal(Verdict.Unstable, p99.Verdict);
        Assert.StartsWith("A repeat has fewer than 100 operations", p99.Reason, StringComparison.Ordinal);
        Assert.NotNull(p99.Ratio);
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
        Assert.Contains("the same code is known to differ by 50 %", comparison.Scenarios[0].Metrics[0].Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_scenario_of_the_blocks_is_compared_once()
    {
        var two = Blocks
            .Select(block =>
                block with
                {
                    Runs =
                    [
                        .. block.Runs.Select(run =>
                            run with
                            {
                                Result = run.Result with
                                {
                                    Scenarios =
                                    [
                                        .. run.Result.Scenarios,
                                        run.Result.Scenarios[0] with
                                        {
                                            Name = "postgresql-second",
                                            Scenario = "second",
                                            DurationMs = run.Side == AbSide.Candidate ? 1_000 : 2_000,
                                        },
                                    ],
                                },
                            }
                        ),
                    ],
                }
            )
            .ToArray();

        var comparison = Compare(two);

        Assert.Equal([SimulatedRuns.Name, "postgresql-second"], comparison.Scenarios.Select(scenario => scenario.Name));
        Assert.Equal(2, comparison.Scenarios[1].Metrics[0].Ratio!.Value, 1e-9);
        Assert.Equal(0.8, comparison.Scenarios[0].Metrics[0].Ratio!.Value, 0.05);
    }

    private static RunComparison Compare(IReadOnlyList<AbBlock> blocks) =>
        BlockComparer.Compare("base", "candidate", blocks, ComparisonSettings.Default);

    private static AbBlock[] OnCandidate(Func<AbRun, AbRun> change) =>
        [.. Blocks.Select(block => block with { Runs = [.. block.Runs.Select(run => run.Side == AbSide.Candidate ? change(run) : run)] })];

    /// <summary>The first run of a side in the second block is another one.</summary>
    private static AbBlock[] WithOne(string side, Func<AbRun, AbRun> change)
    {
        var place = Blocks[1].Runs.Index().First(run => $"{run.Item.Side}".ToLowerInvariant() == side).Index;
        var runs = Blocks[1].Runs.Select((run, index) => index == place ? change(run) : run);
        return [Blocks[0], Blocks[1] with { Runs = [.. runs] }, .. Blocks.Skip(2)];
    }

    private static AbRun Changed(AbRun run, Func<ScenarioResult, ScenarioResult> change) =>
        run with
        {
            Result = run.Result with { Scenarios = [.. run.Result.Scenarios.Select(change)] },
        };
}
