using System.Diagnostics;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Results.Samples;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Measuring;

/// <summary>What this process has used up to a moment; two of them give a difference.</summary>
internal sealed record EngineUsage
{
    private static readonly EnvironmentOptions System = new();

    public required TimeSpan Processor { get; init; }

    public required TimeSpan? MachineProcessor { get; init; }

    public required long AllocatedBytes { get; init; }

    public required IReadOnlyList<int> Collections { get; init; }

    public required TimeSpan CollectionPause { get; init; }

    public required long WorkingSetBytes { get; init; }

    public required long PeakWorkingSetBytes { get; init; }

    /// <summary>Null where the system does not report it.</summary>
    public required DiskUsage? Disk { get; init; }

    public required double? LoadAverage { get; init; }

    public required HostCounters Host { get; init; }

    public static EngineUsage Read(HostCounters host)
    {
        using var process = Process.GetCurrentProcess();
        return new()
        {
            Processor = process.TotalProcessorTime,
            MachineProcessor = MachineProcessorTime.Read(System),
            AllocatedBytes = GC.GetTotalAllocatedBytes(),
            Collections = [.. Enumerable.Range(0, GC.MaxGeneration + 1).Select(GC.CollectionCount)],
            CollectionPause = GC.GetTotalPauseDuration(),
            WorkingSetBytes = process.WorkingSet64,
            PeakWorkingSetBytes = process.PeakWorkingSet64,
            Disk = DiskUsage.Read(System.SystemRoot, "self"),
            LoadAverage = EnvironmentReader.ReadLoadAverage(System),
            Host = host,
        };
    }

    /// <summary>Counters of the workers since <paramref name="before"/>.</summary>
    public HostCounters HostSince(EngineUsage before) => new()
    {
        Batches = Host.Batches - before.Host.Batches,
        EmptyClaims = Host.EmptyClaims - before.Host.EmptyClaims,
        Signals = Host.Signals - before.Host.Signals,
        Conflicts = Host.Conflicts - before.Host.Conflicts,
        HandlerFailures = Host.HandlerFailures - before.Host.HandlerFailures,
        StaleSignals = Host.StaleSignals - before.Host.StaleSignals,
        Deferred = Host.Deferred - before.Host.Deferred,
        DeadLetters = Host.DeadLetters - before.Host.DeadLetters,
        ActivityAttempts = Host.ActivityAttempts - before.Host.ActivityAttempts,
        ActivityFailures = Host.ActivityFailures - before.Host.ActivityFailures,
        BackendFailures = Host.BackendFailures - before.Host.BackendFailures,
    };

    public IReadOnlyDictionary<string, MetricValue> Since(EngineUsage before)
    {
        var host = HostSince(before);
        return new Dictionary<string, MetricValue>
        {
            [MetricNames.EngineCpu] = MetricValue.Of((Processor - before.Processor).TotalMilliseconds, "ms"),
            [MetricNames.MachineCpu] = (MachineProcessor - before.MachineProcessor) is { } machine
                ? MetricValue.Of(machine.TotalMilliseconds, "ms")
                : MetricValue.Missing("The system does not report it."),
            [MetricNames.Allocated] = MetricValue.Of(AllocatedBytes - before.AllocatedBytes, "bytes"),
            ["gen0Collections"] = MetricValue.Of(Collections[0] - before.Collections[0]),
            ["gen1Collections"] = MetricValue.Of(Collections[1] - before.Collections[1]),
            [MetricNames.FullCollections] = MetricValue.Of(Collections[2] - before.Collections[2]),
            [MetricNames.CollectionPause] = MetricValue.Of((CollectionPause - before.CollectionPause).TotalMilliseconds, "ms"),
            [MetricNames.PeakWorkingSet] = MetricValue.Of(PeakWorkingSetBytes, "bytes"),
            ["loadAverageAtStart"] = Load(before.LoadAverage),
            ["loadAverageAtEnd"] = Load(LoadAverage),
            ["batches"] = MetricValue.Of(host.Batches),
            ["emptyClaims"] = MetricValue.Of(host.EmptyClaims),
            ["signals"] = MetricValue.Of(host.Signals),
            ["conflicts"] = MetricValue.Of(host.Conflicts),
            ["handlerFailures"] = MetricValue.Of(host.HandlerFailures),
            ["staleSignals"] = MetricValue.Of(host.StaleSignals),
            ["deferred"] = MetricValue.Of(host.Deferred),
            ["backendFailures"] = MetricValue.Of(host.BackendFailures),
        };
    }

    /// <summary>The usage as a line of the samples.</summary>
    public EngineSample SampleSince(EngineUsage before) => new(
        (Processor - before.Processor).TotalMilliseconds,
        AllocatedBytes - before.AllocatedBytes,
        [.. Collections.Zip(before.Collections, (now, then) => now - then)],
        WorkingSetBytes,
        EngineFigures.Recorded(HostSince(before)))
    {
        DiskReadBytes = Disk?.ReadBytes - before.Disk?.ReadBytes,
        DiskWriteBytes = Disk?.WriteBytes - before.Disk?.WriteBytes,
    };

    private static MetricValue Load(double? load) =>
        load is { } value ? MetricValue.Of(value) : MetricValue.Missing("The system does not report it.");
}
