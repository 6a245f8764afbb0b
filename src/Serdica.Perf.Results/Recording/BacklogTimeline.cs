namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Operations that have arrived and not ended, and the response times of completed ones, over the time of a load. Thread-safe.
/// Memory is bounded for any length of run: intervals start at 1 ms and double whenever there would be more than 600.
/// </summary>
internal sealed class BacklogTimeline
{
    /// <summary>The largest number of points of a step: enough for a slope, and few enough to keep.</summary>
    public const int MostPoints = 60;

    private readonly Stripes<BacklogIntervals> _stripes = new();

    /// <summary>Records that an operation was due.</summary>
    /// <param name="at">Time since the start of the load; a negative time counts as zero.</param>
    public void Arrive(TimeSpan at)
    {
        var stripe = _stripes.Current;
        lock (stripe.Lock)
            stripe.Recorder.Arrive(at.Ticks);
    }

    /// <summary>Records that an operation completed, failed or was dropped.</summary>
    /// <param name="response">The response time; null for an operation that did not complete.</param>
    public void End(TimeSpan at, TimeSpan? response = null)
    {
        var stripe = _stripes.Current;
        lock (stripe.Lock)
            stripe.Recorder.End(at.Ticks, response?.Ticks);
    }

    /// <summary>Points at equal intervals from the start of the load to a time.</summary>
    /// <param name="until">The end of the last interval; zero gives no points.</param>
    public IReadOnlyList<BacklogPoint> Points(TimeSpan until)
    {
        if (until <= TimeSpan.Zero)
            return [];

        var all = new BacklogIntervals();
        _stripes.ForEach(all.Merge);
        var length = (double)until.Ticks / MostPoints;
        return [.. Enumerable.Range(0, MostPoints).Select(index => all.Between(index * length, (index + 1) * length))];
    }
}

/// <summary>What happened in one of the equal intervals of a step.</summary>
/// <param name="AtSeconds">Middle of the interval, in seconds since the start of the step.</param>
/// <param name="Backlog">Mean number of operations in the interval that had arrived and not ended.</param>
/// <param name="Completed">
/// Completions in the interval; where the recorder's intervals are longer, a share of theirs in proportion to time.
/// </param>
/// <param name="ResponseMs">Mean response time of the completions in milliseconds; null when there was none.</param>
public sealed record BacklogPoint(double AtSeconds, double Backlog, double Completed, double? ResponseMs)
{
    /// <summary>
    /// The points of several generators that ran side by side, over the time of the shortest: with a number of operations each ends
    /// with its own last arrival. Empty when one has none.
    /// </summary>
    public static IReadOnlyList<BacklogPoint> Sum(IReadOnlyList<IReadOnlyList<BacklogPoint>> generators)
    {
        ArgumentNullException.ThrowIfNull(generators);
        if (generators.Any(points => points.Count == 0))
            return [];
        var shortest = generators.MinBy(points => points.Count * Length(points))!;
        var length = Length(shortest);
        BacklogPoint[] At(int index) => [.. generators.Select(points => Between(points, index * length, (index + 1) * length))];
        return [.. shortest.Select((point, index) => Sum(point.AtSeconds, At(index)))];
    }

    /// <summary>The length of an interval in seconds; the first point is in the middle of the first.</summary>
    private static double Length(IReadOnlyList<BacklogPoint> points) => 2 * points[0].AtSeconds;

    /// <summary>One part of the time, from shares of the intervals that it overlaps.</summary>
    private static BacklogPoint Between(IReadOnlyList<BacklogPoint> points, double from, double to)
    {
        var length = Length(points);
        var parts = points
            .Select((point, index) => (Point: point, Share: (Math.Min(to, (index + 1) * length) - Math.Max(from, index * length)) / length))
            .Where(part => part.Share > 0)
            .ToArray();
        var completed = parts.Sum(part => part.Share * part.Point.Completed);
        return new(
            (from + to) / 2,
            parts.Sum(part => part.Share * part.Point.Backlog) / parts.Sum(part => part.Share),
            completed,
            completed > 0 ? parts.Sum(part => part.Share * part.Point.Completed * (part.Point.ResponseMs ?? 0)) / completed : null
        );
    }

    private static BacklogPoint Sum(double at, BacklogPoint[] points)
    {
        var completed = points.Sum(point => point.Completed);
        return new(
            at,
            points.Sum(point => point.Backlog),
            completed,
            completed > 0 ? points.Sum(point => point.Completed * (point.ResponseMs ?? 0)) / completed : null
        );
    }
}
