namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Which figures are compared, how each is read, and what is said of one without a ratio.</summary>
public sealed class ComparedFiguresTests
{
    private static readonly ComparisonSettings Known = SimulatedRuns.Steady(ComparisonSettings.Default);
    private static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_020);

    [Fact]
    public void Throughput_comes_first_then_latencies_phases_counts_and_costs()
    {
        var repeat = SimulatedRuns.Run(new(1), 1, 0.02).Scenarios[0];
        repeat = repeat with
        {
            Counts = repeat.Counts with { Failed = 2, DeadLettered = 1 },
            CostPerOperation = new Metrics
            {
                [MetricNames.WalBytes] = MetricValue.Of(700, "bytes"),
                [MetricNames.Commits] = MetricValue.Of(2),
                [MetricNames.MachineCpu] = MetricValue.Of(2, "ms"),
                [MetricNames.DatabaseCpu] = MetricValue.Missing("It is not there."),
            },
        };

        Assert.Equal(
            [
                "throughput",
                "p50",
                "p95",
                "p99",
                "max",
                "signalPublish.p50",
                "signalPublish.p99",
                "signalToCompletion.p50",
                "signalToCompletion.p99",
                "start.p50",
                "start.p99",
                "drain",
                "errors",
                "deadLetters",
                "cost.commits",
                "cost.walBytes",
            ],
            ComparedMetric.Of([repeat]).Select(metric => metric.Name)
        );
        Assert.Equal(
            ["throughput", "p50", "p99", "cost.walBytes"],
            ComparedMetric.Of([repeat]).Where(metric => metric.IsPrimary).Select(metric => metric.Name)
        );
        Assert.Equal(
            ["errors", "deadLetters", "cost.commits", "cost.walBytes"],
            ComparedMetric.Of([repeat]).Where(metric => !metric.IsTiming).Select(metric => metric.Name)
        );
    }

    [Theory]
    [InlineData(0, 5, 6, nameof(Verdict.NotMeasured), "1 of 6 repeats of the base have no cost.deadlocks: The window was too short.")]
    [InlineData(0, 6, 1, nameof(Verdict.NotMeasured), "5 of 6 repeats of the candidate have no cost.deadlocks: The window was too short.")]
    [InlineData(0, 6, 6, nameof(Verdict.Same), "It is 0 in every repeat of both sides.")]
    [InlineData(1, 6, 1, nameof(Verdict.Regressed), "is above 0 in 1 of 1 of the candidate.")]
    public void Count_that_is_missing_in_a_repeat_is_not_called_zero_in_all(
        double deadlocks,
        int withBefore,
        int withAfter,
        string verdict,
        string reason
    )
    {
        RunResult With(double value, int repeats) =>
            Base with
            {
                Scenarios =
                [
                    .. Base.Scenarios.Select(
                        (repeat, index) =>
                            repeat with
                            {
                                CostPerOperation = new Metrics
                                {
                                    ["deadlocks"] =
                                        index < repeats ? MetricValue.Of(value) : MetricValue.Missing("The window was too short."),
                                },
                            }
                    ),
                ],
            };

        var compared = RunComparer.Compare(With(0, withBefore), With(deadlocks, withAfter), Known);

        var metric = compared.Scenarios[0].Metrics.Single(metric => metric.Metric == "cost.deadlocks");
        Assert.Equal(verdict, metric.Verdict.ToString());
        Assert.EndsWith(reason, metric.Reason);
    }

    [Fact]
    public void Each_figure_is_read_from_its_own_place()
    {
        var repeat = SimulatedRuns.OfThroughputs(10_000).Scenarios[0] with
        {
            ResponseTime = Latency(1, 2, 3, 4),
            Phases = new Dictionary<string, LatencySummary> { [PhaseNames.Start] = Latency(5, 6, 7, 8) },
            Drain = new(9),
        };
        double? Read(string name) => ComparedMetric.Find(name, [repeat])!.Read(repeat);

        Assert.Equal(
            [10_000, 1, 2, 3, 4, 5, 7, 9, 3, 1_300, 0],
            "throughput p50 p95 p99 max start.p50 start.p99 drain cost.writingCommits cost.walBytes errors"
                .Split(' ')
                .Select(name => Math.Round(Read(name)!.Value, 6))
        );
        Assert.Null(ComparedMetric.Find("end.p50", [repeat]));
        Assert.Null(ComparedMetric.Find("start.p50", [repeat])!.Read(repeat with { Phases = new Dictionary<string, LatencySummary>() }));
    }

    /// <summary>A percentile of fewer operations than it divides them into is just the maximum.</summary>
    [Theory]
    [InlineData("p95", 19, 20)]
    [InlineData("p99", 99, 100)]
    [InlineData("start.p99", 99, 100)]
    [InlineData("throughput", 99, 100)]
    [InlineData("p50", 0, 1)]
    public void Figure_is_judged_from_as_many_operations_on_as_it_needs(string name, int few, int enough)
    {
        ScenarioResult Of(int count) =>
            Base.Scenarios[0] with
            {
                Counts = Base.Scenarios[0].Counts with { Completed = count },
                ResponseTime = Latency(1, 2, 3, 4) with { Count = count },
                Phases = new Dictionary<string, LatencySummary> { [PhaseNames.Start] = Latency(1, 2, 3, 4) with { Count = count } },
            };
        var metric = ComparedMetric.Find(name, [Of(enough)])!;

        Assert.Null(MetricComparer.TooFew(metric, [Of(enough), Of(enough + 1)]));
        if (few > 0)
            Assert.Equal(few, MetricComparer.TooFew(metric, [Of(enough), Of(few)]));
    }

    [Theory]
    [InlineData("throughput", nameof(MetricDirection.HigherIsBetter), true)]
    [InlineData("p99", nameof(MetricDirection.LowerIsBetter), true)]
    [InlineData("approval.p50", nameof(MetricDirection.LowerIsBetter), true)]
    [InlineData("approval.p99", nameof(MetricDirection.LowerIsBetter), true)]
    [InlineData("approval.p98", nameof(MetricDirection.LowerIsBetter), false)]
    [InlineData("errors", nameof(MetricDirection.StaysZero), true)]
    [InlineData("cost.deadlocks", nameof(MetricDirection.StaysZero), true)]
    [InlineData("cost.rollbacks", nameof(MetricDirection.StaysZero), true)]
    [InlineData("cost.walBytes", nameof(MetricDirection.LowerIsBetter), true)]
    [InlineData("cost.redoSyncTime", nameof(MetricDirection.LowerIsBetter), true)]
    [InlineData("cost.checkpoints", nameof(MetricDirection.Neutral), true)]
    [InlineData("cost.leafSplits", nameof(MetricDirection.Neutral), true)]
    [InlineData("cost.unheardOf", nameof(MetricDirection.Neutral), false)]
    [InlineData("cost.unheardOf.p50", nameof(MetricDirection.Neutral), false)]
    public void Metric_has_a_direction_and_is_known_by_its_name(string metric, string direction, bool isKnown)
    {
        Assert.Equal(direction, MetricDirections.Of(metric).ToString());
        Assert.Equal(isKnown, MetricDirections.IsKnown(metric));
        if (isKnown && !metric.StartsWith("approval."))
            Assert.Contains(metric, MetricDirections.Names);
    }

    [Fact]
    public void Interval_needs_two_repeats_on_each_side_and_a_ratio_one()
    {
        var one = SimulatedRuns.OfThroughputs(8_000);
        var two = SimulatedRuns.OfThroughputs(8_000, 8_010);

        Assert.Equal((0.8, null), (Math.Round(Throughput(Base, one).Ratio!.Value, 2), Throughput(Base, one).Low));
        Assert.Null(Throughput(one, Base).Low);
        Assert.NotNull(Throughput(two, two).Low);
    }

    /// <summary>Two sides without overlap: 4 and 5 of them have a p of 2 / 126, 5 and 5 one of 2 / 252.</summary>
    [Fact]
    public void Five_repeats_on_each_side_are_the_least_that_are_judged()
    {
        var four = SimulatedRuns.OfThroughputs(5_000, 5_001, 5_002, 5_003);
        var five = SimulatedRuns.OfThroughputs(10_000, 10_001, 10_002, 10_003, 10_004);

        Assert.Equal(Verdict.Unstable, Throughput(four, five).Verdict);
        Assert.Equal(Verdict.Regressed, Throughput(five, SimulatedRuns.OfThroughputs(5_000, 5_001, 5_002, 5_003, 5_004)).Verdict);
    }

    [Fact]
    public void Errors_that_came_are_worse_whatever_the_statistics_say()
    {
        var metric = Of("errors", Errors(0, 0, 0, 0, 0, 0), Errors(0, 1, 0, 2, 0, 0));

        Assert.Equal(
            (
                Verdict.Regressed,
                "It must stay 0: it was 0 in every repeat of the base and is above 0 in 2 of 6 of the candidate.",
                (bool?)false
            ),
            (metric.Verdict, metric.Reason, metric.HigherIsBetter)
        );
    }

    [Theory]
    [InlineData(
        new[] { 21, 22, 23, 24, 25, 26 },
        new[] { 0, 1, 2, 3, 4, 5 },
        nameof(Verdict.Improved),
        "It should be 0, and the difference is more than chance (p 0.0022)."
    )]
    [InlineData(
        new[] { 0, 1, 2, 3, 4, 5 },
        new[] { 21, 22, 23, 24, 25, 26 },
        nameof(Verdict.Regressed),
        "It should be 0, and the difference is more than chance (p 0.0022)."
    )]
    [InlineData(
        new[] { 0, 1, 0, 2, 0, 0 },
        new[] { 0, 0, 3, 0, 1, 0 },
        nameof(Verdict.Unstable),
        "It should be 0 and is on neither side, and the difference may be chance (p 1)."
    )]
    public void Errors_of_both_sides_are_held_against_chance(int[] before, int[] after, string verdict, string reason)
    {
        var metric = Of("errors", Errors(before), Errors(after));

        Assert.Equal((verdict, reason), (metric.Verdict.ToString(), metric.Reason));
        Assert.NotNull(metric.PermutationPValue);
    }

    [Fact]
    public void Cost_that_is_zero_in_every_repeat_is_the_same_and_in_one_repeat_has_no_ratio()
    {
        Assert.Equal(
            (Verdict.Same, "It is 0 in every repeat of both sides.", 0.0),
            Judged(Of("cost.commits", Costs(0, 0, 0, 0, 0), Costs(0, 0, 0, 0, 0)))
        );
        Assert.Equal(
            (Verdict.Unstable, "A repeat has a value of zero, so there is no ratio.", 1.6),
            Judged(Of("cost.commits", Costs(2, 2, 2, 2, 2), Costs(2, 2, 2, 2, 0)))
        );
        Assert.Equal(Verdict.Unstable, Of("cost.commits", Costs(0, 0, 0, 0, 0), Costs(2, 2, 2, 2, 2)).Verdict);
        Assert.Equal(Verdict.Unstable, Of("cost.commits", Costs(2, 2, 2, 2, 2), Costs(0, 0, 0, 0, 0)).Verdict);

        static (Verdict, string, double) Judged(MetricComparison metric) => (metric.Verdict, metric.Reason, metric.After!.Value);
    }

    [Fact]
    public void Figure_of_a_side_is_the_geometric_mean_of_the_repeats_that_passed()
    {
        var failed = SimulatedRuns.OfThroughputs(4_000, 9_000, 1);
        failed = failed with { Scenarios = [.. failed.Scenarios.Take(2), failed.Scenarios[2] with { Status = ScenarioStatus.Failed }] };

        var throughput = Throughput(failed, Base);

        Assert.Equal((6_000, 2), (Math.Round(throughput.Before!.Value, 6), throughput.BeforeCount));
        Assert.Null(MetricComparer.Typical([]));
        Assert.Equal(2, MetricComparer.Typical([0, 4]));
    }

    [Fact]
    public void Metric_that_one_side_lacks_says_which_side_and_stays_not_measured()
    {
        var without = Costing(Base, new Metrics());
        var elsewhere = without with
        {
            Environment = Base.Environment with { Machine = Base.Environment.Machine with { LogicalCores = 4 } },
        };

        Assert.Equal("The base has no cost.walBytes.", Of("cost.walBytes", without, Base).Reason);
        Assert.Equal("The candidate has no cost.walBytes.", Of("cost.walBytes", Base, without).Reason);
        Assert.Equal(
            (Verdict.NotMeasured, "The candidate has no cost.walBytes."),
            (Of("cost.walBytes", Base, elsewhere).Verdict, Of("cost.walBytes", Base, elsewhere).Reason)
        );
        Assert.Equal(Verdict.NotComparable, Throughput(Base, elsewhere).Verdict);
    }

    [Fact]
    public void Metrics_that_one_side_lacks_for_one_reason_share_a_line_that_gives_it()
    {
        var before = Costing(Base, Both(MetricValue.Of(1)));
        var after = Costing(Base, Both(new() { Reason = "The server reports it late." }));

        var comparison = RunComparer.Compare(before, after, Known);

        Assert.Equal(
            [$"{SimulatedRuns.Name}: The candidate has no cost.commits, cost.rollbacks: The server reports it late."],
            ComparisonText.Reasons(comparison, Verdict.NotMeasured)
        );
        Assert.False(comparison.ComparedNothing);

        static Metrics Both(MetricValue value) => new() { ["commits"] = value, ["rollbacks"] = value };
    }

    [Fact]
    public void Scenario_that_was_not_measured_has_the_reason_of_its_own_backend_and_name()
    {
        RunResult Without(params NotMeasured[] reasons) => Base with { Scenarios = [], NotMeasured = reasons };
        string Reason(params NotMeasured[] reasons) => Throughput(Base, Without(reasons)).Reason;

        Assert.Equal($"The candidate has no {SimulatedRuns.Name}.", Reason(new NotMeasured("oracle-aq", "No driver.")));
        Assert.Equal(
            $"The candidate has no {SimulatedRuns.Name}.",
            Reason(new NotMeasured("postgresql", "It was left out.", "postgresql-second"))
        );
        Assert.Equal(
            $"The candidate has no {SimulatedRuns.Name}: It takes too long.",
            Reason(new NotMeasured("oracle-aq", "No driver."), new NotMeasured("postgresql", "It takes too long.", SimulatedRuns.Name))
        );
        Assert.Equal($"The base has no {SimulatedRuns.Name}.", Throughput(Without(), Base).Reason);
    }

    /// <summary>A search for the highest rate tries rates that are too high on purpose.</summary>
    [Theory]
    [InlineData(true, true, null)]
    [InlineData(true, false, "1 of 6 repeats of the candidate did not pass: failed")]
    [InlineData(false, true, "1 of 6 repeats of the candidate did not pass: failed")]
    public void Trial_may_miss_its_rate_but_not_answer_wrongly(bool isTrial, bool isRight, string? lacking)
    {
        var failed = Base.Scenarios[0] with
        {
            Status = ScenarioStatus.Failed,
            IsTrial = isTrial,
            Verification = [new("counts balance", isRight, "16", isRight ? "16" : "15")],
        };

        var comparison = RunComparer.Compare(Base, Base with { Scenarios = [failed, .. Base.Scenarios.Skip(1)] }, Known);

        Assert.Equal(lacking, comparison.Scenarios[0].Lacking);
    }

    [Fact]
    public void Published_run_is_called_by_the_name_of_its_baseline()
    {
        var published = Base with { Publication = new() { Name = "11-postgresql", Number = 11, Backend = "postgresql" } };

        var comparison = RunComparer.Compare(published, Base, Known);

        Assert.Equal(("11-postgresql", Base.RunId), (comparison.Base, comparison.Candidate));
        Assert.Equal("11-postgresql", RunComparer.Compare(Base, published, Known).Candidate);
    }

    [Theory]
    [InlineData(true, 0.2, 0.3)]
    [InlineData(false, -0.2, -0.1)]
    [InlineData(null, null, null)]
    public void Worse_is_the_way_against_the_direction_of_the_metric(bool? higherIsBetter, double? worseBy, double? atMost)
    {
        var metric = Throughput(Base, Base) with { HigherIsBetter = higherIsBetter, Ratio = 0.8, Low = 0.7, High = 0.9 };

        Assert.Equal((worseBy, atMost), (Rounded(metric.WorseBy), Rounded(metric.WorseAtMost)));
        Assert.Null((metric with { Low = null }).WorseAtMost);

        static double? Rounded(double? value) => value is { } number ? Math.Round(number, 9) : null;
    }

    [Fact]
    public void Database_that_only_one_run_describes_is_a_difference()
    {
        Assert.Empty(Likeness.Differences((DatabaseDescription?)null, null));
        Assert.Equal(["database: described in one run only"], Likeness.Differences(SampleRun.Database, null));
        Assert.Equal(["database: described in one run only"], Likeness.Differences(null, SampleRun.Database));
    }

    [Fact]
    public void Debug_build_of_either_side_is_a_difference_even_when_both_are()
    {
        var debug = Base with
        {
            Environment = Base.Environment with { Runtime = Base.Environment.Runtime with { EntryConfiguration = "Debug" } },
        };

        Assert.Equal(["base: debug-build", "candidate: debug-build"], Likeness.Differences(debug, debug));
        Assert.Equal(
            ["base: debugger-attached"],
            Likeness.Differences(
                Base with { Environment = Base.Environment with { Runtime = Base.Environment.Runtime with { DebuggerAttached = true } } },
                Base
            ).Where(difference => !difference.StartsWith("runtime "))
        );
    }

    private static MetricComparison Of(string metric, RunResult before, RunResult after) =>
        RunComparer.Compare(before, after, Known).Scenarios[0].Metrics.Single(compared => compared.Metric == metric);

    private static MetricComparison Throughput(RunResult before, RunResult after) => Of(ComparedMetric.Throughput, before, after);

    private static RunResult Errors(params int[] failed) =>
        Each(failed.Length, (scenario, index) => scenario with { Counts = scenario.Counts with { Failed = failed[index] } });

    private static RunResult Costs(params double[] commits) =>
        Each(
            commits.Length,
            (scenario, index) =>
                scenario with
                {
                    CostPerOperation = new Metrics { [MetricNames.Commits] = MetricValue.Of(commits[index]) },
                }
        );

    private static RunResult Each(int count, Func<ScenarioResult, int, ScenarioResult> change) =>
        Base with { Scenarios = [.. Base.Scenarios.Take(count).Select(change)] };

    private static RunResult Costing(RunResult run, IReadOnlyDictionary<string, MetricValue> costs) =>
        SampleGate.Each(run, scenario => scenario with { CostPerOperation = costs });

    private static LatencySummary Latency(double p50, double p95, double p99, double max) =>
        new() { Count = 1_000, P50Ms = p50, P95Ms = p95, P99Ms = p99, MaxMs = max };
}
