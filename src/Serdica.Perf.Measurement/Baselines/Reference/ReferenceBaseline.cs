using System.Text.Json;

namespace Serdica.Perf.Measurement.Baselines;

/// <summary>
/// A published baseline of somebody else's suite: read-only, with null for what its document does not print. Shaped like a
/// <see cref="Results.RunResult"/> as far as it has the same figures.
/// </summary>
public sealed record ReferenceBaseline
{
    private const string OracleAqResource = "oracle-aq-2026-03-17.json";

    private static readonly Lazy<ReferenceBaseline> LazyOracleAq = new(ReadOracleAq);

    /// <summary>The baseline of Oracle AQ that this suite follows, from <c>docs/baselines/reference/</c>.</summary>
    public static ReferenceBaseline OracleAq => LazyOracleAq.Value;

    /// <summary>For instance <c>oracle-aq</c>.</summary>
    public required string Backend { get; init; }

    /// <summary>Where the figures come from.</summary>
    public required string About { get; init; }

    public required ReferenceRun Run { get; init; }

    /// <summary>By figure, what is assumed of its unit.</summary>
    public required IReadOnlyDictionary<string, string> UnitNotes { get; init; }

    public required IReadOnlyDictionary<string, string> ReadingNotes { get; init; }

    public required IReadOnlyList<ReferenceScenario> Scenarios { get; init; }

    /// <summary>The scenario by its name without backend; null when the reference has none of that name.</summary>
    public ReferenceScenario? Find(string scenario) => Scenarios.FirstOrDefault(candidate => candidate.Scenario == scenario);

    private static ReferenceBaseline ReadOracleAq()
    {
        using var stream = typeof(ReferenceBaseline).Assembly.GetManifestResourceStream(OracleAqResource)
            ?? throw new InvalidOperationException($"The build has left out the resource {OracleAqResource}.");
        return JsonSerializer.Deserialize<ReferenceBaseline>(stream, MeasurementJson.Artifacts)
            ?? throw new InvalidOperationException($"The resource {OracleAqResource} is empty.");
    }
}
