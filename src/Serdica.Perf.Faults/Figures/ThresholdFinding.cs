using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Faults.Figures;

/// <summary>What became of a threshold at one fault.</summary>
/// <param name="Fault">The kind of the fault; null when no fault of the run had the figure.</param>
/// <param name="At">Seconds from the beginning of the load to that of the fault; null without a fault.</param>
/// <param name="Measured">The figure; null when it was not measured.</param>
/// <param name="Outcome">A figure that was not measured is never held.</param>
internal sealed record ThresholdFinding(
    string Threshold,
    FaultKind? Fault,
    double? At,
    double? Measured,
    GateOutcome Outcome,
    string Sentence
)
{
    /// <summary>Judges the faults of a run.</summary>
    public static IReadOnlyList<ThresholdFinding> Judge(
        string plan,
        IEnumerable<FaultThreshold> thresholds,
        IReadOnlyList<FaultFigures> faults
    ) => [.. thresholds.SelectMany(threshold => Judge(plan, threshold, faults))];

    /// <summary>Null without thresholds. Held only when each was judged, and each figure that was wanted was measured and kept.</summary>
    public static GateOutcome? OutcomeOf(IReadOnlyList<ThresholdFinding> findings) =>
        findings.Count == 0 ? null
        : findings.Any(finding => finding.Outcome == GateOutcome.Breached) ? GateOutcome.Breached
        : findings.Any(finding => finding.Outcome == GateOutcome.NotJudged) ? GateOutcome.NotJudged
        : GateOutcome.Held;

    private static List<ThresholdFinding> Judge(string plan, FaultThreshold threshold, IReadOnlyList<FaultFigures> faults)
    {
        var findings = faults
            .Where(fault => threshold.IsOn(fault.Kind) && !HasNothing(threshold, fault))
            .Select(fault => Judge(plan, threshold, fault))
            .ToList();
        if (findings.Count == 0)
            findings.Add(
                new(
                    threshold.Text,
                    null,
                    null,
                    null,
                    GateOutcome.NotJudged,
                    $"{plan}: no fault has the figure {threshold.Figure.Name}; the threshold '{threshold.Text}' is not judged."
                )
            );
        return findings;
    }

    private static ThresholdFinding Judge(string plan, FaultThreshold threshold, FaultFigures fault)
    {
        var measured = threshold.Figure.Of(fault);
        var (outcome, text) = measured switch
        {
            { } value => (
                threshold.Bound.Holds(value, threshold.Limit) ? GateOutcome.Held : GateOutcome.Breached,
                $"is {threshold.Figure.Shown(value)}"
            ),
            null when threshold.Figure == LimitedFigure.RecoveredAfter => Unrecovered(threshold, fault),
            _ => (GateOutcome.NotJudged, "was not measured"),
        };
        var verdict = outcome switch
        {
            GateOutcome.Held => "kept",
            GateOutcome.Breached => "broken",
            _ => "not judged",
        };
        return new(
            threshold.Text,
            fault.Kind,
            fault.At,
            measured,
            outcome,
            Invariant($"{plan}: {FaultTraits.Name(fault.Kind)} at {fault.At:0.0} s: {threshold.Figure.Name} {text}; ")
                + $"the threshold '{threshold.Text}' is {verdict}."
        );
    }

    /// <summary>
    /// A rate that did not come back has surely missed an upper limit only when the next fault, or the end of the load, left it that time.
    /// </summary>
    private static (GateOutcome Outcome, string Text) Unrecovered(FaultThreshold threshold, FaultFigures fault)
    {
        if (fault.RateBefore <= 0)
            return (GateOutcome.NotJudged, "was not measured, because no round trip ended before the fault");
        var watched = threshold.Figure.Shown(Math.Max(0, fault.WatchedFor));
        var lateEnough = threshold.Bound is ThresholdBound.Below or ThresholdBound.AtMost && fault.WatchedFor > threshold.Limit;
        return lateEnough
            ? (GateOutcome.Breached, $"is more than {watched}, which was the time until the next fault or the end of the load")
            : (GateOutcome.NotJudged, $"was not measured, because only {watched} were left until the next fault or the end of the load");
    }

    /// <summary>
    /// No activity was repeated, no round trip was late, or no call failed: then there is no time to judge, and nothing was missed.
    /// </summary>
    private static bool HasNothing(FaultThreshold threshold, FaultFigures fault) =>
        threshold.Figure.Of(fault) is null
        && (
            threshold.Figure == LimitedFigure.LastRepeatAfter && fault.RepeatedActivities == 0
            || threshold.Figure == LimitedFigure.DrainedAfter && fault.Backlog == 0
            || threshold.Figure == LimitedFigure.DetectedAfter && fault.FailedCalls == 0
        );
}
