namespace Serdica.Perf.Measurement.Measuring;

/// <summary>
/// What process, server and machine used from the start of the measured window to the end of the drain, in total and once a
/// second.
/// </summary>
internal sealed class MeasuredWindow : IAsyncDisposable
{
    /// <summary>
    /// A lagging counter is reported only when the window is this many times longer than its lag; the error is then below 10 %.
    /// </summary>
    private const int LongerThanLag = 10;

    /// <summary>
    /// The largest number of reported waits and statements: there are fewer kinds of waits, and further statements cost little.
    /// </summary>
    private const int TopCount = 50;

    private static readonly TimeSpan SampleInterval = FromSeconds(1);

    private readonly Workload _workload;
    private readonly WindowWatch _watch;
    private readonly StatisticsSnapshot? _serverBefore;
    private readonly ServerUsage? _usageBefore;
    private readonly EngineUsage _engineBefore;
    private readonly SampleClock _samples;
    private readonly QueueTimes _queueTimes = new();
    private readonly HashSet<string> _gauges = [];
    private readonly NetworkUsage? _networkBefore;
    private readonly MachineDisks? _disksBefore;
    private readonly long _begin;
    private EngineUsage? _engineAfter;
    private ProcessorLoad? _loadBefore;
    private TimeSpan _ownTime;

    private MeasuredWindow(
        Workload workload,
        WindowWatch watch,
        StatisticsSnapshot? serverBefore,
        ServerUsage? usageBefore,
        EngineUsage engineBefore
    )
    {
        _workload = workload;
        _watch = watch;
        _engineBefore = engineBefore;
        _serverBefore = serverBefore;
        _samples = new SampleClock(SampleAsync, SampleInterval);
        _usageBefore = usageBefore;
        _loadBefore = ProcessorLoad.Read(watch.SystemRoot);
        _networkBefore = NetworkUsage.Read(watch.SystemRoot);
        _disksBefore = MachineDisks.Read(watch.SystemRoot);
        _begin = Stopwatch.GetTimestamp();
    }

    /// <summary>What the workers did in the window.</summary>
    public HostCounters Host => _engineAfter!.HostSince(_engineBefore);

    /// <summary>What each process used and did in the window; null when the host is in this process.</summary>
    public HostedProcesses? Processes => _engineAfter!.ProcessesSince(_engineBefore);

    /// <summary>How long signals were due before they were claimed; empty when there were none.</summary>
    public LatencyHistogram QueueTime => _queueTimes.Snapshot();

    public IReadOnlyDictionary<string, MetricValue> Engine => _engineAfter!.Since(_engineBefore);

    public IReadOnlyDictionary<string, MetricValue> Database { get; private set; } = new Dictionary<string, MetricValue>();

    public IReadOnlyList<ServerWait> TopWaits { get; private set; } = [];

    public string? WaitsMissing { get; private set; }

    public IReadOnlyList<ServerStatement> TopStatements { get; private set; } = [];

    public string? StatementsMissing { get; private set; }

    /// <summary><see langword="null"/> when nothing was observed.</summary>
    public CollectorCost? Collectors { get; private set; }

    /// <summary>Reads the initial values and starts sampling.</summary>
    public static async Task<MeasuredWindow> OpenAsync(Workload workload, WindowWatch watch, CancellationToken cancellationToken)
    {
        var before = watch.Statistics is { } statistics
            ? await statistics.TakeSnapshotAsync(SnapshotDepth.Full, cancellationToken)
            : null;

        // Usage is read last before the window and first after it, so that the queries of the statistics are not included.
        var usage = await ReadServerAsync(watch, cancellationToken);
        var engine = await EngineUsage.ReadAsync(workload, cancellationToken);
        var window = new MeasuredWindow(workload, watch, before, usage, engine);
        if (watch.Write is not null)
        {
            window.Write(before, usage, engine, TimeSpan.Zero);
            window._samples.Start();
        }

        return window;
    }

    /// <summary>Stops sampling, even of a window that was not closed.</summary>
    public ValueTask DisposeAsync()
    {
        _queueTimes.Dispose();
        return _samples.DisposeAsync();
    }

    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        _engineAfter = (await EngineUsage.ReadAsync(_workload, cancellationToken)).WithConnections();
        _queueTimes.Dispose();
        var length = Stopwatch.GetElapsedTime(_begin);
        var reading = ReadServerAsync(_watch, cancellationToken);
        await _samples.DisposeAsync();
        var usage = await reading;
        var after = _watch.Statistics is { } statistics
            ? await statistics.TakeSnapshotAsync(SnapshotDepth.Full, cancellationToken)
            : null;
        if (_watch.Write is not null)
            Write(after, usage, _engineAfter, length);

