namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Finds thresholds that a step has surely broken, whatever its remaining operations do: upper limits of latencies, of the error rate
/// and of lateness.
/// </summary>
/// <param name="expected">The largest number of operations that the step can still reach, as of now.</param>
internal sealed class ThresholdWatch(IReadOnlyList<Threshold> thresholds, DrivenLoad load, OperationSet operations, Func<double> expected)
{
    /// <summary>Nothing is concluded from fewer operations that have ended.</summary>
    public const int FewestOperations = 100;

    private static readonly TimeSpan Interval = FromMilliseconds(250);

    /// <summary>Checks the thresholds until one is surely broken, which ends the load, or until the load has ended.</summary>
    public async Task RunAsync(Task loading, CancellationToken cancellationToken)
    {
        while (
            !cancellationToken.IsCancellationRequested
            && await Task.WhenAny(loading, Task.Delay(Interval, cancellationToken)) != loading
        )
        {
            if (Find() is { } evidence)
            {
                load.EndEarly(evidence);
                return;
            }
        }
    }

    /// <summary>The evidence in one sentence; null while no threshold is surely broken.</summary>
    internal string? Find()
    {
        var recorder = load.Recorder;
        return recorder.Completed + recorder.Failed < FewestOperations
            ? null
            : thresholds.Where(threshold => threshold.IsUpper).Select(Evidence).FirstOrDefault(evidence => evidence is not null);
    }

    private string? Evidence(Threshold threshold)
    {
        var (recorder, all) = (load.Recorder, expected());
        return threshold switch
        {
            { Metric: ThresholdMetrics.ErrorRate } => OfCount(threshold, "operations failed", recorder.Failed, threshold.Limit * all, all),
            { Metric: ThresholdMetrics.Lateness, Statistic: null } => OfCount(
                threshold,
                "arrivals started late or never",
                recorder.Late + recorder.Dropped,
                threshold.Limit * all,
                all
            ),
            { Statistic: not null } when Latency(threshold.Metric) is ({ } latency, var each) => OfLatency(threshold, latency, all * each),
            _ => null,
        };
    }

    private string? OfLatency(Threshold threshold, LatencyHistogram latency, double all)
    {
        var limit = threshold.Limit * 1e6;
        return threshold switch
        {
            { Percentile: { } percentile } => OfCount(
                threshold,
                $"values exceeded {threshold.Shown(threshold.Limit)}",
                latency.CountAbove(limit),
                Math.Round((1 - (percentile / 100)) * all, 6),
                all
            ),
            { Statistic: "max" } when latency.MaxNanoseconds > limit => Sentence(
                threshold,
                $"the highest value was {threshold.Shown(latency.MaxNanoseconds.Value / 1e6)}"
            ),
            { Statistic: "average" } when (double)latency.SumNanoseconds > limit * all => Sentence(
                threshold,
                Invariant($"the sum of {latency.Count:N0} values is above that of {all:N0} at the limit")
            ),
            _ => null,
        };
    }

    private string? OfCount(Threshold threshold, string what, long count, double allowed, double all) =>
        count > allowed
            ? Sentence(threshold, Invariant($"{count:N0} {what}, and {Math.Floor(allowed):N0} of {all:N0} in the whole step may"))
            : null;

    private string Sentence(Threshold threshold, string why) =>
        Invariant($"Ended early after {load.Recorder.Elapsed(Stopwatch.GetTimestamp()).TotalSeconds:0.0} s, because ")
        + $"'{threshold.Text}' was surely broken: {why}.";

    /// <summary>The values of a phase, and how many of them an operation may have.</summary>
    private (LatencyHistogram?, int) Latency(string phase) =>
        OfLoad(phase) is { } one
            ? (one, 1)
            : (
                operations.Phases.Snapshot().Where(entry => entry.Key == phase).Select(entry => entry.Value).FirstOrDefault(),
                operations.LatenciesPerOperation
            );

    private LatencyHistogram? OfLoad(string phase) =>
        phase switch
        {
            PhaseNames.ResponseTime => load.Recorder.Response.Snapshot(),
            PhaseNames.ServiceTime => load.Recorder.Service.Snapshot(),
            PhaseNames.ScheduleLag => load.Recorder.ScheduleLag.Snapshot(),
            PhaseNames.GeneratorLag => load.Recorder.GeneratorLag.Snapshot(),
            PhaseNames.UntilFailure => load.Recorder.UntilFailure.Snapshot(),
            _ => null,
        };
}
