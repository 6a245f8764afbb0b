namespace Serdica.Perf.Results.Profiles;

/// <summary>A limit on one figure of each step, for instance <c>responseTime:p99 &lt;= 50ms</c>.</summary>
public sealed record Threshold
{
    /// <value>One of <see cref="ThresholdMetrics.Names"/>.</value>
    public required string Metric { get; init; }

    /// <value><c>p99</c>, <c>p99.9</c>, <c>average</c>, <c>min</c> or <c>max</c> of a latency; null for other figures.</value>
    public string? Statistic { get; init; }

    public required ThresholdBound Bound { get; init; }

    /// <value>Milliseconds for a time, 0 to 1 for a share, otherwise the metric's own unit.</value>
    public required double Limit { get; init; }

    /// <summary>As it is typed: <c>responseTime:p99 &lt;= 50ms</c>.</summary>
    [JsonIgnore]
    public string Text => $"{Name} {Bound.Sign()} {ThresholdMetrics.Typed(Metric, Statistic is not null, Limit)}";

    /// <summary>Whether the figure must not become too large; the others must not become too small.</summary>
    [JsonIgnore]
    public bool IsUpper => Bound is ThresholdBound.Below or ThresholdBound.AtMost;

    /// <summary>The percentile, 0 to 100; null for the other statistics.</summary>
    [JsonIgnore]
    public double? Percentile => Statistic is ['p', .. var digits] ? Quantity.Number(digits) : null;

    private string Name => Statistic is null ? Metric : $"{Metric}:{Statistic}";

    /// <summary>The highest p99 of the response time.</summary>
    public static Threshold P99(TimeSpan limit) =>
        new() { Metric = ThresholdMetrics.ResponseTime, Statistic = "p99", Bound = ThresholdBound.AtMost, Limit = limit.TotalMilliseconds };

    /// <summary>The highest share of operations that fail unintentionally, 0 to 1.</summary>
    public static Threshold ErrorRate(double share) =>
        new() { Metric = ThresholdMetrics.ErrorRate, Bound = ThresholdBound.AtMost, Limit = share };

    /// <summary>The highest share of arrivals that start late or never, 0 to 1.</summary>
    public static Threshold Lateness(double share) =>
        new() { Metric = ThresholdMetrics.Lateness, Bound = ThresholdBound.AtMost, Limit = share };

    /// <summary>Parses <c>METRIC[:STATISTIC] OPERATOR VALUE</c>.</summary>
    /// <exception cref="LoadProfileException">A part is missing or unknown; the message says which, and what would be valid.</exception>
    public static Threshold Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parts =
            ThresholdText.Split(text)
            ?? throw new LoadProfileException(
                $"The threshold '{text}' is not understood; it has the form METRIC[:PERCENTILE] OPERATOR VALUE, for instance "
                    + "'responseTime:p99 <= 50ms', 'errorRate < 1%' or 'throughput >= 990'."
            );
        ThresholdMetrics.Check(text, parts.Figure, parts.Part);
        return new()
        {
            Metric = parts.Figure,
            Statistic = parts.Part,
            Bound = parts.Bound,
            Limit = ThresholdMetrics.Value(text, parts.Figure, parts.Part is not null, parts.Value),
        };
    }

    /// <summary>Two lists; a threshold of the second replaces one of the first on the same side of the same figure.</summary>
    public static IReadOnlyList<Threshold> Merged(IEnumerable<Threshold> first, IReadOnlyCollection<Threshold> second) =>
        [.. first.Where(threshold => !second.Any(threshold.IsReplacedBy)), .. second];

    /// <inheritdoc cref="ThresholdBounds.Holds"/>
    public bool Holds(double value) => Bound.Holds(value, Limit);

    /// <summary>A value of the figure with its unit.</summary>
    public string Shown(double value) => ThresholdMetrics.Shown(Metric, Statistic is not null, value);

    private bool IsReplacedBy(Threshold other) => other.Metric == Metric && other.Statistic == Statistic && other.IsUpper == IsUpper;
}

/// <summary>The side of a figure that a <see cref="Threshold"/> limits.</summary>
public enum ThresholdBound
{
    Below,
    AtMost,
    Above,
    AtLeast,
}
