using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>When a run is so far from a limit that the rest of it is not worth its time.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record AbortRule
{
    /// <summary>Repeats of a scenario that must all be as bad; default 3.</summary>
    public int AfterRepeats { get; init; } = 3;

    /// <summary>How far beyond the limit: with 2, half of a least throughput or twice of a highest latency. Default 2.</summary>
    public double Factor { get; init; } = 2;
}
