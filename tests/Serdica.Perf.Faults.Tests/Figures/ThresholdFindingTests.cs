using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Faults.Tests.Figures;

public sealed class ThresholdFindingTests
{
    internal static readonly FaultFigures Kill = new()
    {
        Kind = FaultKind.KillHost,
        Target = "host-1",
        At = 5,
        Lasted = 2,
        Evidence = "it struck",
        RateBefore = 100,
        RateKept = 0.9,
        DetectedAfter = null,
        RecoveredAfter = 1_200,
        WatchedFor = 7_000,
        FailedCalls = 0,
        P99Before = 5,
        P99During = 6,
        P99After = 5,
        Backlog = 0,
        DrainedAfter = null,
        LongestPause = 100,
        RepeatedActivities = 1,
        LastRepeatAfter = 2_100,
    };

    [Theory]
    [InlineData("recoveredAfter <= 1200ms", GateOutcome.Held)]
    [InlineData("recoveredAfter <= 1s", GateOutcome.Breached)]
    [InlineData("rateKept >= 0.9", GateOutcome.Held)]
    [InlineData("rateKept:killHost >= 95%", GateOutcome.Breached)]
    [InlineData("failedCalls < 1", GateOutcome.Held)]
    [InlineData("lastRepeatAfter < 3s", GateOutcome.Held)]
    [InlineData("detectedAfter < 3s", GateOutcome.NotJudged)]
    [InlineData("backlog < 1", GateOutcome.Held)]
    [InlineData("drainedAfter < 3s", GateOutcome.NotJudged)]
    [InlineData("recoveredAfter:killDatabase <= 1s", GateOutcome.NotJudged)]
    public void Measured_figure_is_judged(string threshold, object outcome) => Assert.Equal(outcome, Outcome(threshold, Kill));

    [Fact]
    public void Figure_is_read_by_its_name()
    {
        var fault = Kill with { DetectedAfter = 7, FailedCalls = 3, DrainedAfter = 8 };
        foreach (var figure in LimitedFigure.All)
        {
            var property = typeof(FaultFigures).GetProperty(char.ToUpperInvariant(figure.Name[0]) + figure.Name[1..])!;
            Assert.Equal(Convert.ToDouble(property.GetValue(fault), CultureInfo.InvariantCulture), figure.Of(fault));
        }
    }

    [Fact]
    public void Sentence_names_plan_fault_figure_and_limit() =>
        Assert.Equal(
            "kill-worker: killHost at 5.0 s: recoveredAfter is 1,200 ms; the threshold 'recoveredAfter <= 1000ms' is broken.",
            Assert.Single(Judge("recoveredAfter <= 1s", Kill)).Sentence
        );

    [Theory]
    [InlineData(100, 7_000, "recoveredAfter <= 3s", GateOutcome.Breached)]
    [InlineData(100, 2_000, "recoveredAfter <= 3s", GateOutcome.NotJudged)]
    [InlineData(100, 7_000, "recoveredAfter >= 3s", GateOutcome.NotJudged)]
    [InlineData(0, 7_000, "recoveredAfter <= 3s", GateOutcome.NotJudged)]
    public void Rate_that_did_not_come_back_never_keeps_a_limit(double before, double watched, string threshold, object outcome) =>
        Assert.Equal(
            outcome,
            Outcome(threshold, Kill with { RateBefore = before, RateKept = null, RecoveredAfter = null, WatchedFor = watched })
        );

    [Fact]
    public void Figure_that_was_not_measured_at_one_fault_is_not_held_by_others() =>
        Assert.Equal(GateOutcome.NotJudged, Outcome("p99During < 10ms", Kill, Kill with { P99During = null }));

    [Fact]
    public void Fault_without_repeated_activities_has_no_time_to_judge()
    {
        var without = Kill with { RepeatedActivities = 0, LastRepeatAfter = null };

        Assert.Equal(GateOutcome.Held, Outcome("lastRepeatAfter < 3s", without, Kill));
        Assert.Equal(GateOutcome.NotJudged, Outcome("lastRepeatAfter < 3s", without));
    }

    [Fact]
    public void Broken_threshold_outweighs_one_that_was_not_judged() =>
        Assert.Equal(GateOutcome.Breached, Outcome("p99During < 6ms", Kill with { P99During = null }, Kill));

    [Fact]
    public void Without_thresholds_there_is_no_outcome() => Assert.Null(ThresholdFinding.OutcomeOf([]));

    private static GateOutcome? Outcome(string threshold, params FaultFigures[] faults) =>
        ThresholdFinding.OutcomeOf(Judge(threshold, faults));

    private static IReadOnlyList<ThresholdFinding> Judge(string threshold, params FaultFigures[] faults) =>
        ThresholdFinding.Judge("kill-worker", [FaultThreshold.Parse(threshold)], faults);
}
