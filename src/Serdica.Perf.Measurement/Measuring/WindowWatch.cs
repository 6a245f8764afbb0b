namespace Serdica.Perf.Measurement.Measuring;

/// <summary>What is observed during a measured window.</summary>
/// <param name="Statistics">The server's statistics; <see langword="null"/> when there are none, or they are not wanted.</param>
/// <param name="ReadUsageAsync">Reads what the server has used, null when unknown; <see langword="null"/> when it is not wanted.</param>
/// <param name="Write">Writes the samples; <see langword="null"/> when they are not wanted.</param>
internal sealed record WindowWatch(
    ScenarioProgress Progress,
    IBackendStatistics? Statistics,
    Func<CancellationToken, Task<ServerUsage?>>? ReadUsageAsync,
    Action<Sample>? Write
)
{
    /// <summary>See <see cref="FsyncProbeResult.WritesMissing"/>.</summary>
    public string? WritesMissing { get; init; }

    /// <summary>See <see cref="EnvironmentOptions.SystemRoot"/>.</summary>
    public string SystemRoot { get; init; } = new EnvironmentOptions().SystemRoot;

    /// <summary>Processors of the whole machine, of which this process may be allowed fewer.</summary>
    public int MachineCores { get; init; } = Environment.ProcessorCount;
}
