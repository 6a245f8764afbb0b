using System.Text.Json;
using System.Text.Json.Serialization;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Reference;

/// <summary>
/// A published baseline of somebody else's suite: read-only, with null for what its document does not print. Shaped like a
/// <see cref="RunResult"/> as far as it has the same figures.
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

/// <summary>The database of a <see cref="ReferenceRun"/>.</summary>
public sealed record ReferenceDatabase
{
    public required string Product { get; init; }

    public required string Version { get; init; }

    public string? DockerImage { get; init; }

    public string? Transport { get; init; }
}

/// <summary>One row of a <see cref="ReferenceBaseline"/>. The names are those of <see cref="ScenarioResult"/> where the meaning is the same.</summary>
public sealed record ReferenceScenario
{
    /// <summary>With the reference's backend in front.</summary>
    public required string Name { get; init; }

    /// <summary>Without backend.</summary>
    [JsonPropertyName("scenarioKey")]
    public required string Scenario { get; init; }

    public required string Tier { get; init; }

    public required int Operations { get; init; }

    public required int Concurrency { get; init; }

    [JsonPropertyName("signalWorkers")]
    public int? Workers { get; init; }

    /// <summary>Includes the drain.</summary>
    public required double DurationMs { get; init; }

    /// <summary>As printed: over the duration, which includes the drain.</summary>
    [JsonPropertyName("throughputOpsPerSecond")]
    public required double ThroughputPerSecond { get; init; }

    /// <summary>From an operation's start to the end of the drain of the whole wave.</summary>
    [JsonPropertyName("latency")]
    public required ReferenceLatency LatencyToDrain { get; init; }

    /// <summary>By phase; <c>signalToCompletion</c> includes the drain too.</summary>
    [JsonPropertyName("phaseLatency")]
    public required IReadOnlyDictionary<string, ReferenceLatency> Phases { get; init; }

    /// <summary>By name, for instance <c>deadLetteredSignals</c>.</summary>
    public required IReadOnlyDictionary<string, long?> Counters { get; init; }

    [JsonPropertyName("oracleMetrics")]
    public required ReferenceDatabaseMetrics Database { get; init; }

    /// <summary>The wait that led; null where none is named.</summary>
    [JsonIgnore]
    public string? TopWait => Database.TopWaits.Count > 0 ? Database.TopWaits[0].Name : null;

    /// <summary>A total divided by the operations; our arithmetic on a printed figure.</summary>
    public double? PerOperation(double? total) => total / Operations;
}

/// <summary>Milliseconds as printed; the reference gives no sample counts.</summary>
public sealed record ReferenceLatency
{
    public double? AverageMs { get; init; }

    public double? P95Ms { get; init; }

    public double? P99Ms { get; init; }

    public double? MaxMs { get; init; }
}

/// <summary>What the reference's database did in one scenario, as totals.</summary>
public sealed record ReferenceDatabaseMetrics
{
    public double? UserCommits { get; init; }

    public double? UserRollbacks { get; init; }

    public double? SessionLogicalReads { get; init; }

    public double? RedoSizeBytes { get; init; }

    public double? DbTimeMicroseconds { get; init; }

    public double? DbCpuMicroseconds { get; init; }

    /// <summary>The longest first.</summary>
    public required IReadOnlyList<ReferenceWait> TopWaits { get; init; }
}

/// <summary>A wait that the reference names.</summary>
/// <param name="Rank">From 1.</param>
/// <param name="Name">As the database calls it.</param>
/// <param name="TimeMicroseconds">Null where only the name is printed.</param>
public sealed record ReferenceWait(int Rank, string Name, double? TimeMicroseconds);
