namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>Judges the thresholds of a step.</summary>
internal static class StepThresholds
{
    /// <summary>The thresholds that hold for a step; one on the response time also holds for the reads beside it.</summary>
    public static IEnumerable<Threshold> Of(StepResult step, IReadOnlyList<Threshold> thresholds)
    {
        foreach (var threshold in thresholds)
        {
            yield return threshold;
            if (step.Reads is null || threshold.Metric != ThresholdMetrics.ResponseTime)
                continue;
            var ofReads = threshold with { Metric = PhaseNames.Read };
            if (!thresholds.Any(other => other.Metric == ofReads.Metric && other.Statistic == ofReads.Statistic))
                yield return ofReads;
        }
    }

    public static ThresholdResult Judge(StepResult step, Threshold threshold, StepData data) =>
        TooFew(step, threshold, data) is { } reason ? new(threshold.Text, null, null, Held: false, reason)
        : Value(step, threshold, data) is { } value ? new(threshold.Text, value, threshold.Shown(value), threshold.Holds(value))
        : new(threshold.Text, null, null, Held: false, Missing(threshold));

    /// <summary>Reports show no percentile of too few samples, and none is judged.</summary>
    private static string? TooFew(StepResult step, Threshold threshold, StepData data)
    {
        if (threshold.Percentile is not { } percentile)
            return null;
        var count = data.Histograms.GetValueOrDefault(threshold.Metric)?.Count ?? Summary(step, threshold.Metric).Count;
        var need = LatencySummary.SamplesFor(percentile);
        return count > 0 && count < need
            ? Invariant($"{threshold.Statistic} needs {need:N0} values, and the step has {count:N0}.")
            : null;
    }

    private static double? Value(StepResult step, Threshold threshold, StepData data) =>
        threshold switch
        {
            { Statistic: not null } => Latency(step, threshold, data),
            { Metric: ThresholdMetrics.Throughput } => step.CompletedPerSecond,
            { Metric: ThresholdMetrics.ErrorRate } => Share(step.Counts.Failed, step.Counts.Started),
            { Metric: ThresholdMetrics.Lateness } => Share(step.Counts.Late + step.Counts.Dropped, step.Counts.Offered),
            { Metric: ThresholdMetrics.Drain } => step.DrainSeconds * 1_000,
            { Metric: ThresholdMetrics.Conflicts } => step.ConflictsPerOperation,
            { Metric: var metric } when metric.StartsWith(ThresholdMetrics.CostPrefix, Ordinal) => data
                .Costs.GetValueOrDefault(metric[ThresholdMetrics.CostPrefix.Length..])
                ?.Value,
            _ => data.Metrics.GetValueOrDefault(threshold.Metric)?.Value,
        };

    private static double? Latency(StepResult step, Threshold threshold, StepData data)
    {
        if (data.Histograms.GetValueOrDefault(threshold.Metric) is { } histogram)
            return threshold.Percentile is { } percentile
                ? histogram.ValueAtPercentile(percentile) / 1e6
                : Statistic(histogram.Summarize(), threshold);
        return Statistic(Summary(step, threshold.Metric), threshold);
    }

    private static LatencySummary Summary(StepResult step, string metric) =>
        metric switch
        {
            PhaseNames.ResponseTime => step.Response,
            PhaseNames.ServiceTime => step.Service,
            PhaseNames.UntilFailure => step.UntilFailure,
            PhaseNames.ScheduleLag => step.ScheduleLag,
            PhaseNames.GeneratorLag => step.GeneratorLag,
            PhaseNames.QueueTime => step.QueueTime,
            PhaseNames.Read => step.Reads?.Latency ?? LatencySummary.Empty,
            _ => LatencySummary.Empty,
        };

    private static double? Statistic(LatencySummary latency, Threshold threshold) =>
        threshold.Statistic switch
        {
            "average" => latency.AverageMs,
            "min" => latency.MinMs,
            "max" => latency.MaxMs,
            "p50" => latency.P50Ms,
            "p90" => latency.P90Ms,
            "p95" => latency.P95Ms,
            "p99" => latency.P99Ms,
            "p99.9" => latency.P99Point9Ms,
            _ => null,
        };

    private static double? Share(long part, long whole) => whole == 0 ? null : (double)part / whole;

    private static string Missing(Threshold threshold) =>
        threshold.Statistic is not null ? $"no operation of the step has a {threshold.Metric}."
        : ThresholdMetrics.IsOfServer(threshold.Metric) ? "neither server nor engine reported it."
        : "the step has no operations.";
}

/// <summary>The data of a step that its result has no room for.</summary>
/// <param name="Metrics">What server and engine did, by metric name.</param>
/// <param name="Costs">The same for each operation.</param>
internal sealed record StepData(
    IReadOnlyDictionary<string, LatencyHistogram> Histograms,
    IReadOnlyDictionary<string, MetricValue> Metrics,
    IReadOnlyDictionary<string, MetricValue> Costs
)
{
    /// <summary>Only the result of the step is known.</summary>
    public static StepData None { get; } =
        new(new Dictionary<string, LatencyHistogram>(), new Dictionary<string, MetricValue>(), new Dictionary<string, MetricValue>());
}
