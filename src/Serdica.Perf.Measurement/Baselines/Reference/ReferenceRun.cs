using System.Text.Json;
using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Baselines;

/// <summary>When and on what the reference was measured.</summary>
public sealed record ReferenceRun
{
    public required DateOnly Date { get; init; }

    public required ReferenceDatabase Database { get; init; }

    /// <summary>By what, for instance <c>cpu</c>; null where the document is silent.</summary>
    public required IReadOnlyDictionary<string, JsonElement?> Hardware { get; init; }

    [JsonIgnore]
    public bool HardwareUnknown => Hardware.Values.All(value => value is null || value.Value.ValueKind == JsonValueKind.Null);
}
