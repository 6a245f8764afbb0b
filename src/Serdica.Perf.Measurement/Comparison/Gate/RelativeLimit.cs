using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>A regression by more than this is a breach. What may be noise is none, however large it is.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record RelativeLimit
{
    /// <summary>With the backend in front; <c>*</c> stands for any letters.</summary>
    public string Scenario { get; init; } = "*";

    /// <summary>For instance <c>throughput</c>; <c>*</c> stands for any letters.</summary>
    public required string Metric { get; init; }

    /// <summary>0.1 allows 10 % less throughput, or 10 % more of anything else.</summary>
    public required double WorseBy { get; init; }
}
