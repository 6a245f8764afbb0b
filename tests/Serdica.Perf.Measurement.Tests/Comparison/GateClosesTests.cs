using static Serdica.Perf.Measurement.Tests.Comparison.SampleGate;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>A gate holds only by what it has judged.</summary>
public sealed class GateClosesTests
{
    private static readonly GateSettings TenPercent = Limit("throughput");

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
        var candidate = First(Base, one => one with { Status = ScenarioStatus.Failed, FailureReasons = ["Two signals were left."] });

        var breach = Assert.Single(Judge(TenPercent, Base, candidate).Breaches);

        Assert.Equal($"{SimulatedRuns.Name}: 1 of 6 repeats of the candidate did not pass: Two signals were left.", breach.Sentence);
    }

    [Fact]
    public void A_scenario_whose_results_were_not_verified_holds_no_gate()
    {
        var candidate = Each(Base, one => one with { Unverified = "An operation failed." });
        var comparison = RunComparer.Compare(Base, candidate, ComparisonSettings.Default);

        var result = Judge(TenPercent, Base, candidate);

        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        var name = Base.Scenarios[0].Name;
        Assert.Contains($"but the candidate's {name} is UNVERIFIED: An operation failed;", GateText.Outcome(result));
        Assert.DoesNotContain((name, Gate.VerificationMetric), result.JudgedFigures);
        Assert.Equal([$"The candidate's {name} is UNVERIFIED: An operation failed."], comparison.NotPassed);
    }

    [Fact]
    public void A_quarantine_of_the_scenario_covers_its_verification()
    {
        var gate = TenPercent with { Quarantine = [new() { Scenario = "postgresql-second", Reason = "Under work.", Expires = Today }] };

        var result = Judge(gate, WithSecond(Base), Base);

        Assert.Equal((0, 1, GateOutcome.Held), (result.Breaches.Count, result.Quarantined.Count, result.Outcome));
    }

    [Fact]
    public void A_trial_of_a_search_for_the_highest_rate_is_not_expected_again()
    {
        var trial = WithSecond(Base, scenario => scenario with { IsTrial = true });

        Assert.Equal(GateOutcome.Held, Judge(TenPercent, trial, Base).Outcome);
    }

    /// <summary>Throughput is judged; without the second scenario's figure its response time is not.</summary>
    [Fact]
    public void Objective_on_a_figure_that_a_scenario_lacks_is_counted_as_not_judged()
    {
        var gate = TenPercent with { Objectives = [new() { Scenario = "postgresql-second", Metric = "start.p99", Most = 1 }] };

        var result = Judge(gate, WithSecond(Base), WithSecond(Base));

        Assert.Contains(
            "The objective on start.p99 of postgresql-second could not be judged. The candidate has no such figure.",
            result.Notes
        );
        Assert.Equal(1, result.NotJudged);
    }

    [Fact]
    public void One_repeat_on_each_side_judges_nothing_and_says_why()
    {
        var one = SimulatedRuns.OfThroughputs(10_000);

        var result = Judge(TenPercent, one, one);

        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        Assert.Equal(
            "GATE NOT JUDGED: Nothing could be judged, because 1 of 1 figure is inconclusive: 1 and 1 repeats cannot separate a change "
                + "from chance; "
                + "at least five on each side are needed; 0 figures judged, 1 not",
            GateText.Outcome(result)
        );
    }

    [Fact]
    public void Single_runs_without_a_history_hold_a_wider_limit_and_say_which()
    {
        var result = WithoutHistory(TenPercent, Base);

        Assert.Equal((GateOutcome.Held, 1), (result.Outcome, result.Judged));
        Assert.Equal("GATE HELD: 1 figure judged (1 by a wider limit), 0 not", GateText.Outcome(result));
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

    [Theory]
    [InlineData("errors")]
    [InlineData("deadLetters")]
    public void Count_that_stayed_zero_is_judged_where_the_conditions_are_alike(string count)
    {
        var gate = Limit(count, 0);
        var held = Judge(gate, Base, WithSecond(Base));

        Assert.Equal((GateOutcome.Held, 1, 1), (held.Outcome, held.Judged, held.Zeros));
        Assert.Equal(GateOutcome.NotJudged, Judge(gate, Base, Elsewhere(Base)).Outcome);
    }

    /// <summary>A signal that is decided directly completes before its publish returns, however slow the scenario is.</summary>
    [Theory]
    [InlineData(0.002, nameof(GateOutcome.NotJudged))]
    [InlineData(0.1, nameof(GateOutcome.Held))]
    public void Time_that_is_too_short_to_tell_says_nothing_about_speed(double milliseconds, string outcome)
    {
        var phase = new LatencySummary { Count = 20_000, P50Ms = milliseconds };
        RunResult With(RunResult run) =>
            Each(run, scenario => scenario with { Phases = new Dictionary<string, LatencySummary> { ["signalToCompletion"] = phase } });
        var gate = TenPercent with { Relative = [.. TenPercent.Relative, new() { Metric = "*.p50", WorseBy = 0.1 }] };

        Assert.Equal(outcome, Judge(gate, With(Noisy(1)), With(Noisy(2))).Outcome.ToString());
        gate = gate with { Objectives = [new() { Metric = "signalToCompletion.p50", Most = 1 }] };
        Assert.Equal(GateOutcome.Held, Judge(gate, With(Noisy(1)), With(Noisy(2))).Outcome);
    }

    [Fact]
    public void A_figure_that_another_limit_held_without_noise_is_not_counted_as_held_by_a_wider_one()
    {
        var gate = TenPercent with { Relative = [.. TenPercent.Relative, new() { Metric = "throughput", WorseBy = 0.9 }] };

        Assert.Equal("GATE HELD: 1 figure judged, 0 not", GateText.Outcome(WithoutHistory(gate, Base)));
    }

    [Fact]
    public void A_cost_that_was_judged_does_not_make_a_gate_that_judged_no_speed_hold()
    {
        var (before, after) = (Noisy(1), Noisy(2));

        var result = Judge(SpeedAndCommits, before, after);

        Assert.Equal((GateOutcome.NotJudged, 1, 3), (result.Outcome, result.Judged, result.NotJudged));
        Assert.Null(result.NothingBecause);
        Assert.Equal([SimulatedRuns.Name], result.SpeedNotJudged);
        Assert.StartsWith(
            $"GATE NOT JUDGED: No limit was exceeded, but the speed of 1 scenario could not be judged ({SimulatedRuns.Name}), because ",
            GateText.Outcome(result)
        );
        Assert.EndsWith("; 1 figure judged, 3 not", GateText.Outcome(result));
    }

    [Fact]
    public void One_scenario_of_two_without_a_judged_speed_is_counted_and_named_and_the_gate_does_not_hold()
    {
        var (before, after) = (Both(Base, Noisy(1)), Both(Base, Noisy(2)));

        var result = Judge(SpeedAndCommits, before, after);

        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        Assert.Contains("the speed of 1 scenario could not be judged (postgresql-second)", GateText.Outcome(result));
    }

    [Fact]
    public void A_breach_beside_a_scenario_without_a_judged_speed_names_both()
    {
        var slower = SimulatedRuns.OfThroughputs([.. Base.Scenarios.Select(scenario => scenario.ThroughputPerSecond!.Value * 0.5)]);

        var result = Judge(TenPercent, Both(Base, Noisy(1)), Both(slower, Noisy(2)));

        Assert.Equal(GateOutcome.Breached, result.Outcome);
        Assert.Equal(
            "GATE BREACHED: 1 limit exceeded; 1 figure judged, 1 not; the speed of 1 scenario could not be judged (postgresql-second)",
            GateText.Outcome(result)
        );
    }

    [Fact]
    public void One_judged_figure_of_speed_is_enough_for_a_scenario()
    {
        var result = Judge(SpeedAndCommits with { Objectives = [new() { Metric = "p99", Most = 1e6 }] }, Noisy(1), Noisy(2));

        Assert.Equal((GateOutcome.Held, 2), (result.Outcome, result.NotJudged));
    }

    [Theory]
    [InlineData("*", true)]
    [InlineData("p*", false)]
    public void A_quarantine_that_covers_all_speed_of_a_scenario_excuses_that_none_was_judged(string metric, bool held)
    {
        var gate = SpeedAndCommits with
        {
            Quarantine = [new() { Scenario = SimulatedRuns.Name, Metric = metric, Reason = "The machine is noisy.", Expires = Today }],
        };

        Assert.Equal(held ? GateOutcome.Held : GateOutcome.NotJudged, Judge(gate, Noisy(1), Noisy(2)).Outcome);
    }

    [Fact]
    public void A_scenario_that_only_the_candidate_has_needs_no_judged_speed() =>
        Assert.Equal(GateOutcome.Held, Judge(TenPercent, Base, WithSecond(Base)).Outcome);

    [Fact]
    public void A_quarantined_scenario_that_is_missing_judges_nothing_by_itself()
    {
        var one = SimulatedRuns.OfThroughputs(10_000);
        var gate = TenPercent with { Quarantine = [new() { Scenario = "postgresql-second", Reason = "Under work.", Expires = Today }] };

        var result = Judge(gate, WithSecond(one), one);

        Assert.Equal((GateOutcome.NotJudged, 0, 1), (result.Outcome, result.Judged, result.Quarantined.Count));
        Assert.StartsWith("GATE NOT JUDGED: Nothing could be judged, because 1 of 1 figure is inconclusive", GateText.Outcome(result));
    }

    [Fact]
    public void More_than_five_names_are_counted()
    {
        var result = new GateResult
        {
            SpeedNotJudged = [.. Range(1, 7).Select(number => $"s{number}")],
            SpeedBecause = "7 of 7 figures are inconclusive: It may be chance.",
        };

        Assert.Equal(
            "GATE NOT JUDGED: No limit was exceeded, but the speed of 7 scenarios could not be judged (s1, s2, s3, s4, s5 and 2 more), "
                + "because 7 of 7 figures are inconclusive: It may be chance; 0 figures judged, 0 not",
            GateText.Outcome(result)
        );
    }

    [Fact]
    public void A_pattern_of_no_scenario_judges_nothing()
    {
        var result = Judge(Limit("throughput", scenario: "postgres-*"), Base, Base);

        Assert.Equal((GateOutcome.NotJudged, 1), (result.Outcome, result.Unmatched));
        Assert.Contains("no limit has the name of a scenario and a metric of either run", GateText.Outcome(result));
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

        Assert.Contains(part, error.Message);
    }

    [Theory]
    [InlineData("deadlocks")]
    [InlineData("rollbacks")]
    [InlineData("tempBytes")]
    public void What_must_not_happen_is_a_breach_at_its_first_time(string cost)
    {
        var gate = Limit("cost.*");

        var breach = Assert.Single(Judge(gate, Costing(Base, cost, 0), Costing(Base, cost, 0.001)).Breaches);

        Assert.Equal($"cost.{cost}", breach.Metric);
        Assert.Contains("It must stay 0: it was 0 in every repeat of the base and is above 0 in 6 of 6 of the candidate.", breach.Sentence);
    }

    [Fact]
    public void Dead_letters_and_errors_are_a_breach_at_their_first_time_and_are_judged_where_there_are_none()
    {
        var gate = new GateSettings
        {
            Relative = [.. Limit("errors", 0).Relative, .. Limit("deadLetters", 0).Relative, .. TenPercent.Relative],
        };
        var candidate = First(Base, one => one with { Counts = one.Counts with { Failed = 1, DeadLettered = 1 } });

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
        var gate = Limit("cost.*");

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
        var gate = Limit("p99", 0.25);

        Assert.Equal("p99", Assert.Single(Judge(gate, before, after).Breaches).Metric);
    }

    [Fact]
    public void Arrivals_that_wait_for_the_generator_are_not_judged()
    {
        var (before, after) = (OpenLoads.Late(Base, 3, 0.1, 0), OpenLoads.Late(Base, ownP99Ms: 80, ownAverageMs: 50, waitedMs: 60));

        Assert.Equal(GateOutcome.NotJudged, Judge(Limit("p99", 0.25), before, after).Outcome);
    }

    private static GateSettings SpeedAndCommits { get; } =
        new() { Relative = [.. ((string[])["throughput", "p50", "p99", "cost.writingCommits"]).SelectMany(name => Limit(name).Relative)] };

    /// <summary>Six repeats whose times differ by factors, while each operation has three writing commits in all of them.</summary>
    private static RunResult Noisy(int seed)
    {
        double[] perSecond = [4_000, 12_000, 5_000, 9_000, 6_000, 8_000];
        return SimulatedRuns.OfThroughputs([.. perSecond.Skip(seed), .. perSecond.Take(seed)]);
    }

    /// <summary>A run with a second scenario, whose repeats are those of another run.</summary>
    private static RunResult Both(RunResult run, RunResult second) =>
        run with
        {
            Scenarios =
            [.. run.Scenarios, .. second.Scenarios.Select(scenario => scenario with { Name = "postgresql-second", Scenario = "second" })],
        };

    private static GateResult WithoutHistory(GateSettings gate, RunResult candidate) =>
        Gate.Judge(gate, RunComparer.Compare(Base, candidate, gate.Comparison), candidate, Today);

    private static RunResult Costing(RunResult run, string cost, double value) =>
        Each(
            run,
            scenario =>
                scenario with
                {
                    CostPerOperation = new Metrics(scenario.CostPerOperation) { [cost] = MetricValue.Of(value) },
                }
        );
}
