using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>A gate holds only by what it has judged.</summary>
public sealed class GateClosesTests
{
    private static readonly DateOnly Today = new(2026, 11, 21);
    private static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_000);
    private static readonly GateSettings TenPercent = new() { Relative = [new() { Metric = "throughput", WorseBy = 0.1 }] };

    [Fact]
    public void A_scenario_that_the_candidate_lacks_is_a_breach()
    {
        var result = Judge(TenPercent, WithSecond(Base), Base);

        var breach = Assert.Single(result.Breaches);
        Assert.Equal(
            ("postgresql-second", Gate.VerificationMetric, "postgresql-second: The candidate has no postgresql-second."),
            (breach.Scenario, breach.Metric, breach.Sentence)
        );
        Assert.Equal("GATE BREACHED: 1 limit exceeded; 1 figure judged, 0 not", GateText.Outcome(result));
    }

    [Fact]
    public void A_scenario_that_the_candidate_failed_once_is_a_breach()
    {
        var candidate = Base with
        {
            Scenarios =
            [
                Base.Scenarios[0] with
                {
                    Status = ScenarioStatus.Failed,
                    FailureReasons = ["Two signals were left."],
                },
                .. Base.Scenarios.Skip(1),
            ],
        };

        var breach = Assert.Single(Judge(TenPercent, Base, candidate).Breaches);

        Assert.Equal($"{SimulatedRuns.Name}: 1 of 6 repeats of the candidate did not pass: Two signals were left.", breach.Sentence);
    }

    [Fact]
    public void A_quarantine_of_the_scenario_covers_its_verification()
    {
        var gate = TenPercent with
        {
            Quarantine =
            [
                new()
                {
                    Scenario = "postgresql-second",
                    Reason = "Under work.",
                    Expires = Today,
                },
            ],
        };

        var result = Judge(gate, WithSecond(Base), Base);

        Assert.Equal((0, 1, GateOutcome.Held), (result.Breaches.Count, result.Quarantined.Count, result.Outcome));
    }

    [Fact]
    public void A_trial_of_a_search_for_the_highest_rate_is_not_expected_again()
    {
        var trial = WithSecond(Base, scenario => scenario with { IsTrial = true });

        Assert.Equal(GateOutcome.Held, Judge(TenPercent, trial, Base).Outcome);
    }

    [Fact]
    public void One_repeat_on_each_side_judges_nothing_and_says_why()
    {
        var one = SimulatedRuns.OfThroughputs(10_000);

        var result = Judge(TenPercent, one, one);

        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        Assert.Equal(
            "GATE NOT JUDGED: Nothing could be judged, because 1 of 1 figures are inconclusive: 1 and 1 repeats can't tell a change from "
                + "chance; "
                + "five on each side is the least that can; 0 figures judged, 1 not",
            GateText.Outcome(result)
        );
    }

    [Fact]
    public void Single_runs_without_a_history_hold_a_wider_limit_and_say_which()
    {
        var result = WithoutHistory(TenPercent, Base);

        Assert.Equal((GateOutcome.Held, 1), (result.Outcome, result.Judged));
        Assert.Matches(
            "single runs of equal code differ, so the limit of 10 % held only to exclude what is worse by more than 2[0-9] % "
                + "\\(throughput\\)",
            Assert.Single(result.Notes)
        );
    }

    [Theory]
    [InlineData(0.8, nameof(GateOutcome.NotJudged))]
    [InlineData(0.6, nameof(GateOutcome.Breached))]
    [InlineData(0.5, nameof(GateOutcome.Breached))]
    public void Single_runs_without_a_history_breach_by_a_gross_slow_down_only(double factor, string expected)
    {
        var slower = SimulatedRuns.OfThroughputs([.. Base.Scenarios.Select(scenario => scenario.ThroughputPerSecond!.Value * factor)]);

        Assert.Equal(expected, WithoutHistory(TenPercent, slower).Outcome.ToString());
    }

    [Fact]
    public void Counts_that_stayed_zero_do_not_make_a_gate_that_judged_no_speed_hold()
    {
        var gate = TenPercent with { Relative = [.. TenPercent.Relative, new() { Metric = "cost.deadlocks", WorseBy = 0 }] };
        var one = Costing(SimulatedRuns.OfThroughputs(10_000), "deadlocks", 0);

        Assert.Equal(GateOutcome.NotJudged, Judge(gate, one, one).Outcome);
        Assert.Equal(GateOutcome.Held, Judge(gate with { Relative = [gate.Relative[1]] }, one, one).Outcome);
    }

    [Fact]
    public void A_pattern_of_no_scenario_judges_nothing()
    {
        var result = Judge(
            new()
            {
                Relative =
                [
                    new()
                    {
                        Scenario = "postgres-*",
                        Metric = "throughput",
                        WorseBy = 0.1,
                    },
                ],
            },
            Base,
            Base
        );

        Assert.Equal((GateOutcome.NotJudged, 1), (result.Outcome, result.Unmatched));
        Assert.Contains(
            "no limit has the name of a scenario and a metric of either run",
            GateText.Outcome(result),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("througput", "no metric has the name througput")]
    [InlineData("cost.walBites", "no metric has the name cost.walBites")]
    [InlineData("costs.*", "no metric has the name costs.*")]
    [InlineData("cost.rowsHotUpdated", "cost.rowsHotUpdated has no better or worse")]
    public void A_limit_on_what_is_never_judged_is_refused(string metric, string part)
    {
        var error = Assert.Throws<GateException>(() =>
            GateReader.Parse($$"""{ "relative": [{ "metric": "{{metric}}", "worseBy": 0.1 }] }""", "perf-gate.json")
        );

        Assert.Contains(part, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("deadlocks")]
    [InlineData("rollbacks")]
    [InlineData("tempBytes")]
    public void What_must_not_happen_is_a_breach_at_its_first_time(string cost)
    {
        var gate = new GateSettings { Relative = [new() { Metric = "cost.*", WorseBy = 0.1 }] };

        var breach = Assert.Single(Judge(gate, Costing(Base, cost, 0), Costing(Base, cost, 0.001)).Breaches);

        Assert.Equal($"cost.{cost}", breach.Metric);
        Assert.Contains(
            "It must stay 0: it was 0 in every repeat of the base and is above 0 in 6 of 6 of the candidate.",
            breach.Sentence,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Dead_letters_and_errors_are_a_breach_at_their_first_time_and_are_judged_where_there_are_none()
    {
        var gate = new GateSettings
        {
            Relative =
            [
                new() { Metric = "errors", WorseBy = 0 },
                new() { Metric = "deadLetters", WorseBy = 0 },
                new() { Metric = "throughput", WorseBy = 0.1 },
            ],
        };
        var candidate = Base with
        {
            Scenarios =
            [
                Base.Scenarios[0] with
                {
                    Counts = Base.Scenarios[0].Counts with { Failed = 1, DeadLettered = 1 },
                },
                .. Base.Scenarios.Skip(1),
            ],
        };

        Assert.Equal(["errors", "deadLetters"], Judge(gate, Base, candidate).Breaches.Select(breach => breach.Metric));
        var held = Judge(gate, Base, Base);
        Assert.Equal((GateOutcome.Held, 0), (held.Outcome, held.Unmatched));
    }

    [Theory]
    [InlineData("rowsHotUpdated")]
    [InlineData("sessionIdleTime")]
    public void A_neutral_metric_is_shown_and_breaches_nothing(string cost)
    {
        var (before, after) = (Costing(Base, cost, 1), Costing(Base, cost, 3));
        var gate = new GateSettings { Relative = [new() { Metric = "cost.*", WorseBy = 0.1 }] };

        var metric = RunComparer
            .Compare(before, after, SimulatedRuns.Steady(gate.Comparison))
            .Scenarios[0]
            .Metrics.Single(metric => metric.Metric == $"cost.{cost}");

        Assert.Equal(Verdict.Changed, metric.Verdict);
        Assert.Null(metric.HigherIsBetter);
        Assert.Null(metric.WorseBy);
        Assert.Equal(GateOutcome.Held, Judge(gate, before, after).Outcome);
    }

    /// <summary>
    /// The shape of the kept run: nearly all arrivals waited for seconds, its own lag had a p99 of 19.1 ms and an average of 0.58 ms.
    /// </summary>
    [Theory]
    [InlineData(19.1, 0.58, 4_790)]
    [InlineData(3, 0.1, 60)]
    public void Arrivals_that_wait_for_the_database_are_judged(double ownP99Ms, double ownAverageMs, double waitedMs)
    {
        var (before, after) = (OpenLoads.Late(Base, 3, 0.1, 0), OpenLoads.Late(Base, ownP99Ms, ownAverageMs, waitedMs));
        var gate = new GateSettings { Relative = [new() { Metric = "p99", WorseBy = 0.25 }] };

        Assert.Equal("p99", Assert.Single(Judge(gate, before, after).Breaches).Metric);
    }

    [Fact]
    public void Arrivals_that_wait_for_the_generator_are_not_judged()
    {
        var (before, after) = (OpenLoads.Late(Base, 3, 0.1, 0), OpenLoads.Late(Base, ownP99Ms: 80, ownAverageMs: 50, waitedMs: 60));

        Assert.Equal(GateOutcome.NotJudged, Judge(new() { Relative = [new() { Metric = "p99", WorseBy = 0.25 }] }, before, after).Outcome);
    }

    private static GateResult WithoutHistory(GateSettings gate, RunResult candidate) =>
        Gate.Judge(gate, RunComparer.Compare(Base, candidate, gate.Comparison), candidate, Today);

    private static RunResult WithSecond(RunResult run, Func<ScenarioResult, ScenarioResult>? change = null) =>
        run with
        {
            Scenarios =
            [
                .. run.Scenarios,
                .. run.Scenarios.Select(scenario =>
                    (change ?? (same => same))(scenario with { Name = "postgresql-second", Scenario = "second" })
                ),
            ],
        };

    private static RunResult Costing(RunResult run, string cost, double value) =>
        run with
        {
            Scenarios =
            [
                .. run.Scenarios.Select(scenario =>
                    scenario with
                    {
                        CostPerOperation = new Dictionary<string, MetricValue>(scenario.CostPerOperation)
                        {
                            [cost] = MetricValue.Of(value),
                        },
                    }
                ),
            ],
        };

    private static GateResult Judge(GateSettings gate, RunResult before, RunResult candidate) =>
        Gate.Judge(gate, RunComparer.Compare(before, candidate, SimulatedRuns.Steady(gate.Comparison)), candidate, Today);
}
