using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>A breach that is known and shown, and does not fail the gate until it expires.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record Quarantine
{
    /// <summary>With the backend in front; <c>*</c> stands for any letters.</summary>
    public required string Scenario { get; init; }

    public string Metric { get; init; } = "*";

    /// <summary>For people: why, and who looks after it.</summary>
    public required string Reason { get; init; }

    /// <summary>The last day on which it holds, UTC.</summary>
    public required DateOnly Expires { get; init; }
}
