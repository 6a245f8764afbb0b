namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What one process has used since its start.</summary>
internal sealed record ProcessUsage
{
    public required int Id { get; init; }

    /// <value>Processor time in milliseconds.</value>
    public required double ProcessorMs { get; init; }

    public required long AllocatedBytes { get; init; }

    /// <value>Garbage collections by generation.</value>
    public required IReadOnlyList<int> Collections { get; init; }

    public required double CollectionPauseMs { get; init; }

    public required long WorkingSetBytes { get; init; }

    public required long PeakWorkingSetBytes { get; init; }

    /// <value>Open TCP connections; null where the system does not report them.</value>
    public int? Connections { get; init; }

    /// <summary>Reads the usage of this process.</summary>
    public static ProcessUsage Read()
    {
        using var process = Process.GetCurrentProcess();
        return new()
        {
            Id = process.Id,
            ProcessorMs = process.TotalProcessorTime.TotalMilliseconds,
            AllocatedBytes = GC.GetTotalAllocatedBytes(),
            Collections = [.. Enumerable.Range(0, GC.MaxGeneration + 1).Select(GC.CollectionCount)],
            CollectionPauseMs = GC.GetTotalPauseDuration().TotalMilliseconds,
            WorkingSetBytes = process.WorkingSet64,
            PeakWorkingSetBytes = process.PeakWorkingSet64,
        };
    }
}
