using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>
/// Whether an open step was stable. Above capacity, backlog and response times grow for as long as the step lasts. A short step
/// ends before anything looks wrong, but the slopes show it at once. Slopes and intervals are those of <see cref="TrendTest"/>.
/// </summary>
internal static class SustainedLoad
{
    /// <summary>The share at the start of a step that is not judged, while connections open and queues reach their usual length.</summary>
    private const double RampInShare = 0.1;

    private const double MostRampInSeconds = 10;

    /// <summary>A smaller rise over the step, as a share of the median, is no growth that anybody would act on.</summary>
    private const double LeastRise = 0.25;

    /// <summary>One operation of a backlog, and one millisecond of the pacer's clock: the resolution of the measurement.</summary>
    private const double Grain = 1;

    /// <summary>Null for a step without points, and for one whose backlog is meant to swing.</summary>
    public static StepGrowth? Of(StepResult step)
    {
        if (step.Backlog.Count == 0 || step is not { Kind: LoadKind.Open, Oscillation: null, UsedUp: false, PlannedSeconds: > 0 })
            return null;

        var rampIn = RampIn(step.PlannedSeconds);
        var judged = Judged(step, rampIn);
        var highest = judged.Take(judged.Length / 2).Max(point => point.Backlog);
        return new(
            rampIn,
            TrendTest.Of([.. judged.Select(point => (point.AtSeconds, point.Backlog))]),
            TrendTest.Of([
                .. judged.Where(point => point.ResponseMs is not null).Select(point => (point.AtSeconds, point.ResponseMs!.Value)),
            ]),
            Math.Max(0, step.Backlog[^1].Backlog - highest)
        );
    }

    /// <summary>The sentence about a growing backlog, with its share of the offered rate; null when it does not grow.</summary>
    public static (string Sentence, double Share)? GrowingBacklog(StepResult step) =>
        step
            is
        {
            Growth: { Backlog: { Verdict: TrendVerdict.Rising, Slope: { } slope } trend } growth,
            OfferedPerSecond: { } offered and > 0
        }
        && Rises(step, growth, slope, point => point.Backlog)
            ? (
                Invariant($"Not sustained: the backlog grew by {slope:N1} operations a second of {offered:N1} offered ")
                    + Invariant($"({Interval(trend)}), so no step at this rate would end."),
                slope / offered
            )
            : null;

    /// <summary>
    /// The sentence about unread messages that grow over a queue test, with their share of the rate; null when they do not grow, and
    /// when <see cref="CanFindGrowth"/> is false.
    /// </summary>
    /// <param name="unread">Their number over time; what is later than the test belongs to its drain.</param>
    /// <param name="perSecond">Messages that were to be written a second.</param>
    public static (string Sentence, double Share)? GrowingUnread(
        IReadOnlyList<(double AtSeconds, double Messages)> unread,
        double seconds,
        double perSecond
    )
    {
        var judged = Judged(unread, seconds);
        var trend = TrendTest.Of(judged);
        return trend is { Verdict: TrendVerdict.Rising, Slope: { } slope }
            && perSecond > 0
            && Rises(judged.Select(point => point.Messages), slope, seconds - RampIn(seconds))
            ? (
                Invariant($"Not sustained: the unread messages grew by {slope:N1} a second of {perSecond:N1} ({Interval(trend)}), so the ")
                    + "readers do not keep up.",
                slope / perSecond
            )
            : null;
    }

    /// <summary>Whether there are enough points in a queue test to find a trend of its unread messages.</summary>
    /// <inheritdoc cref="GrowingUnread" path="/param"/>
    public static bool CanFindGrowth(IReadOnlyList<(double AtSeconds, double Messages)> unread, double seconds) =>
        Judged(unread, seconds).Length >= TrendTest.FewestPoints;

    /// <summary>The sentence about growing response times; null when they do not grow.</summary>
    public static string? GrowingResponse(StepResult step) =>
        step.Growth is { Response: { Verdict: TrendVerdict.Rising, Slope: { } slope } trend } growth
        && Rises(step, growth, slope, point => point.ResponseMs)
            ? Invariant($"Not sustained: the response time rose by {slope:0.0} ms a second over the step ({Interval(trend)}).")
            : null;

    /// <summary>The sentence about a step that is too short, or too unsteady, to exclude growth by a share of its rate.</summary>
    /// <param name="share">The share of the offered rate.</param>
    public static string? Undecided(StepResult step, double share)
    {
        // A rate that is meant to change makes every interval wide.
        if (step is not { Alternates: false, Growth.Backlog: { } trend, OfferedPerSecond: { } offered } || trend.High <= share * offered)
            return null;
        return trend.High is { } high
            ? Invariant($"Not known to be sustained: growth of the backlog by up to {high:N1} operations a second is not excluded ")
                + Invariant($"({Interval(trend)}); a longer step would show it.")
            : Invariant($"Not known to be sustained: the backlog changed by {trend.Slope:N1} operations a second, with too few ")
                + "independent points for an interval; a longer step would show it.";
    }

    private static double RampIn(double seconds) => Math.Min(MostRampInSeconds, RampInShare * seconds);

    private static (double AtSeconds, double Messages)[] Judged(
        IReadOnlyList<(double AtSeconds, double Messages)> unread,
        double seconds
    ) => [.. unread.Where(point => point.AtSeconds > RampIn(seconds) && point.AtSeconds <= seconds)];

    private static BacklogPoint[] Judged(StepResult step, double rampIn) => [.. step.Backlog.Where(point => point.AtSeconds > rampIn)];

    private static bool Rises(StepResult step, StepGrowth growth, double slope, Func<BacklogPoint, double?> figure) =>
        Rises(Judged(step, growth.RampInSeconds).Select(figure).OfType<double>(), slope, step.PlannedSeconds - growth.RampInSeconds);

    private static bool Rises(IEnumerable<double> figures, double slope, double seconds)
    {
        var values = figures.Order().ToArray();
        return slope * seconds > Grain + (LeastRise * values[values.Length / 2]);
    }

    private static string Interval(Trend trend) => Invariant($"{trend.Confidence * 100:0} % interval {trend.Low:0.0} to {trend.High:0.0}");
}
