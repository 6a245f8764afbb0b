namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class BlockComparerTests
{
    [Fact]
    public void A_drift_that_is_far_larger_than_the_change_falls_out_of_the_ratio()
    {
        // Every run is a fifth slower than the one before, the candidate a tenth slower besides.
        var run = 0;
        AbBlock[] blocks =
        [
            .. Range(1, 8)
                .Select(number => new AbBlock(
                    number,
                    [
                        .. AbBlock
                            .Order(number)
                            .Select(side => new AbRun(
                                side,
                                "run",
                                SimulatedRuns.OfThroughputs(10_000 * Math.Pow(0.8, run++) * (side == AbSide.Candidate ? 0.9 : 1))
                            )),
                    ]
                )),
        ];

        var throughput = Compare(blocks).Scenarios[0].Metrics[0];

        Assert.Equal(0.9, throughput.Ratio!.Value, 9);
        Assert.Equal(Verdict.Regressed, throughput.Verdict);
        Assert.Equal((16, 16), (throughput.BeforeCount, throughput.AfterCount));
    }

    [Fact]
    public void Both_sides_are_as_often_first_as_last_and_once_in_each_half()
    {
        Assert.Equal([AbSide.Base, AbSide.Candidate, AbSide.Candidate, AbSide.Base], AbBlock.Order(1));
        Assert.Equal([AbSide.Candidate, AbSide.Base, AbSide.Base, AbSide.Candidate], AbBlock.Order(2));
        Assert.All(
            Range(1, 9).SelectMany(number => AbBlock.Order(number).Chunk(2)),
            half => Assert.Equal(2, half.Distinct().Count())
        );
    }

    [Fact]
    public void Two_backends_are_compared_by_the_name_that_they_share_and_what_differs_is_said()
    {
        var blocks = OnCandidate(InMemory);

        var scenario = Assert.Single(Compare(blocks).Scenarios);

        Assert.Equal("signal-roundtrip-throughput-parallel", scenario.Name);
        Assert.Contains(scenario.Varied, difference => difference.StartsWith("database product: PostgreSQL against"));
        Assert.Empty(scenario.Unlike);
    }

    [Fact]
    public void What_the_sides_were_told_to_differ_in_does_not_make_them_unlike()
    {
        var engine = new Dictionary<string, string> { ["linger"] = "2ms" };
        var blocks = OnCandidate(run =>
            SampleGate.Each(run, scenario => scenario with { Parameters = scenario.Parameters with { Engine = engine } })
        );

        var comparison = Compare(blocks);
        using var text = new StringWriter { NewLine = "\n" };
        ComparisonMarkdown.Write(text, comparison);

        Assert.Equal(["engine.linger: none against 2ms"], comparison.Scenarios[0].Varied);
        Assert.Contains("The sides differ on purpose: engine.linger: none against 2ms.", text.ToString());
        Assert.DoesNotContain("DIFFERENT CONDITIONS", text.ToString());
    }

    [Fact]
    public void A_figure_that_one_run_lacks_is_not_measured_and_the_others_are()
    {
        var blocks = SimulatedBlocks.Of(new(3), 4, 0.02).ToArray();
        var poorer = blocks[1].Runs[2].Result;
        poorer = poorer with { Scenarios = [poorer.Scenarios[0] with { CostPerOperation = new Metrics() }] };
        blocks[1] = blocks[1] with
        {
            Runs = [.. blocks[1].Runs.Index().Select(run => run.Index == 2 ? run.Item with { Result = poorer } : run.Item)],
        };

        var metrics = Compare(blocks).Scenarios[0].Metrics;

        Assert.Equal(
            (Verdict.NotMeasured, "Not every run has cost.walBytes."),
            metrics.Where(metric => metric.Metric == "cost.walBytes").Select(metric => (metric.Verdict, metric.Reason)).Single()
        );
        Assert.NotNull(metrics[0].Ratio);
    }

    [Fact]
    public void An_interval_of_blocks_that_are_nearly_all_alike_has_an_end()
    {
        double[] candidates = [10_000, 10_000.000001, 10_000.000002, 20_000];
        AbBlock[] blocks =
        [
            .. candidates.Select(
                (perSecond, index) =>
                    new AbBlock(
                        index + 1,
                        [
                            .. AbBlock
                                .Order(index + 1)
                                .Select(side => new AbRun(
                                    side,
                                    "run",
                                    SimulatedRuns.OfThroughputs(side == AbSide.Candidate ? perSecond : 10_000)
                                )),
                        ]
                    )
            ),
        ];

        var comparison = Compare(blocks);

        Assert.Equal(Verdict.Unstable, comparison.Scenarios[0].Metrics[0].Verdict);
        Assert.InRange(comparison.Scenarios[0].Metrics[0].High!.Value, 1.5, 4);
        Assert.NotEmpty(JsonSerializer.Serialize(comparison, MeasurementJson.Artifacts));
    }

    [Fact]
    public void Times_of_a_limited_generator_are_withdrawn()
    {
        var blocks = SimulatedBlocks.Of(new(3), 4, 0.02).ToArray();
        var limited = blocks[0].Runs[1] with
        {
            Result = OpenLoads.Late(blocks[0].Runs[1].Result, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30),
        };
        blocks[0] = blocks[0] with { Runs = [blocks[0].Runs[0], limited, .. blocks[0].Runs.Skip(2)] };

        Assert.Equal(Verdict.GeneratorLimited, Compare(blocks).Scenarios[0].Metrics[0].Verdict);
    }

    [Theory]
    [InlineData(1, 1.0)]
    [InlineData(4, 0.125)]
    [InlineData(8, 0.0078125)]
    public void Differences_of_one_sign_have_the_least_p(int count, double p)
    {
        double[] differences = [.. Range(1, count).Select(value => (double)value)];

        Assert.Equal(p, SignFlipTest.PValue(differences));
        Assert.Equal(p, SignFlipTest.PValue([.. differences.Select(value => -value)]));
    }

    [Fact]
    public void Drawn_signs_give_nearly_the_p_of_all_signs()
    {
        double[] differences = [0.5, -0.2, 0.3, 0.4, -0.1, 0.6, 0.2, -0.3, 0.1, 0.3, 0.2, -0.4, 0.5, 0.1, 0.2, -0.2];

        // A zero changes no sum, but takes the count above what is counted out.
        Assert.Equal(SignFlipTest.PValue(differences), SignFlipTest.PValue([.. differences, 0]), 0.01);
    }

    [Fact]
    public void The_page_has_verdicts_blocks_and_method()
    {
        var blocks = SimulatedBlocks.Of(new(11), 6, 0.02, slowerBy: 0.3);
        using var text = new StringWriter(CultureInfo.InvariantCulture);

        AbMarkdown.Write(
            text,
            new()
            {
                StartedAt = new(2026, 11, 21, 12, 0, 0, TimeSpan.Zero),
                FinishedAt = new(2026, 11, 21, 12, 9, 0, TimeSpan.Zero),
                Command = "serdica-perf ab --base commit:HEAD~1 --candidate commit:HEAD",
                Comparison = Compare(blocks),
                Blocks = [.. blocks.Select(AbBlockFigures.Of)],
            }
        );

        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/ab.md", text.ToString());
    }

    private static RunComparison Compare(IReadOnlyList<AbBlock> blocks) =>
        BlockComparer.Compare("commit:HEAD~1 (0123456789ab)", "commit:HEAD (ba9876543210)", blocks, ComparisonSettings.Default);

    private static AbBlock[] OnCandidate(Func<RunResult, RunResult> change) =>
        SimulatedBlocks.On(SimulatedBlocks.Of(new(3), 4, 0.02), AbSide.Candidate, run => run with { Result = change(run.Result) });

    private static RunResult InMemory(RunResult run) =>
        SampleGate.Each(run, scenario => scenario with { Backend = "in-memory", Name = $"in-memory-{scenario.Scenario}" }) with
        {
            Databases = [run.Databases[0] with { Backend = "in-memory", Product = "Memory of this process" }],
        };
}
