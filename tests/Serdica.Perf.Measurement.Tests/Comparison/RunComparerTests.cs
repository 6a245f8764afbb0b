namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class RunComparerTests
{
    private static readonly ComparisonSettings Known = SimulatedRuns.Steady(ComparisonSettings.Default);
    private static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_020);

    [Theory]
    [InlineData(0.8, nameof(Verdict.Regressed))]
    [InlineData(1.2, nameof(Verdict.Improved))]
    [InlineData(1.0, nameof(Verdict.Same))]
    [InlineData(0.98, nameof(Verdict.Same))]
    public void A_change_counts_when_it_is_more_than_chance_noise_and_the_minimum(double factor, string expected)
    {
        var throughput = Throughput(Compare(Scaled(factor)));

        Assert.Equal(expected, throughput.Verdict.ToString());
        Assert.Equal(factor, throughput.Ratio!.Value, 1e-9);
        Assert.InRange(factor, throughput.Low!.Value, throughput.High!.Value);
    }

    [Fact]
    public void Less_throughput_is_worse_and_less_latency_is_better()
    {
        var metrics = Compare(Scaled(1.2)).Scenarios[0].Metrics;

        Assert.Equal(Verdict.Improved, metrics.Single(metric => metric.Metric == "p99").Verdict);
        Assert.True(metrics.Single(metric => metric.Metric == "p99").Ratio < 1);
        Assert.Equal(-0.2, Throughput(Compare(Scaled(1.2))).WorseBy!.Value, 1e-9);
    }

    [Theory]
    [InlineData(0.0001, 0.01)]
    [InlineData(0.0099, 0.01)]
    [InlineData(0.011, 0.011)]
    public void A_latency_below_ten_microseconds_counts_as_ten_microseconds(double measured, double compared)
    {
        var candidate = SampleGate.Each(Base, repeat => repeat with { ResponseTime = repeat.ResponseTime with { P50Ms = measured } });

        var p50 = Compare(candidate).Scenarios[0].Metrics.Single(metric => metric.Metric == "p50");

        Assert.Equal(compared, p50.After!.Value, 1e-9);
        Assert.Equal(compared / p50.Before!.Value, p50.Ratio!.Value, 1e-9);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void Few_repeats_are_unstable_even_when_they_are_equal(int repeats)
    {
        var few = SimulatedRuns.OfThroughputs([.. Repeat(10_000.0, repeats)]);

        var throughput = Throughput(RunComparer.Compare(few, few, Known));

        Assert.Equal(Verdict.Unstable, throughput.Verdict);
        Assert.Contains($"{repeats} and {repeats} repeats cannot separate", throughput.Reason);
    }

    [Fact]
    public void Repeats_of_one_run_are_not_taken_for_runs()
    {
        // Two hundred repeats, whose spread of a tenth would make a change of 15 % certain if each were a run.
        var random = new Random(9);
        var (before, after) = (SimulatedRuns.Run(random, 200, 0.1), SimulatedRuns.Run(random, 200, 0.1, slowerBy: 0.15));

        var unknown = RunComparer.Compare(before, after, ComparisonSettings.Default);
        var known = RunComparer.Compare(before, after, Known);

        Assert.Equal(Verdict.Unstable, Throughput(unknown).Verdict);
        Assert.Equal((0.06, 0), (Throughput(unknown).BetweenRuns!.Deviation, Throughput(unknown).BetweenRuns!.Runs));
        Assert.StartsWith("Noise between runs: not known of ", ComparisonText.BetweenRuns(unknown));
        Assert.Contains("Two single runs differ by more than their repeats show", Throughput(unknown).Reason);
        Assert.Equal(Verdict.Regressed, Throughput(known).Verdict);
        Assert.Contains("between runs 0.5 % from 40 runs", ComparisonText.Evidence(Throughput(known)));
    }

    [Fact]
    public void A_change_below_the_noise_of_the_repeats_is_unstable()
    {
        var noisy = SimulatedRuns.OfThroughputs(8_000, 9_000, 10_000, 11_000, 12_000);

        var throughput = Throughput(RunComparer.Compare(noisy, SimulatedRuns.OfThroughputs(6_500, 6_900, 7_300, 7_700, 7_900), Known));

        Assert.Equal(Verdict.Unstable, throughput.Verdict);
        Assert.Contains("It may be chance", throughput.Reason);
    }

    [Fact]
    public void A_known_noise_floor_and_a_minimum_of_the_metric_are_kept()
    {
        ComparisonSettings Of(MetricSettings metric) =>
            Known with { Metrics = new Dictionary<string, MetricSettings> { [ComparedMetric.Throughput] = metric } };

        Assert.Equal(Verdict.Unstable, Throughput(RunComparer.Compare(Base, Scaled(0.8), Of(new() { NoiseFloor = 0.3 }))).Verdict);
        Assert.Equal(Verdict.Same, Throughput(RunComparer.Compare(Base, Scaled(0.8), Of(new() { MinimumEffect = 0.25 }))).Verdict);
    }

    [Fact]
    public void A_figure_of_too_few_operations_is_not_shown()
    {
        var small = SampleGate.Each(
            Base,
            scenario =>
                scenario with
                {
                    Counts = scenario.Counts with { Completed = 50 },
                    ResponseTime = scenario.ResponseTime with { Count = 50 },
                }
        );

        var comparison = RunComparer.Compare(small, small, Known);
        var metrics = comparison.Scenarios[0].Metrics;

        EachItem.Holds(
            metrics.Where(metric => metric.Metric is "throughput" or "p99"),
            metric =>
                Assert.Equal(
                    (Verdict.Unstable, "A repeat has only 50 operations, which are too few.", null, null, null, "–"),
                    (metric.Verdict, metric.Reason, metric.Before, metric.After, metric.Ratio, ComparisonText.Change(metric))
                )
        );
        Assert.Equal(Verdict.Same, metrics.Single(metric => metric.Metric == "p95").Verdict);
        Assert.Equal(ComparisonText.CorrectnessOnly, ComparisonText.OnlyCorrectness(comparison));
        Assert.Null(ComparisonText.OnlyCorrectness(RunComparer.Compare(Base, Base, Known)));
    }

    [Fact]
    public void Unlike_machines_are_not_comparable_unless_allowed()
    {
        var other = Base with { Environment = Base.Environment with { Machine = Base.Environment.Machine with { LogicalCores = 4 } } };

        EachItem.Holds(
            RunComparer.Compare(Base, other, Known).Scenarios[0].Metrics.Where(metric => metric.Before is not null),
            metric =>
                Assert.Equal(
                    (Verdict.NotComparable, "Different conditions: machine logicalCores: 2 against 4."),
                    (metric.Verdict, metric.Reason)
                )
        );
        Assert.Equal(Verdict.Same, Throughput(RunComparer.Compare(Base, other, Known, allowUnlike: true)).Verdict);
    }

    public static TheoryData<string, string> UnlikeRuns =>
        new()
        {
            { "durability", "database durability: durable against lossOnCrash" },
            { "version", "database version: 15.14 against 16.1" },
            { "setting", "database settings.fsync: on against off" },
            { "definition", "definition hash: d1 against d2" },
            { "operations", "operations: 16 against 17" },
            { "concurrency", "concurrency: 1 against 2" },
            { "workers", "workers: 8 against 9" },
            { "load", "load: wave against closed" },
            { "engine", "engine.linger: none against 2ms" },
            { "option", "options.delay: none against 2s" },
            { "debug", "candidate: debug-build" },
        };

    [Theory]
    [MemberData(nameof(UnlikeRuns))]
    public void What_decides_the_figures_must_be_alike(string what, string phrase)
    {
        RunResult WithDatabase(DatabaseDescription database) => Base with { Databases = [database] };
        RunResult WithParameters(Func<ScenarioParameters, ScenarioParameters> change) =>
            SampleGate.Each(Base, scenario => scenario with { Parameters = change(scenario.Parameters) });
        var other = what switch
        {
            "durability" => WithDatabase(SampleRun.Database with { Durability = Durability.LossOnCrash }),
            "version" => WithDatabase(SampleRun.Database with { Version = "16.1" }),
            "setting" => WithDatabase(
                SampleRun.Database with { Settings = new Dictionary<string, string> { ["fsync"] = "off", ["synchronous_commit"] = "on" } }
            ),
            "definition" => SampleGate.Each(Base, scenario => scenario with { DefinitionHash = "d2" }),
            "operations" => WithParameters(parameters => parameters with { Operations = 17 }),
            "concurrency" => WithParameters(parameters => parameters with { Concurrency = 2 }),
            "workers" => WithParameters(parameters => parameters with { Workers = 9 }),
            "load" => WithParameters(parameters => parameters with { Load = LoadModel.Closed }),
            "engine" => WithParameters(parameters =>
                parameters with
                {
                    Engine = new Dictionary<string, string> { ["linger"] = "2ms" },
                    Options = new Dictionary<string, string> { ["linger"] = "1s" },
                }
            ),
            "option" => WithParameters(parameters => parameters with { Options = new Dictionary<string, string> { ["delay"] = "2s" } }),
            _ => Base with
            {
                Environment = Base.Environment with { Runtime = Base.Environment.Runtime with { EntryConfiguration = "Debug" } },
            },
        };

        Assert.Equal((true, false), (Likeness.AreLike(Base, Base), Likeness.AreLike(Base, other)));
        var scenario = RunComparer.Compare(Base, other, Known).Scenarios[0];

        Assert.Contains(phrase, scenario.Unlike);
        Assert.Equal(Verdict.NotComparable, scenario.Metrics[0].Verdict);
    }

    [Fact]
    public void How_the_server_was_reached_and_the_commit_may_differ()
    {
        var other = Base with
        {
            Databases = [SampleRun.Database with { Connection = "Host=elsewhere" }],
            Environment = Base.Environment with
            {
                Source = new() { Commit = "fedcba9876543210fedcba9876543210fedcba98" },
                LoadAverageAtStart = 2,
            },
        };

        Assert.Empty(RunComparer.Compare(Base, other, Known).Scenarios[0].Unlike);
    }

    [Fact]
    public void Times_of_a_limited_generator_are_not_judged_but_costs_are()
    {
        var limited = OpenLoads.Late(Base, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30);

        var metrics = RunComparer.Compare(OpenLoads.Late(Base, 0, 0, 0), limited, Known).Scenarios[0].Metrics;

        Assert.Equal(
            (
                Verdict.GeneratorLimited,
                "Repeat 1 of the candidate was limited by its load generator, whose own lag had a p99 of 40.0 ms (bound 10 ms)."
            ),
            (metrics[0].Verdict, metrics[0].Reason)
        );
        Assert.Equal(Verdict.Same, metrics.Single(metric => metric.Metric == "cost.writingCommits").Verdict);
    }

    [Fact]
    public void What_one_side_lacks_is_not_measured_with_the_reason()
    {
        var without = Base with { Scenarios = [], NotMeasured = [new("postgresql", "No server was found.")] };
        var failed = SampleGate.Each(Base, scenario => scenario with { Status = ScenarioStatus.Failed });

        Assert.Equal(
            (Verdict.NotMeasured, $"The candidate has no {SimulatedRuns.Name}: No server was found."),
            (Throughput(Compare(without)).Verdict, Throughput(Compare(without)).Reason)
        );
        Assert.Equal(Verdict.NotMeasured, Throughput(Compare(failed)).Verdict);
        Assert.Contains("did not pass", Throughput(Compare(failed)).Reason);
    }

    private static RunResult Scaled(double factor) =>
        SimulatedRuns.OfThroughputs([.. Base.Scenarios.Select(scenario => scenario.ThroughputPerSecond!.Value * factor)]);

    private static RunComparison Compare(RunResult candidate) => RunComparer.Compare(Base, candidate, Known);

    private static MetricComparison Throughput(RunComparison comparison) => comparison.Scenarios[0].Metrics[0];
}
