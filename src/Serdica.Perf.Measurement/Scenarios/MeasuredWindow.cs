using System.Diagnostics;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What process and server used from the begin of the measured window to the end of the drain.</summary>
internal sealed class MeasuredWindow
{
    /// <summary>A counter that lags is told only when the window is so many times longer: it is then right within a tenth.</summary>
    private const int LongerThanLag = 10;

    private const int TopCount = 10;

    private readonly Workload _workload;
    private readonly IBackendStatistics? _statistics;
    private readonly StatisticsSnapshot? _serverBefore;
    private readonly EngineUsage _engineBefore;
    private readonly long _begin;
    private EngineUsage? _engineAfter;

    private MeasuredWindow(Workload workload, IBackendStatistics? statistics, StatisticsSnapshot? serverBefore)
    {
        _workload = workload;
        _statistics = statistics;
        _serverBefore = serverBefore;
        _begin = Stopwatch.GetTimestamp();
        _engineBefore = EngineUsage.Read(workload.Counters);
    }

    /// <summary>What the workers did in the window.</summary>
    public HostCounters Host => _engineAfter!.HostSince(_engineBefore);

    public IReadOnlyDictionary<string, MetricValue> Engine => _engineAfter!.Since(_engineBefore);

    public IReadOnlyDictionary<string, MetricValue> Database { get; private set; } = new Dictionary<string, MetricValue>();

    public IReadOnlyList<WaitTime> TopWaits { get; private set; } = [];

    public IReadOnlyList<StatementCost> TopStatements { get; private set; } = [];

    public static async Task<MeasuredWindow> OpenAsync(
        Workload workload, IBackendStatistics? statistics, CancellationToken cancellationToken)
    {
        var before = statistics is null ? null : await statistics.TakeSnapshotAsync(SnapshotDepth.Full, cancellationToken).ConfigureAwait(false);
        return new(workload, statistics, before);
    }

    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        _engineAfter = EngineUsage.Read(_workload.Counters);
        var length = Stopwatch.GetElapsedTime(_begin);
        if (_statistics is null)
            return;

        var after = await _statistics.TakeSnapshotAsync(SnapshotDepth.Full, cancellationToken).ConfigureAwait(false);
        var difference = after.Since(_serverBefore!);
        Database = difference.Values.ToDictionary(entry => entry.Key, entry => Metric(entry.Value, length));
        TopWaits = [.. difference.Waits.Take(TopCount)];
        TopStatements = [.. difference.Statements.Take(TopCount)];
    }

    /// <summary>The server's counters, processor time and allocations, divided by completed operations.</summary>
    public IReadOnlyDictionary<string, MetricValue> CostPer(int operations) => operations == 0
        ? new Dictionary<string, MetricValue>()
        : Database
            .Concat(Engine.Where(metric => metric.Key is MetricNames.EngineCpu or MetricNames.Allocated))
            .ToDictionary(metric => metric.Key, metric => metric.Value with { Value = metric.Value.Value / operations });

    private static MetricValue Metric(Statistic statistic, TimeSpan length)
    {
        if (statistic.Value is not { } value)
            return MetricValue.Missing(statistic.Missing ?? "The server does not tell.");
        if (length < LongerThanLag * statistic.Lag)
            return MetricValue.Missing(
                $"The server tells it up to {statistic.Lag.TotalSeconds:0} s late, and the window lasted {length.TotalSeconds:0.0} s.");
        return MetricValue.Of(value, statistic.Unit);
    }
}
