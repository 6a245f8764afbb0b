using static Serdica.Perf.Measurement.Tests.Comparison.SampleGate;

namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class FutilityStopTests
{
    private static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950);
    private static readonly GateSettings Relative = Limit("throughput") with { Abort = new() };
    private static readonly GateSettings Objective = new() { Objectives = [new() { Metric = "p99", Most = 10 }], Abort = new() };

    [Fact]
    public void Repeats_that_are_all_twice_beyond_a_relative_limit_end_the_run_with_one_sentence()
    {
        var breach = Find(Relative, 4_400, 4_300, 4_000)!;

        Assert.Equal("throughput", breach.Metric);
        Assert.StartsWith(
            "postgresql-signal-roundtrip-throughput-parallel: throughput is 4,230 op/s; the limit is at least 9,000 op/s. Each of 3 "
                + "repeats missed it by more than a factor of 2",
            breach.Sentence
        );
    }

    [Fact]
    public void One_better_repeat_or_too_few_of_them_or_no_rule_go_on()
    {
        Assert.Null(Find(Relative, 4_400, 4_600, 4_000));
        Assert.Null(Find(Relative, 4_400, 4_300));
        Assert.Null(Find(Relative with { Abort = null }, 4_400, 4_300, 4_000));
    }

    [Fact]
    public void An_objective_needs_no_base()
    {
        Assert.Equal("p99", Find(Objective, Base)?.Metric);
        Assert.Null(Find(Objective with { Abort = new() { Factor = 10 } }, Base));
    }

    [Theory]
    [InlineData("*", 4_400, true)]
    [InlineData("*", 20_000, false)]
    [InlineData("postgresql-second", 4_400, false)]
    public void An_objective_stops_its_own_scenario_on_the_side_that_is_worse(string scenario, double perSecond, bool stops)
    {
        var gate = new GateSettings
        {
            Objectives = [new() { Scenario = scenario, Metric = "throughput", Least = 9_000 }],
            Abort = new(),
        };

        Assert.Equal(stops ? "throughput" : null, Find(gate, perSecond, perSecond, perSecond)?.Metric);
    }

    /// <summary>What a repeat that did not pass has measured says nothing; that it failed is reported at the end.</summary>
    [Fact]
    public void A_repeat_that_did_not_pass_stops_nothing()
    {
        var failed = Base with { Scenarios = [.. Base.Scenarios.Skip(1), Base.Scenarios[0] with { Status = ScenarioStatus.Failed }] };

        Assert.Null(Find(Objective, failed));
    }

    [Fact]
    public void A_figure_that_one_repeat_lacks_stops_nothing()
    {
        var gate = new GateSettings { Objectives = [new() { Metric = "cost.walBytes", Most = 100 }], Abort = new() };

        Assert.Equal("cost.walBytes", Find(gate, Base)?.Metric);
        Assert.Null(Find(gate, First(Base, one => one with { CostPerOperation = new Metrics() })));
    }

    [Fact]
    public void What_is_quarantined_not_comparable_or_limited_by_the_generator_goes_on()
    {
        var slow = SimulatedRuns.OfThroughputs(4_400, 4_300, 4_000);

        Assert.Null(Find(Relative with { Quarantine = [new() { Scenario = "*", Reason = "known", Expires = Today }] }, slow, Base));
        Assert.Null(Find(Relative, Elsewhere(slow), Base));
        var late = OpenLoads.Late(Base, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30);

        Assert.Null(Find(Objective, late));
    }

    [Fact]
    public void A_breach_counts_when_the_second_run_has_it_too()
    {
        GateBreach a = new("x", "throughput", 2, 1, 1.5, "x is slow."),
            b = new("x", "p99", 1, 2, 1.5, "x is late."),
            other = new("y", "p99", 1, 2, 1.5, "y is late.");

        var confirmed = new GateResult { Breaches = [a, b], Notes = ["first"] }.ConfirmedBy(
            new() { Breaches = [b with { After = 3 }, other], JudgedFigures = Figures(a, b, other) },
            "second"
        );

        Assert.Equal([b], confirmed.Breaches);
        Assert.Equal(["first", "Not confirmed by a second run (second), so it does not count: x is slow."], confirmed.Notes);
    }

    [Fact]
    public void A_breach_stands_when_the_second_run_could_not_judge_its_figure()
    {
        var gate = Limit("throughput");
        var first = Judge(gate, Base, SimulatedRuns.OfThroughputs(7_900, 8_000, 8_100, 8_050, 7_950));
        var noisy = Judge(gate, Base, SimulatedRuns.OfThroughputs(4_000, 12_000, 5_000, 9_000, 6_000));

        var confirmed = first.ConfirmedBy(noisy, "second");

        Assert.Equal((1, 0, GateOutcome.NotJudged), (first.Breaches.Count, noisy.Breaches.Count, noisy.Outcome));
        Assert.Equal(first.Breaches, confirmed.Breaches);
        Assert.StartsWith("A second run (second) could not judge it, so it counts: ", confirmed.Notes[^1]);
        Assert.Equal("a second run could not judge the breach, so it stands", GateText.Confirmation(first, confirmed, noisy));
        Assert.Empty(first.ConfirmedBy(Judge(gate, Base, Base), "second").Breaches);
    }

    [Fact]
    public void A_scenario_that_was_missing_is_cleared_by_a_second_run_that_has_it_and_by_no_other()
    {
        var gate = Limit("throughput");
        var without = Judge(gate, Base, Base with { Scenarios = [] });

        Assert.Equal(Gate.VerificationMetric, Assert.Single(without.Breaches).Metric);
        var cleared = without.ConfirmedBy(Judge(gate, Base, Base), "second");
        Assert.Empty(cleared.Breaches);
        Assert.Equal((GateOutcome.Held, null, null), (cleared.Outcome, cleared.NothingBecause, cleared.SpeedBecause));
        var slower = without.ConfirmedBy(Judge(gate, Base, Slower), "second");
        Assert.Equal(("throughput", GateOutcome.Breached), (Assert.Single(slower.Breaches).Metric, slower.Outcome));
        Assert.Single(without.ConfirmedBy(without, "second").Breaches);
        Assert.Single(without.ConfirmedBy(Judge(gate, Base, Debug(Base)), "second").Breaches);
    }

    [Fact]
    public void A_figure_of_two_limits_is_cleared_only_when_the_second_run_could_judge_both()
    {
        var gate = Limit("throughput") with { Objectives = [new() { Metric = "throughput", Least = 1 }] };
        var noisy = SimulatedRuns.OfThroughputs(4_000, 12_000, 5_000, 9_000, 6_000);
        var second = Judge(gate, Base, noisy);

        Assert.Equal(GateOutcome.Held, second.Outcome);
        Assert.DoesNotContain((SimulatedRuns.Name, "throughput"), second.JudgedFigures);
    }

    [Fact]
    public void Speed_that_only_the_second_run_could_judge_was_judged()
    {
        GateBreach breach = new("x", "cost.walBytes", 1, 2, 1.5, "x writes more.");
        var first = new GateResult { Breaches = [breach], SpeedNotJudged = ["x", "y"], SpeedBecause = "It may be chance." };

        var confirmed = first.ConfirmedBy(
            new() { JudgedFigures = new HashSet<(string, string)> { ("x", "cost.walBytes"), ("x", "p50"), ("y", "cost.walBytes") } },
            "second"
        );

        Assert.Empty(confirmed.Breaches);
        Assert.Equal(["y"], confirmed.SpeedNotJudged);
    }

    [Fact]
    public void Speed_that_only_the_second_run_could_judge_and_that_broke_its_limit_is_a_breach()
    {
        GateBreach deadlocks = new("x", "cost.deadlocks", 0, 1, 0, "x has deadlocks."),
            slow = new("x", "p50", 1, 3, 1.5, "x is slow."),
            bytes = new("x", "cost.walBytes", 1, 2, 1.5, "x writes more."),
            known = new("y", "p50", 1, 3, 1.5, "y is slow.");
        var first = new GateResult { Breaches = [deadlocks], SpeedNotJudged = ["x"], SpeedBecause = "It may be chance." };
        var second = new GateResult { Breaches = [slow, bytes, known], JudgedFigures = Figures(deadlocks, slow, bytes, known) };

        var confirmed = first.ConfirmedBy(second, "second");

        Assert.Equal([slow], confirmed.Breaches);
        Assert.Equal(GateOutcome.Breached, confirmed.Outcome);
        Assert.Equal("Only a second run (second) could judge it, so it counts: x is slow.", confirmed.Notes[^1]);
        Assert.Equal(
            "no breach was confirmed by a second run; it exceeded 1 limit that the first run could not judge",
            GateText.Confirmation(first, confirmed, second)
        );
    }

    [Fact]
    public void A_few_operations_end_no_run_by_a_tail_that_nobody_can_see()
    {
        var few = Each(Base, scenario => scenario with { ResponseTime = scenario.ResponseTime with { Count = 20 } });

        Assert.Null(Find(Objective, few));
        var relative = Limit("p99") with { Abort = new() };
        var faster = SimulatedRuns.OfThroughputs(99_000);
        Assert.Equal("p99", Find(relative, Base, faster)?.Metric);
        Assert.Null(Find(relative, few, faster));
    }

    [Fact]
    public void Breaches_of_which_the_second_run_confirmed_some_are_counted()
    {
        GateBreach a = new("x", "throughput", 2, 1, 1.5, "x is slow."),
            b = new("x", "p99", 1, 2, 1.5, "x is late.");
        GateResult first = new() { Breaches = [a, b] },
            both = new() { Breaches = [a, b] },
            one = new() { Breaches = [b] },
            none = new() { JudgedFigures = Figures(a, b) };

        Assert.Equal("the breaches were confirmed by a second run", GateText.Confirmation(first, first.ConfirmedBy(both, "second"), both));
        Assert.Equal(
            "of 2 breaches, 1 was confirmed by a second run, which could not judge the other",
            GateText.Confirmation(first, first.ConfirmedBy(one, "second"), one)
        );
        Assert.Equal("no breach was confirmed by a second run", GateText.Confirmation(first, first.ConfirmedBy(none, "second"), none));
    }

    private static HashSet<(string Scenario, string Metric)> Figures(params GateBreach[] breaches) =>
        [.. breaches.Select(breach => (breach.Scenario, breach.Metric))];

    private static GateBreach? Find(GateSettings settings, params double[] perSecond) =>
        Find(settings, SimulatedRuns.OfThroughputs(perSecond), Base);

    private static GateBreach? Find(GateSettings settings, RunResult soFar, RunResult? before = null) =>
        FutilityStop.Find(settings, before, soFar, SimulatedRuns.Name, Today);
}
