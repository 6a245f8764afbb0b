namespace Serdica.Perf.Analysis.Reference;

/// <summary>
/// A published baseline of another suite: read-only, without the figures that its document does not print. It is shaped like a
/// <see cref="RunResult"/> as far as the figures are the same.
/// </summary>
internal sealed record ReferenceBaseline
{
    private const string OracleAqResource = "oracle-aq-2026-03-17.json";

    private static readonly Lazy<ReferenceBaseline> LazyOracleAq = new(ReadOracleAq);

    /// <summary>The Oracle AQ baseline that this suite follows, from <c>docs/baselines/reference/</c>.</summary>
    public static ReferenceBaseline OracleAq => LazyOracleAq.Value;

    /// <summary>The backend, for instance <c>oracle-aq</c>.</summary>
    public required string Backend { get; init; }

    /// <summary>The source of the figures.</summary>
    public required string About { get; init; }

    public required ReferenceRun Run { get; init; }

    /// <summary>Assumptions about units, by figure.</summary>
    public required IReadOnlyDictionary<string, string> UnitNotes { get; init; }

    public required IReadOnlyDictionary<string, string> ReadingNotes { get; init; }

    public required IReadOnlyList<ReferenceScenario> Scenarios { get; init; }

    /// <summary>The scenario by its name without the backend; null when the reference has none of that name.</summary>
    public ReferenceScenario? Find(string scenario) => Scenarios.FirstOrDefault(candidate => candidate.Scenario == scenario);

    private static ReferenceBaseline ReadOracleAq()
    {
        using var stream = typeof(ReferenceBaseline).Assembly.GetManifestResourceStream(OracleAqResource)
            ?? throw new InvalidOperationException($"The build lacks the resource {OracleAqResource}.");
        return JsonSerializer.Deserialize<ReferenceBaseline>(stream, MeasurementJson.Artifacts)
            ?? throw new InvalidOperationException($"The resource {OracleAqResource} is empty.");
    }
}

/// <summary>When and on what the reference was measured.</summary>
internal sealed record ReferenceRun
{
    public required DateOnly Date { get; init; }

    public required ReferenceDatabase Database { get; init; }

    /// <summary>Hardware by kind, for instance <c>cpu</c>, as far as the document states it.</summary>
    public required IReadOnlyDictionary<string, JsonElement> Hardware { get; init; }

    [JsonIgnore]
    public bool HardwareUnknown => Hardware.Count == 0;
}

/// <summary>The database of a <see cref="ReferenceRun"/>.</summary>
internal sealed record ReferenceDatabase
{
    public required string Product { get; init; }

    public required string Version { get; init; }

    public string? DockerImage { get; init; }

    public string? Transport { get; init; }
}

/// <summary>
/// One row of a <see cref="ReferenceBaseline"/>. The names are those of <see cref="ScenarioResult"/> where the meaning is the same.
/// </summary>
internal sealed record ReferenceScenario
{
    /// <summary>The name, starting with the reference's backend.</summary>
    public required string Name { get; init; }

    /// <summary>The name without the backend.</summary>
    [JsonPropertyName("scenarioKey")]
    public required string Scenario { get; init; }

    public required string Tier { get; init; }

    public required int Operations { get; init; }

    public required int Concurrency { get; init; }

    [JsonPropertyName("signalWorkers")]
    public int? Workers { get; init; }

    /// <summary>The duration in milliseconds, including the drain.</summary>
    public required double DurationMs { get; init; }

    /// <summary>Throughput as printed: over the duration, which includes the drain.</summary>
    [JsonPropertyName("throughputOpsPerSecond")]
    public required double ThroughputPerSecond { get; init; }

    /// <summary>From an operation's start to the end of the drain of the whole wave.</summary>
    [JsonPropertyName("latency")]
    public required ReferenceLatency LatencyToDrain { get; init; }

    /// <summary>Latencies by phase; <c>signalToCompletion</c> includes the drain too.</summary>
    [JsonPropertyName("phaseLatency")]
    public required IReadOnlyDictionary<string, ReferenceLatency> Phases { get; init; }

    /// <summary>Counters by name, for instance <c>deadLetteredSignals</c>.</summary>
    public required IReadOnlyDictionary<string, long> Counters { get; init; }

    [JsonPropertyName("oracleMetrics")]
    public required ReferenceDatabaseMetrics Database { get; init; }

    /// <summary>The longest wait; null where none is named.</summary>
    [JsonIgnore]
    public string? TopWait => Database.TopWaits.Count > 0 ? Database.TopWaits[0].Name : null;

    /// <summary>A total divided by the operations; calculated by us from a printed figure.</summary>
    public double? PerOperation(double? total) => total / Operations;
}

/// <summary>Milliseconds as printed; the reference gives no sample counts.</summary>
internal sealed record ReferenceLatency
{
    public double? AverageMs { get; init; }

    public double? P95Ms { get; init; }

    public double? P99Ms { get; init; }

    public double? MaxMs { get; init; }
}

/// <summary>Totals of the reference's database in one scenario.</summary>
internal sealed record ReferenceDatabaseMetrics
{
    public double? UserCommits { get; init; }

    public double? UserRollbacks { get; init; }

    public double? SessionLogicalReads { get; init; }

    public double? RedoSizeBytes { get; init; }

    public double? DbTimeMicroseconds { get; init; }

    public double? DbCpuMicroseconds { get; init; }

    /// <summary>The waits, the longest first.</summary>
    public required IReadOnlyList<ReferenceWait> TopWaits { get; init; }
}

/// <summary>A wait that the reference names.</summary>
/// <param name="Rank">The rank, from 1.</param>
/// <param name="Name">The name as the database calls it.</param>
/// <param name="TimeMicroseconds">Time in microseconds; null where only the name is printed.</param>
internal sealed record ReferenceWait(int Rank, string Name, double? TimeMicroseconds);
