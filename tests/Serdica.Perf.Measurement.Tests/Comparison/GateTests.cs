using static Serdica.Perf.Measurement.Tests.Comparison.SampleGate;

namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class GateTests
{
    [Fact]
    public void A_regression_beyond_the_limit_is_one_sentence_with_its_evidence()
    {
        var breach = Assert.Single(Judge(Limit("throughput"), Base, Slower).Breaches);

        Assert.Equal(
            "postgresql-signal-roundtrip-throughput-parallel: throughput went from 10,000 to 8,000 op/s, 20.0 % slower; the limit is 10 "
                + "% worse (9,000). "
                + "Evidence: ratio 0.800, 99 % interval 0.783 to 0.818, 6 and 6 repeats, chance: p below 0.0001, corrected below 0.0001, "
                + "noise floor 2.2 %, "
                + "between runs 0.5 % from 40 runs, 10 % seen with probability 1.00.",
            breach.Sentence
        );
        Assert.Equal(
            (Math.Round(breach.Before!.Value), Math.Round(breach.After!.Value), Math.Round(breach.Limit!.Value)),
            (10_000, 8_000, 9_000)
        );
    }

    [Fact]
    public void A_regression_within_the_limit_and_an_improvement_are_none()
    {
        Assert.Empty(Judge(Limit("throughput", 0.25), Base, Slower).Breaches);
        Assert.Empty(
            Gate.Judge(
                Limit("throughput"),
                RunComparer.Compare(Slower, Base, SimulatedRuns.Steady(ComparisonSettings.Default)),
                Base,
                Today
            ).Breaches
        );
    }

    [Fact]
    public void What_can_not_be_told_is_a_note_and_no_breach()
    {
        var noisy = SimulatedRuns.OfThroughputs(4_000, 12_000, 5_000, 9_000, 6_000, 8_000);

        var result = Judge(Limit("throughput"), Base, noisy);

        Assert.Empty(result.Breaches);
        Assert.Contains("throughput could not be judged, inconclusive", Assert.Single(result.Notes));
    }

    [Fact]
    public void Figures_that_can_not_be_told_share_a_note_only_where_they_share_the_reason()
    {
        var gate = Limit("p*");
        var compared = RunComparer.Compare(Base, Base, gate.Comparison);
        var scenario = Assert.Single(compared.Scenarios);
        MetricComparison[] metrics =
        [
            Unstable(scenario, "p50", "May be chance."),
            Unstable(scenario, "p95", "May be chance."),
            Unstable(scenario, "p99", "Below the noise."),
        ];

        var result = Gate.Judge(gate, compared with { Scenarios = [scenario with { Metrics = metrics }] }, Base, Today);

        Assert.Equal(
            [
                $"{scenario.Name}: p50, p95 could not be judged, inconclusive: May be chance.",
                $"{scenario.Name}: p99 could not be judged, inconclusive: Below the noise.",
            ],
            result.Notes
        );
    }

    [Fact]
    public void Another_machine_is_a_note_and_no_breach()
    {
        var result = Judge(Limit("throughput"), Base, Elsewhere(Slower));

        Assert.Empty(result.Breaches);
        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        Assert.Contains("different conditions", Assert.Single(result.Notes));
    }

    [Fact]
    public void An_objective_is_held_against_the_candidate_alone()
    {
        var gate = new GateSettings
        {
            Objectives =
            [new() { Metric = "throughput", Least = 9_000 }, new() { Metric = "p99", Most = 80 }, new() { Metric = "max", Most = 100 }],
        };

        var result = Judge(gate, Base, Slower);

        Assert.Equal(
            [
                "postgresql-signal-roundtrip-throughput-parallel: throughput is 8,000 op/s; the objective is at least 9,000 op/s. "
                    + "Evidence: 6 repeats, 7,920 to 8,080.",
                "postgresql-signal-roundtrip-throughput-parallel: max is 113 ms; the objective is at most 100 ms. Evidence: 6 repeats, "
                    + "111 to 114.",
            ],
            result.Breaches.Select(breach => breach.Sentence)
        );
    }

    [Fact]
    public void An_objective_that_no_figure_answers_is_a_note()
    {
        var result = Judge(new() { Objectives = [new() { Scenario = "oracle-aq-*", Metric = "p99", Most = 1 }] }, Base, Slower);

        Assert.Empty(result.Breaches);
        Assert.Equal(
            "The objective on p99 of oracle-aq-* could not be judged: the candidate has no such figure.",
            Assert.Single(result.Notes)
        );
    }

    [Fact]
    public void A_debug_build_and_a_limited_generator_break_no_objective()
    {
        var gate = new GateSettings { Objectives = [new() { Metric = "throughput", Least = 9_000 }] };
        var limited = OpenLoads.Late(Slower, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30);

        Assert.All(
            [Judge(gate, Base, Debug(Slower)), Judge(gate, Base, limited)],
            result =>
            {
                Assert.Equal(GateOutcome.NotJudged, result.Outcome);
                Assert.Contains("could not be judged", Assert.Single(result.Notes));
            }
        );
    }

    [Theory]
    [InlineData("2026-11-21", 0, 1)]
    [InlineData("2026-11-20", 1, 0)]
    public void A_quarantine_excuses_a_breach_until_its_last_day(string expires, int breaches, int quarantined)
    {
        var gate = Limit("throughput") with
        {
            Quarantine =
            [
                new()
                {
                    Scenario = "postgresql-*",
                    Metric = "throughput",
                    Reason = "Known since the driver's update.",
                    Expires = DateOnly.Parse(expires, null),
                },
            ],
        };

        var result = Judge(gate, Base, Slower);

        Assert.Equal((breaches, quarantined), (result.Breaches.Count, result.Quarantined.Count));
        Assert.Equal(
            breaches == 0 ? [] : ["The quarantine of postgresql-* throughput (Known since the driver's update) expired after 2026-11-20."],
            result.Notes
        );
    }

    [Fact]
    public void A_gate_is_read_with_all_its_parts()
    {
        var gate = GateReader.Parse(
            """
            {
              "minimumEffect": 0.08,
              "metrics": { "p99": { "minimumEffect": 0.15, "noiseFloor": 0.3 } },
              "relative": [{ "scenario": "postgresql-*", "metric": "throughput", "worseBy": 0.1 }],
              "objectives": [{ "metric": "p99", "most": 50 }],
              "quarantine": [
                { "scenario": "*", "reason": "Disk.", "expires": "2026-12-31" },
                { "scenario": "*", "metric": "verification", "reason": "Disk.", "expires": "2026-12-30" }
              ]
            }
            """,
            "perf-gate.json"
        );

        Assert.Equal(0.15, gate.Comparison.MinimumEffectOf("p99"));
        Assert.Equal(0.08, gate.Comparison.MinimumEffectOf("p50"));
        Assert.Equal(0.3, gate.Comparison.NoiseFloorOf("p99"));
        Assert.Equal(new DateOnly(2026, 12, 31), gate.Quarantine[0].Expires);
    }

    [Theory]
    [InlineData("""{ "relativ": [] }""", "'relativ' (line 1) is unknown. It may have minimumEffect, metrics")]
    [InlineData("""{ "relative": [{ "metric": "p99", "worseBy": 0.1, "worst": 1 }] }""", "relative (scenario, metric, worseBy)")]
    [InlineData("""{}""", "it has no limit")]
    [InlineData("""{ "minimumEffect": 5, "objectives": [{ "metric": "p99", "most": 1 }] }""", "minimumEffect is 5")]
    [InlineData("""{ "objectives": [{ "metric": "p99" }] }""", "neither least nor most")]
    [InlineData("""{ "relative": [{ "metric": "p99", "worseBy": -0.1 }] }""", "worseBy of * p99 is -0.1")]
    [InlineData("""{ "relative": [{ "metric": "throughput", "worseBy": 10 }] }""", "0.1 means 10 %, and throughput cannot fall by more")]
    [InlineData("""{ "relative": [{ "metric": "*", "worseBy": 1 }] }""", "worseBy of * * is 1; 0.1 means 10 %, and throughput cannot")]
    [InlineData("""{ "metrics": { "p9": {} }, "objectives": [{ "metric": "p99", "most": 1 }] }""", "metrics has p9, and no metric has")]
    [InlineData("""{ "relative": [{ "metric": "throughput", "worseBy": 0.02 }] }""", "smaller changes than its minimumEffect of 0.05")]
    [InlineData(
        """{ "metrics": { "p99": { "minimumEffect": 0.2 } }, "relative": [{ "metric": "p9*", "worseBy": 0.1 }] }""",
        "minimumEffect of 0.2 are not judged; raise worseBy"
    )]
    [InlineData(
        """{ "metrics": { "quote.p99": { "minimumEffect": 0.9 } }, "relative": [{ "metric": "*.p99", "worseBy": 0.1 }] }""",
        "minimumEffect of 0.9 are not judged; raise worseBy"
    )]
    [InlineData("""{ "metrics": { "p99": { "noiseFloor": -1 } }, "objectives": [{ "metric": "p99", "most": 1 }] }""", "noiseFloor of p99")]
    [InlineData("""{ "objectives": [{ "metric": "p99", "most": 1 }], "abort": { "afterRepeats": 1 } }""", "afterRepeats of abort is 1")]
    [InlineData("""{ "objectives": [{ "metric": "p99", "most": 1 }], "abort": { "factor": 1 } }""", "factor of abort is 1")]
    [InlineData("null", "contains only null")]
    [InlineData("""{ "relative": [{ "metric": "p99", "worseBy": 0.1 }], "relative": [] }""", "it has relative twice (line 1). It may")]
    [InlineData("""{ "metrics": { "p99": {}, "p99": {} }, "relative": [] }""", "is not understood: 'metrics")]
    [InlineData(
        """
        { "relative": [{ "metric": "p99", "worseBy": 0.1 }],
          "quarantine": [{ "scenario": "*", "metric": "througput", "reason": "Disk.", "expires": "2026-12-31" }] }
        """,
        "no metric has the name througput"
    )]
    [InlineData("""{ "metrics": { "p99": { "noiseFloor": 30 } }, "objectives": [{ "metric": "p99", "most": 1 }] }""", "0.3 means 30 %")]
    [InlineData("""{ "relative": [null] }""", "an element in 'relative' (line 1) is null")]
    [InlineData("""{ "metrics": { "p99": null } }""", "'p99' in 'metrics' (line 1) is null")]
    public void A_gate_with_a_mistake_is_refused_with_a_sentence(string json, string part)
    {
        var error = Assert.Throws<GateException>(() => GateReader.Parse(json, "perf-gate.json"));

        Assert.Contains("'perf-gate.json'", error.Message);
        Assert.Contains(part, error.Message);
    }
}