        var difference = after?.Since(_serverBefore!);
        if (difference is not null)
        {
            Database = Figures(difference, usage, length);
            TopWaits = [.. difference.Waits.Take(TopCount).Select(EngineFigures.Recorded)];
            WaitsMissing = difference.WaitsMissing;
            TopStatements = [.. difference.Statements.Take(TopCount).Select(EngineFigures.Recorded)];
            StatementsMissing = difference.StatementsMissing;
        }

        if (_watch.Write is not null || difference is not null)
            Collectors = Cost(difference, length);
    }

    /// <summary>The server's counters, processor time and allocations, divided by completed operations; a state has no cost.</summary>
    public IReadOnlyDictionary<string, MetricValue> CostPer(int operations) =>
        operations == 0
            ? new Dictionary<string, MetricValue>()
            : Database
                .Where(metric => !_gauges.Contains(metric.Key))
                .Concat(Engine.Where(metric => metric.Key is MetricNames.EngineCpu or MetricNames.Allocated))
                .ToDictionary(metric => metric.Key, metric => metric.Value with { Value = metric.Value.Value / operations });

    private async Task SampleAsync(CancellationToken cancellationToken)
    {
        var server = _watch.Statistics is { } statistics
            ? await statistics.TakeSnapshotAsync(SnapshotDepth.Sample, cancellationToken)
            : null;
        var begin = Stopwatch.GetTimestamp();
        var usage = await ReadServerAsync(_watch, cancellationToken);
        var engine = await EngineUsage.ReadAsync(_workload, cancellationToken);
        _ownTime += Stopwatch.GetElapsedTime(begin);
        Write(server, usage, engine);
    }

    private void Write(StatisticsSnapshot? server, ServerUsage? usage, EngineUsage engine, TimeSpan? at = null)
    {
        var begin = Stopwatch.GetTimestamp();
        var load = ProcessorLoad.Read(_watch.SystemRoot);
        var network = NetworkUsage.Read(_watch.SystemRoot);
        var disks = MachineDisks.Read(_watch.SystemRoot);
        var process = engine.SampleSince(_engineBefore);
        _watch.Write!(
            new()
            {
                T = (at ?? Stopwatch.GetElapsedTime(_begin)).TotalSeconds,
                Scenario = _watch.Progress.Name,
                Repeat = _watch.Progress.Parameters.Repeat,
                Generator = _watch.Progress.Count(),
                Engine = _watch.WritesMissing is null ? process : process with { DiskWriteBytes = null },
                Database = server is null ? null : Sampled(server, usage),
                Host = Traffic((_networkBefore, _disksBefore), (network, disks)) with
                {
                    LoadAverage = engine.LoadAverage,
                    Cpu = _loadBefore is { } before ? load?.Since(before) : null,
                },
            }
        );
        _loadBefore = load;
        _ownTime += Stopwatch.GetElapsedTime(begin);
    }

    /// <summary>What went through networks and disks of the machine between two readings.</summary>
    internal static HostSample Traffic(
        (NetworkUsage? Network, MachineDisks? Disks) before,
        (NetworkUsage? Network, MachineDisks? Disks) after
    ) =>
        new(LoadAverage: null, Cpu: null)
        {
            NetworkReceivedBytes = after.Network?.ReceivedBytes - before.Network?.ReceivedBytes,
            NetworkSentBytes = after.Network?.SentBytes - before.Network?.SentBytes,
            DiskReads = after.Disks?.Reads - before.Disks?.Reads,
            DiskReadBytes = after.Disks?.ReadBytes - before.Disks?.ReadBytes,
            DiskWrites = after.Disks?.Writes - before.Disks?.Writes,
            DiskWriteBytes = after.Disks?.WriteBytes - before.Disks?.WriteBytes,
        };

    private Dictionary<string, double?> Sampled(StatisticsSnapshot server, ServerUsage? usage)
    {
        var values = server.Since(_serverBefore!).Values.ToDictionary(entry => entry.Key, entry => entry.Value.Value);
        foreach (var (name, figure) in Used(usage))
            values[name] = values.GetValueOrDefault(name) ?? figure.Value;
        return values;
    }

    private Dictionary<string, MetricValue> Figures(StatisticsSnapshot difference, ServerUsage? usage, TimeSpan length)
    {
        _gauges.UnionWith(difference.Values.Where(entry => entry.Value.IsGauge).Select(entry => entry.Key));
        _gauges.UnionWith([MetricNames.DatabaseMemory, MetricNames.ContainerMemory]);
        var figures = difference
            .Values.Where(entry => entry.Key is not (MetricNames.CollectorTime or MetricNames.CollectorCpu))
            .ToDictionary(entry => entry.Key, entry => Metric(entry.Value, length));

        // A backend's own figures, for instance from its server, come first. Others only fill in what it does not have.
        foreach (var (name, figure) in Used(usage))
        {
            if (figures.GetValueOrDefault(name)?.Value is null && (figure.Value is not null || !figures.ContainsKey(name)))
                figures[name] = figure;
        }

        return figures;
    }

    /// <summary>What the server has used since the start, and the state and use of its container where there is one.</summary>
    private IEnumerable<(string Name, MetricValue Figure)> Used(ServerUsage? usage)
    {
        yield return (MetricNames.DatabaseCpu, Process((usage?.Processor - _usageBefore?.Processor)?.TotalMilliseconds, "ms"));
        yield return (MetricNames.DatabaseMemory, Process(usage?.MemoryBytes, "bytes"));
        yield return (MetricNames.DatabaseDiskReads, Process(usage?.Disk?.ReadBytes - _usageBefore?.Disk?.ReadBytes, "bytes"));
        yield return (
            MetricNames.DatabaseDiskWrites,
            _watch.WritesMissing is { } reason && usage?.Container is null
                ? MetricValue.Missing(reason)
                : Process(usage?.Disk?.WriteBytes - _usageBefore?.Disk?.WriteBytes, "bytes")
        );
        if (usage?.Container is not { } container)
            yield break;

        var before = _usageBefore?.Container;
        yield return (MetricNames.ContainerMemory, Contained(container.MemoryBytes));
        yield return (MetricNames.ContainerBlockReads, Contained(container.BlockReadBytes - before?.BlockReadBytes));
        yield return (MetricNames.ContainerBlockWrites, Contained(container.BlockWriteBytes - before?.BlockWriteBytes));
    }

    private CollectorCost Cost(StatisticsSnapshot? difference, TimeSpan length)
    {
        var time = _ownTime.TotalMilliseconds + (difference?.Values.GetValueOrDefault(MetricNames.CollectorTime)?.Value ?? 0);
        var processor = difference?.Values.GetValueOrDefault(MetricNames.CollectorCpu)?.Value;
        return new()
        {
            Samples = _watch.Write is null ? 0 : _samples.Taken + 2,
            Skipped = _samples.Skipped,
            Failed = _samples.Failed,
            Error = _samples.Error,
            TimeMs = time,
            CpuMs = processor,
            ShareOfProcessors = processor / (length.TotalMilliseconds * _watch.MachineCores),
            ShareOfWindow = time / length.TotalMilliseconds,
        };
    }

    private static Task<ServerUsage?> ReadServerAsync(WindowWatch watch, CancellationToken cancellationToken) =>
        watch.ReadUsageAsync?.Invoke(cancellationToken) ?? Task.FromResult<ServerUsage?>(null);

    private static MetricValue Contained(long? bytes) =>
        bytes is { } figure ? MetricValue.Of(figure, "bytes") : MetricValue.Missing("The container engine does not report it.");

    private static MetricValue Process(double? value, string unit) =>
        value is { } figure
            ? MetricValue.Of(figure, unit)
            : MetricValue.Missing(
                "The suite did not start the server on this machine and no variable (SERDICA_PERF_..._PROCESS) names its process, or the "
                    + "system does not report it."
            );

    internal static MetricValue Metric(Statistic statistic, TimeSpan length)
    {
        if (statistic.Value is not { } value)
            return MetricValue.Missing(statistic.Missing ?? "The server does not report it.");
        if (length < LongerThanLag * statistic.Lag)
            return MetricValue.Missing(
                $"The server reports it up to {statistic.Lag.TotalSeconds:0} s late: the window lasted {length.TotalSeconds:0.0} s, and "
                    + $"{LongerThanLag * statistic.Lag.TotalSeconds:0} s are needed."
            );
        return MetricValue.Of(value, statistic.Unit);
    }
}
