using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Analysis.History;

/// <summary>One metric of one scenario over commits, with its change points: all that a chart of it needs.</summary>
public sealed record TrendSeries
{
    /// <summary>With the backend in front.</summary>
    public required string Name { get; init; }

    /// <summary>As in <see cref="HistoryLine.Series"/>: two series of one name were not measured alike.</summary>
    public required string Series { get; init; }

    /// <summary>For instance <c>throughput</c>.</summary>
    public required string Metric { get; init; }

    /// <summary>In order of time.</summary>
    public required IReadOnlyList<TrendPoint> Points { get; init; }

    /// <summary>In order of time; their indices are those of <see cref="Points"/>.</summary>
    public required IReadOnlyList<ChangePoint> ChangePoints { get; init; }

    /// <summary>By index of a change point, what else became another one there, for instance <c>dotNet: 10.0.1 to 10.0.2</c>.</summary>
    public IReadOnlyDictionary<int, string> AlsoChanged { get; init; } = new Dictionary<int, string>();

    /// <summary>Every series of a history, in the order in which they begin.</summary>
    /// <param name="history">In any order.</param>
    /// <param name="metrics">Which; a series has those of them that its lines have.</param>
    public static IReadOnlyList<TrendSeries> Of(IReadOnlyList<HistoryLine> history, IReadOnlyList<string> metrics) =>
    [
        .. from lines in history.OrderBy(line => line.At).GroupBy(line => line.Series)
           from metric in metrics
           let measured = lines.Where(line => line.Figures.ContainsKey(metric)).ToArray()
           where measured.Length > 0
           select Of(metric, measured),
    ];

    /// <summary>Whether a change is one for the worse.</summary>
    public bool IsWorse(ChangePoint change)
    {
        ArgumentNullException.ThrowIfNull(change);
        return MetricDirections.Of(Metric) == MetricDirection.HigherIsBetter ? change.Change < 0 : change.Change > 0;
    }

    private static TrendSeries Of(string metric, HistoryLine[] lines)
    {
        var points = lines.Select(line => new TrendPoint(line.Commit, line.At, line.Figures[metric].Value, line.Figures[metric].Unit)).ToArray();
        var changes = ChangePointSearch.Find([.. points.Select(point => point.Value)]);
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

    private static string Differences(HistoryLine before, HistoryLine after) => string.Join("; ",
        from name in before.Conditions.Keys.Union(after.Conditions.Keys)
        let pair = (Before: before.Conditions.GetValueOrDefault(name), After: after.Conditions.GetValueOrDefault(name))
        where pair.Before != pair.After
        select $"{name}: {pair.Before ?? "unknown"} to {pair.After ?? "unknown"}");
}

/// <summary>One figure at one commit, for whoever draws it.</summary>
/// <param name="Commit">The full id.</param>
/// <param name="At">When it was measured, UTC.</param>
/// <param name="Value">Geometric mean of the repeats.</param>
/// <param name="Unit">For instance <c>ms</c>; null for a plain count.</param>
public sealed record TrendPoint(string Commit, DateTimeOffset At, double Value, string? Unit);

/// <summary>From this point on a series runs on another level.</summary>
/// <param name="Index">Of the first point on the new level.</param>
/// <param name="Before">Typical value since the change point before this, or since the beginning.</param>
/// <param name="After">Typical value up to the next change point, or to the end.</param>
/// <param name="PValue">Of Student's t-test between the two.</param>
public sealed record ChangePoint(int Index, double Before, double After, double PValue)
{
    /// <summary>-0.1 means that it fell by 10 %.</summary>
    public double Change => After / Before - 1;
}
