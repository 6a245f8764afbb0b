using System.Text.Json.Serialization;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Baselines;

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
