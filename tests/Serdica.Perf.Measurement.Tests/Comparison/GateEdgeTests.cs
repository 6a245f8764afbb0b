using static Serdica.Perf.Measurement.Tests.Comparison.SampleGate;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Where a limit ends, which figures and scenarios it is about, and what of it is counted.</summary>
public sealed class GateEdgeTests
{
    [Theory]
    [InlineData(0.75, 0)]
    [InlineData(0.7499, 1)]
    public void Change_to_the_limit_is_kept_and_beyond_it_is_a_breach(double ratio, int breaches)
    {
        var compared = RunComparer.Compare(Base, Slower, SimulatedRuns.Steady(ComparisonSettings.Default));
        var scenario = compared.Scenarios[0];
        var changed = scenario with { Metrics = [scenario.Metrics[0] with { Ratio = ratio, Verdict = Verdict.Regressed }] };

        var result = Gate.Judge(Limit("throughput", 0.25), compared with { Scenarios = [changed] }, Slower, Today);

        Assert.Equal(breaches, result.Breaches.Count);
    }

    [Theory]
    [InlineData(true, 75)]
    [InlineData(false, 125)]
    [InlineData(null, 125)]
    public void Bound_lies_on_the_side_that_is_worse(bool? higherIsBetter, double bound)
    {
        var compared = RunComparer.Compare(Base, Base, SimulatedRuns.Steady(ComparisonSettings.Default)).Scenarios[0].Metrics[0];
        var metric = compared with { HigherIsBetter = higherIsBetter, Before = 100 };

        Assert.Equal(bound, Gate.Bound(Limit("throughput", 0.25).Relative[0], metric));
    }

    [Theory]
    [InlineData("p*", "p99", true)]
    [InlineData("p99", "p*", false)]
    [InlineData("P99", "p99", false)]
    [InlineData("*-second", "postgresql-second", true)]
    public void Patterns_are_of_the_gate_and_case_matters(string pattern, string name, bool matches) =>
        Assert.Equal(matches, Gate.Matches(pattern, name));

    [Fact]
    public void Objective_on_a_tail_of_too_few_operations_is_not_judged()
    {
        var few = Each(Base, scenario => scenario with { ResponseTime = scenario.ResponseTime with { Count = 20 } });
        var gate = new GateSettings { Objectives = [new() { Metric = "p99", Most = 0.001 }] };

        var result = Judge(gate, Base, few);

        Assert.Empty(result.Breaches);
        Assert.Equal((GateOutcome.NotJudged, 0, 1), (result.Outcome, result.Judged, result.NotJudged));
        Assert.EndsWith("A repeat has only 20 operations, which are too few.", Assert.Single(result.Notes));
    }

    [Fact]
    public void Run_that_was_aborted_may_break_a_limit_and_holds_none()
    {
        var gate = Limit("throughput");
        static RunResult Aborted(RunResult run) => run with { Status = RunStatus.Aborted, StatusReason = "Stopped by the user." };

        Assert.Equal(GateOutcome.Held, Judge(gate, Base, Base).Outcome);
        Assert.Equal(GateOutcome.Breached, Judge(gate, Base, Aborted(Slower)).Outcome);
        Assert.StartsWith(
            "GATE NOT JUDGED: No limit was exceeded, but the candidate's run was aborted: Stopped by the user; 1 figure judged, 0 not",
            GateText.Outcome(Judge(gate, Base, Aborted(Base)))
        );
    }

    [Fact]
    public void Scenario_that_only_an_objective_is_about_is_missed_too()
    {
        var gate = new GateSettings { Objectives = [new() { Scenario = "postgresql-second", Metric = "throughput", Least = 1 }] };

        var breach = Assert.Single(Judge(gate, WithSecond(Base), Base).Breaches);

        Assert.Equal(("postgresql-second", Gate.VerificationMetric), (breach.Scenario, breach.Metric));
        Assert.Empty(
            Judge(gate with { Objectives = [gate.Objectives[0] with { Scenario = "postgresql-third" }] }, WithSecond(Base), Base).Breaches
        );
    }

    [Fact]
    public void Quarantine_covers_a_breach_of_its_scenario_and_its_metric_alone()
    {
        var gate = new GateSettings { Relative = [.. Limit("throughput").Relative, .. Limit("p99").Relative] };
        Quarantine Of(string scenario, string metric, int days) =>
            new() { Scenario = scenario, Metric = metric, Reason = "Known.", Expires = Today.AddDays(days) };

        var result = Judge(gate with { Quarantine = [Of("postgresql-*", "p99", 1), Of("oracle-*", "*", 1)] }, Base, Slower);
        Assert.Equal(("throughput", "p99"), (Assert.Single(result.Breaches).Metric, Assert.Single(result.Quarantined).Metric));

        // One that has expired is named for the one of two breaches that it would cover.
        Assert.Single(Judge(gate with { Quarantine = [Of("postgresql-*", "p99", -1)] }, Base, Slower).Notes);
    }

    [Fact]
    public void Limit_that_no_figure_has_is_counted_unless_its_scenario_is_missing_or_it_is_of_a_count()
    {
        static GateSettings On(string metric, string scenario = "*") => Limit(metric, scenario: scenario);

        Assert.Equal(1, Judge(On("cost.rowsInserted"), Base, Base).Unmatched);
        Assert.Equal(0, Judge(On("errors"), Base, Base).Unmatched);
        Assert.Equal(1, Judge(On("errors", "oracle-*"), Base, Base).Unmatched);
        var missing = Judge(On("cost.rowsInserted"), Base, Base with { Scenarios = [] });
        Assert.Equal((0, "the candidate lacks or failed every scenario that a limit covers"), (missing.Unmatched, missing.NothingBecause));
        Assert.EndsWith("; 1 limit matched nothing", GateText.Outcome(Judge(On("cost.rowsInserted"), Base, Base)));
        Assert.DoesNotContain("matched nothing", GateText.Outcome(Judge(On("errors"), Base, Base)));
    }

