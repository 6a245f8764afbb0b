namespace Serdica.Perf.Analysis.History;

/// <summary>One metric of one scenario over commits, with its change points: everything that a chart needs.</summary>
internal sealed record TrendSeries
{
    /// <summary>The name of the scenario, starting with the backend.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// The series, as in <see cref="HistoryLine.Series"/>: two series of one name were measured under different conditions.
    /// </summary>
    public required string Series { get; init; }

    /// <summary>The name of the metric, for instance <c>throughput</c>.</summary>
    public required string Metric { get; init; }

    /// <summary>The points in order of time.</summary>
    public required IReadOnlyList<TrendPoint> Points { get; init; }

    /// <summary>The change points in order of time; their indexes refer to <see cref="Points"/>.</summary>
    public required IReadOnlyList<ChangePoint> ChangePoints { get; init; }

    /// <summary>By index of a change point, the conditions that changed there too, for instance <c>dotNet: 10.0.1 to 10.0.2</c>.</summary>
    public IReadOnlyDictionary<int, string> AlsoChanged { get; init; } = new Dictionary<int, string>();

    /// <summary>
    /// Every series of a history, ordered by start. They are judged together: the more of them have enough points for a change
    /// point, the less may be chance in each.
    /// </summary>
    /// <param name="history">The lines in any order.</param>
    public static IReadOnlyList<TrendSeries> Of(IReadOnlyList<HistoryLine> history, IReadOnlyList<string> metrics)
    {
        var all = (
            from lines in history.OrderBy(line => line.At).GroupBy(line => line.Series)
            from metric in metrics
            let measured = lines.Where(line => line.Figures.ContainsKey(metric)).ToArray()
            where measured.Length > 0
            select (Metric: metric, Lines: measured)
        ).ToArray();
        var judged = Math.Max(1, all.Count(series => ChangePointSearch.CanJudge(series.Lines.Length)));
        return [.. all.Select(series => Of(series.Metric, series.Lines, judged))];
    }

    /// <summary>Whether a change is for the worse; null for a metric that has no better or worse.</summary>
    public bool? IsWorse(ChangePoint change)
    {
        return MetricDirections.Of(Metric) switch
        {
            MetricDirection.Neutral => null,
            MetricDirection.HigherIsBetter => change.Change < 0,
            _ => change.Change > 0,
        };
    }

    private static TrendSeries Of(string metric, HistoryLine[] lines, int judged)
    {
        var points = lines
            .Select(line => new TrendPoint(line.Commit, line.At, line.Figures[metric].Value, line.Figures[metric].Unit))
            .ToArray();
        var changes = ChangePointSearch.Find([.. points.Select(point => point.Value)], judged: judged);
        return new()
        {
            Name = lines[0].Name,
            Series = lines[0].Series,
            Metric = metric,
            Points = points,
            ChangePoints = changes,
            AlsoChanged = changes
                .Select(change => (change.Index, Conditions: Differences(lines[change.Index - 1], lines[change.Index])))
                .Where(found => found.Conditions.Length > 0)
                .ToDictionary(found => found.Index, found => found.Conditions),
        };
    }

    private static string Differences(HistoryLine before, HistoryLine after) =>
        string.Join(
            "; ",
            from name in before.Conditions.Keys.Union(after.Conditions.Keys)
            let pair = (Before: before.Conditions.GetValueOrDefault(name), After: after.Conditions.GetValueOrDefault(name))
            where pair.Before != pair.After
            select $"{name}: {pair.Before ?? "unknown"} to {pair.After ?? "unknown"}"
        );
}

/// <summary>One figure at one commit, for a chart.</summary>
/// <param name="At">The time of the measurement, in UTC.</param>
/// <param name="Value">Geometric mean of the repeats.</param>
/// <param name="Unit">The unit, for instance <c>ms</c>; null for a plain count.</param>
internal sealed record TrendPoint(string Commit, DateTimeOffset At, double Value, string? Unit);

/// <summary>The start of another level in a series.</summary>
/// <param name="Index">The index of the first point on the new level.</param>
/// <param name="Before">Typical value since the previous change point, or since the start.</param>
/// <param name="After">Typical value up to the next change point, or to the end.</param>
/// <param name="PValue">The p of Student's t-test between the two levels.</param>
internal sealed record ChangePoint(int Index, double Before, double After, double PValue)
{
    /// <summary>The relative change: -0.1 is a drop by 10 %; infinite, and null in JSON, where the level before is 0.</summary>
    [JsonConverter(typeof(FiniteOrNull))]
    public double Change => After / Before - 1;
}
