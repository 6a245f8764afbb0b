namespace Serdica.Perf.Results.Profiles;

/// <summary>The figures of a step that a <see cref="Threshold"/> can limit, and their units.</summary>
public static class ThresholdMetrics
{
    public const string ResponseTime = PhaseNames.ResponseTime;

    /// <summary>Completed operations a second.</summary>
    public const string Throughput = "throughput";

    /// <summary>The share of started operations that failed unintentionally.</summary>
    public const string ErrorRate = "errorRate";

    /// <summary>
    /// The share of arrivals that started late or never. With a statistic it is the latency of that name instead: how long after its
    /// due time a delayed signal was handled.
    /// </summary>
    public const string Lateness = PhaseNames.Lateness;

    /// <summary>The time from the end of the step until nothing was left.</summary>
    public const string Drain = "drain";

    /// <summary>Version conflicts for each operation.</summary>
    public const string Conflicts = "conflicts";

    /// <summary>Stands before a metric of server or engine that is divided by completed operations.</summary>
    public const string CostPrefix = "cost.";

    private static readonly string[] Statistics = ["average", "min", "max"];
    private static readonly string[] Shares = [ErrorRate, Lateness];
    private static readonly string[] Plain = [Throughput, ErrorRate, Lateness, Drain, Conflicts];

    /// <summary>Latencies by the names of their phases, figures of the step, and metrics in total and for each operation.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [.. Latencies().Union(Plain).Union(Measured()), .. Measured().Select(name => CostPrefix + name)];

    /// <summary>Whether the metric is known only when server or engine report it.</summary>
    public static bool IsOfServer(string metric) => !Plain.Contains(metric) && !Latencies().Contains(metric);

    /// <exception cref="LoadProfileException">The name or the statistic is unknown, or one lacks the other.</exception>
    internal static void Check(string text, string metric, string? statistic)
    {
        if (!Names.Contains(metric))
        {
            var question = ClosestName.Question(metric, Names);
            throw new LoadProfileException(
                $"The threshold '{text}' is on '{metric}', which no step has."
                    + (question.Length > 0 ? question : $" There are {string.Join(", ", Names)}.")
            );
        }

        var isLatency = Latencies().Contains(metric);
        if (statistic is null && isLatency && !Plain.Contains(metric))
            throw new LoadProfileException(
                $"The threshold '{text}' is on a latency; name a percentile, average, min or max, for instance '{metric}:p99'."
            );
        if (statistic is not null && !isLatency)
            throw new LoadProfileException($"The threshold '{text}' names '{statistic}', and '{metric}' is one figure; leave it out.");
        if (statistic is not null && !Statistics.Contains(statistic) && !IsPercentile(statistic))
            throw new LoadProfileException(
                $"The threshold '{text}' names '{statistic}'; it must be a percentile from p0 to p100, for instance p99 or p99.9, or "
                    + $"{string.Join(", ", Statistics)}.{ClosestName.Question(statistic, Statistics)}"
            );
    }

    /// <summary>The limit as a number; see <see cref="Threshold.Limit"/>.</summary>
    internal static double Value(string text, string metric, bool hasStatistic, string value) =>
        hasStatistic || metric == Drain
            ? Quantity.Duration(value)?.TotalMilliseconds
                ?? throw Invalid(text, value, "a number followed by ms, s, m or h, for instance 50ms")
        : Shares.Contains(metric)
            ? Quantity.Share(value) is { } share and <= 1 ? share
                : throw Invalid(text, value, "a share from 0% to 100%, or from 0 to 1")
        : Quantity.Number(value) ?? Quantity.Bytes(value) ?? throw Invalid(text, value, "a number, or a size such as 4KiB");

    internal static string Shown(string metric, bool hasStatistic, double value) =>
        hasStatistic || metric == Drain ? Invariant($"{value:#,0.###} ms")
        : Shares.Contains(metric) ? Invariant($"{value * 100:0.###} %")
        : Invariant($"{value:#,0.###}");

    /// <summary>A limit as <see cref="Value"/> reads it.</summary>
    internal static string Typed(string metric, bool hasStatistic, double limit) =>
        hasStatistic || metric == Drain ? Invariant($"{limit:0.######}ms")
        : Shares.Contains(metric) ? Invariant($"{limit * 100:0.######}%")
        : Invariant($"{limit:0.######}");

    private static bool IsPercentile(string statistic) => statistic is ['p', .. var digits] && Quantity.Number(digits) is <= 100;

    private static LoadProfileException Invalid(string text, string value, string valid) =>
        new($"The threshold '{text}' has the limit '{value}'; it must be {valid}.");

    private static IEnumerable<string> Latencies() => Constants(typeof(PhaseNames)).Except([PhaseNames.LatencyToDrain]);

    private static IEnumerable<string> Measured() => Constants(typeof(MetricNames));

    private static IEnumerable<string> Constants(Type names) =>
        names
            .GetFields(BindingFlags.Public | BindingFlags.Static)
            .Where(field => field.IsLiteral)
            .Select(field => (string)field.GetValue(null)!);
}
