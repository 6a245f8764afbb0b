using Serdica.Perf.Results.Samples;

namespace Serdica.Perf.Results.LoadTests;

/// <summary>What one of several host processes used and did during a step, from its start to the end of its drain.</summary>
public sealed record HostFigures
{
    /// <summary>The number of the host, from 1.</summary>
    public required int Number { get; init; }

    public required int ProcessId { get; init; }

    /// <summary>Processor time in milliseconds.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Memory at the end of the step.</summary>
    public required long WorkingSetBytes { get; init; }

    /// <summary>The highest memory since the start of the process.</summary>
    public required long PeakWorkingSetBytes { get; init; }

    /// <summary>Open TCP connections at the end of the step; null where the system does not report them.</summary>
    public int? Connections { get; init; }

    /// <summary>Signals and activities that it handled, its claims, and its conflicts with other hosts.</summary>
    public required EngineCounters Counters { get; init; }
}