    [Fact]
    public void Objective_is_judged_from_one_repeat_on_and_counted()
    {
        var one = SimulatedRuns.OfThroughputs(10_000);
        var gate = new GateSettings { Objectives = [new() { Metric = "throughput", Least = 11_000 }] };

        Assert.Single(Judge(gate, one, one).Breaches);
        var held = Judge(new() { Objectives = [new() { Metric = "throughput", Least = 9_000, Most = 11_000 }] }, one, one);
        Assert.Equal((GateOutcome.Held, 1, 0, 0), (held.Outcome, held.Judged, held.NotJudged, held.Unmatched));
    }

    [Fact]
    public void Figure_that_one_limit_could_judge_is_judged()
    {
        var one = SimulatedRuns.OfThroughputs(10_000);

        var result = Judge(Limit("throughput") with { Objectives = [new() { Metric = "throughput", Least = 1 }] }, one, one);

        Assert.Equal((1, 0, GateOutcome.Held), (result.Judged, result.NotJudged, result.Outcome));
    }

    [Fact]
    public void Most_frequent_reason_says_why_nothing_was_judged()
    {
        var compared = RunComparer.Compare(Base, Base, SimulatedRuns.Steady(ComparisonSettings.Default));
        var scenario = compared.Scenarios[0];
        MetricComparison[] metrics =
        [
            Unstable(scenario, "p50", "Below the noise."),
            Unstable(scenario, "p95", "May be chance."),
            Unstable(scenario, "p99", "May be chance."),
        ];

        var result = Gate.Judge(Limit("p*"), compared with { Scenarios = [scenario with { Metrics = metrics }] }, Base, Today);

        Assert.Equal("2 of 3 figures are inconclusive: May be chance.", result.NothingBecause);
    }

    /// <summary>The shortest time that is reported is 0.01 ms, whose logarithm does not come back to the last digit.</summary>
    [Theory]
    [InlineData(0.01, 0.010001, true)]
    [InlineData(0.01, 20.0, false)]
    [InlineData(20.0, 0.01, false)]
    [InlineData(0.01, 0.0101, false)]
    [InlineData(null, 0.01, false)]
    public void Time_that_says_nothing_on_both_sides_is_a_zero(double? before, double? after, bool isZero)
    {
        var compared = RunComparer.Compare(Base, Base, SimulatedRuns.Steady(ComparisonSettings.Default));
        var scenario = compared.Scenarios[0];
        var p50 = scenario.Metrics.Single(found => found.Metric == "p50");
        var metric = p50 with { Before = before, After = after, Verdict = Verdict.Same };

        var result = Gate.Judge(Limit("p50"), compared with { Scenarios = [scenario with { Metrics = [metric] }] }, Base, Today);

        Assert.Equal((1, isZero ? 1 : 0), (result.Judged, result.Zeros));
    }

    [Fact]
    public void What_rose_from_zero_has_zero_as_its_limit()
    {
        var gate = Limit("errors", 0.5);
        var failed = First(Base, one => one with { Counts = one.Counts with { Failed = 1 } });

        var breach = Assert.Single(Judge(gate, Base, failed).Breaches);

        Assert.Equal((0, 0), (breach.Before, breach.Limit));
    }

    [Fact]
    public void Futility_is_found_in_the_scenario_that_was_measured_and_by_its_own_limits()
    {
        static GateSettings On(string scenario, string metric) => Limit(metric, scenario: scenario) with { Abort = new() };
        var slow = SimulatedRuns.OfThroughputs(4_400, 4_300, 4_000);
        var second = WithSecond(Base).Scenarios.Where(scenario => scenario.Name != SimulatedRuns.Name);
        var both = slow with { Scenarios = [.. second, .. slow.Scenarios] };
        GateBreach? Find(GateSettings gate, RunResult soFar, string scenario = SimulatedRuns.Name) =>
            FutilityStop.Find(gate, WithSecond(Base), soFar, scenario, Today);

        Assert.Equal("throughput", Find(On("*", "throughput"), both)?.Metric);
        Assert.Null(Find(On("*", "throughput"), both, "postgresql-second"));
        Assert.Null(Find(On("postgresql-second", "throughput"), both));
        Assert.Null(Find(On("*", "drain"), both));
        Assert.Equal("max", Find(On("*", "max"), both)?.Metric);
        Assert.Null(Find(On("*", "throughput"), both with { Scenarios = [.. both.Scenarios.SkipLast(1)] }));
    }

    /// <summary>One repeat whose generator was the limit is enough: the others may have been as well, for all that is known.</summary>
    [Fact]
    public void Repeat_that_its_generator_limited_excludes_futility_by_time()
    {
        var gate = new GateSettings { Objectives = [new() { Metric = "p99", Most = 10 }], Abort = new() };
        var open = OpenLoads.Late(SimulatedRuns.OfThroughputs(4_400, 4_300, 4_000), 0, 0, 0);
        var limited = OpenLoads.Late(open, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30).Scenarios[0];

        Assert.NotNull(FutilityStop.Find(gate, null, open, SimulatedRuns.Name, Today));
        Assert.Null(FutilityStop.Find(gate, null, First(open, _ => limited), SimulatedRuns.Name, Today));
    }
}
