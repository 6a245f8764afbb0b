using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>An absolute bound on a figure of the candidate, in the figure's own unit.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record Objective
{
    /// <summary>With the backend in front; <c>*</c> stands for any letters.</summary>
    public string Scenario { get; init; } = "*";

    /// <summary>For instance <c>p99</c>.</summary>
    public required string Metric { get; init; }

    /// <summary>Null without a lower bound.</summary>
    public double? Least { get; init; }

    /// <summary>Null without an upper bound.</summary>
    public double? Most { get; init; }
}
