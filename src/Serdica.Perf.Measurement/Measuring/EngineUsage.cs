namespace Serdica.Perf.Measurement.Measuring;

/// <summary>
/// What this process has used up to a moment, and the processes of its hosts where it has such; two of them give a difference.
/// </summary>
internal sealed record EngineUsage
{
    private static readonly EnvironmentOptions System = new();

    /// <value>This process.</value>
    public required ProcessUsage Own { get; init; }

    public required TimeSpan? MachineProcessor { get; init; }

    /// <summary>Null where the system does not report it.</summary>
    public required DiskUsage? Disk { get; init; }

    public required double? LoadAverage { get; init; }

    /// <value>What the hosts have done, wherever they are.</value>
    public required HostCounters Host { get; init; }

    /// <value>Hosts in processes of their own, by number; empty when the host is in this process.</value>
    public required IReadOnlyList<HostUsage> Hosts { get; init; }

    private IReadOnlyList<ProcessUsage> Processes => [Own, .. Hosts.Select(host => host.Process)];

    private double ProcessorMs => Processes.Sum(process => process.ProcessorMs);

    private long AllocatedBytes => Processes.Sum(process => process.AllocatedBytes);

    private IReadOnlyList<int> Collections =>
        [.. Own.Collections.Select((_, generation) => Processes.Sum(process => process.Collections[generation]))];

    private long WorkingSetBytes => Processes.Sum(process => process.WorkingSetBytes);

    /// <exception cref="WorkflowBackendException">A host process has ended, or does not answer.</exception>
    public static async Task<EngineUsage> ReadAsync(Workload workload, CancellationToken cancellationToken)
    {
        var hosts = await workload.ReadHostsAsync(cancellationToken);
        var disks = hosts
            .Select(host => DiskUsage.Read(System.SystemRoot, host.Process.Id.ToString(CultureInfo.InvariantCulture)))
            .Prepend(DiskUsage.Read(System.SystemRoot, "self"))
            .ToArray();
        return new()
        {
            Own = ProcessUsage.Read(),
            MachineProcessor = MachineProcessorTime.Read(System),
            Disk = disks.Aggregate(
                (all, disk) =>
                    all is null || disk is null ? null : new(all.ReadBytes + disk.ReadBytes, all.WriteBytes + disk.WriteBytes)
            ),
            LoadAverage = EnvironmentReader.ReadLoadAverage(System),
            Host = EngineFigures.Sum(hosts.Select(host => host.Counters).Prepend(workload.Counters)),
            Hosts = hosts,
        };
    }

    /// <summary>The usage with the open connections of each process, where hosts have processes of their own.</summary>
    public EngineUsage WithConnections()
    {
        if (Hosts.Count == 0)
            return this;
        var connections = new ProcessConnections();
        return this with
        {
            Own = Counted(Own),
            Hosts = [.. Hosts.Select(host => host with { Process = Counted(host.Process) })],
        };

        ProcessUsage Counted(ProcessUsage process) => process with { Connections = connections.Of(process.Id) };
    }

    /// <summary>Counters of the workers since <paramref name="before"/>.</summary>
    public HostCounters HostSince(EngineUsage before) => EngineFigures.Difference(Host, before.Host);

    /// <summary>What each process has used and done since <paramref name="before"/>; null when the host is in this process.</summary>
    public HostedProcesses? ProcessesSince(EngineUsage before) =>
        Hosts.Count == 0
            ? null
            : new()
            {
                Generator = new()
                {
                    ProcessId = Own.Id,
                    CpuMs = Own.ProcessorMs - before.Own.ProcessorMs,
                    WorkingSetBytes = Own.WorkingSetBytes,
                    PeakWorkingSetBytes = Own.PeakWorkingSetBytes,
                    Connections = Own.Connections,
                },
                Hosts = [.. Hosts.Zip(before.Hosts, Figures)],
            };

    public IReadOnlyDictionary<string, MetricValue> Since(EngineUsage before)
    {
        var host = HostSince(before);
        int[] collections = [.. Collections.Zip(before.Collections, (now, then) => now - then)];
        return new Dictionary<string, MetricValue>
        {
            [MetricNames.EngineCpu] = MetricValue.Of(ProcessorMs - before.ProcessorMs, "ms"),
            [MetricNames.MachineCpu] = (MachineProcessor - before.MachineProcessor) is { } machine
                ? MetricValue.Of(machine.TotalMilliseconds, "ms")
                : MetricValue.Missing("The system does not report it."),
            [MetricNames.Allocated] = MetricValue.Of(AllocatedBytes - before.AllocatedBytes, "bytes"),
            ["gen0Collections"] = MetricValue.Of(collections[0]),
            ["gen1Collections"] = MetricValue.Of(collections[1]),
            [MetricNames.FullCollections] = MetricValue.Of(collections[2]),
            [MetricNames.CollectionPause] = MetricValue.Of(
                Processes.Sum(process => process.CollectionPauseMs) - before.Processes.Sum(process => process.CollectionPauseMs),
                "ms"
            ),
            [MetricNames.PeakWorkingSet] = MetricValue.Of(Processes.Sum(process => process.PeakWorkingSetBytes), "bytes"),
            ["loadAverageAtStart"] = Load(before.LoadAverage),
            ["loadAverageAtEnd"] = Load(LoadAverage),
            ["batches"] = MetricValue.Of(host.Batches),
            [MetricNames.EmptyClaims] = MetricValue.Of(host.EmptyClaims),
            ["signals"] = MetricValue.Of(host.Signals),
            ["directSignals"] = MetricValue.Of(host.DirectSignals),
            [MetricNames.Conflicts] = MetricValue.Of(host.Conflicts),
            ["handlerFailures"] = MetricValue.Of(host.HandlerFailures),
            ["staleSignals"] = MetricValue.Of(host.StaleSignals),
            ["deferred"] = MetricValue.Of(host.Deferred),
            ["backendFailures"] = MetricValue.Of(host.BackendFailures),
        };
    }

    /// <summary>The usage as a line of the samples.</summary>
    public EngineSample SampleSince(EngineUsage before) =>
        new(
            ProcessorMs - before.ProcessorMs,
            AllocatedBytes - before.AllocatedBytes,
            [.. Collections.Zip(before.Collections, (now, then) => now - then)],
            WorkingSetBytes,
            EngineFigures.Recorded(HostSince(before))
        )
        {
            DiskReadBytes = Disk?.ReadBytes - before.Disk?.ReadBytes,
            DiskWriteBytes = Disk?.WriteBytes - before.Disk?.WriteBytes,
        };

    private static HostFigures Figures(HostUsage after, HostUsage before) =>
        new()
        {
            Number = after.Number,
            ProcessId = after.Process.Id,
            CpuMs = after.Process.ProcessorMs - before.Process.ProcessorMs,
            WorkingSetBytes = after.Process.WorkingSetBytes,
            PeakWorkingSetBytes = after.Process.PeakWorkingSetBytes,
            Connections = after.Process.Connections,
            Clock = after.Clock,
            Counters = EngineFigures.Recorded(EngineFigures.Difference(after.Counters, before.Counters)),
        };

    private static MetricValue Load(double? load) =>
        load is { } value ? MetricValue.Of(value) : MetricValue.Missing("The system does not report it.");
}
