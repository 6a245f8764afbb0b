namespace Serdica.Perf.Results.Runs;

/// <summary>
/// The same work at rising numbers of callers on one backend: where more callers stop to pay, and the law that the rungs
/// follow.
/// </summary>
/// <remarks>
/// <para>
/// The <b>knee</b> is the first rung whose throughput is less than 10 % above that of the rung below, while its p95 is at
/// least twice that of the last rung that did grow by so much. Directly behind such a rung that is the rung below. Behind
/// a flat one it is not: by Little's law twice the callers at a constant throughput just double the latency, and so a
/// ladder that saturates in small steps would never show its knee.
/// </para>
/// <para>
/// A rung is <b>comfortable</b> as long as throughput grows by 10 % or more and by a larger factor than p95, which is to
/// say that throughput over latency still rises: L. Kleinrock's <i>power</i>, whose maximum he proposed as the point to
/// work at ("Power and deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979).
/// </para>
/// </remarks>
public sealed record CapacityLadder
{
    /// <summary>Throughput that grows by less than this part from rung to rung is flat.</summary>
    public const double LeastGrowth = 0.10;

    /// <summary>So many times the p95 of the last rung that paid is too much for flat throughput.</summary>
    public const double KneeLatency = 2;

    private const string RungPrefix = "signal-roundtrip-capacity-c";

    public required string Backend { get; init; }

    /// <summary>What the callers did between two operations; the rungs of a ladder share it.</summary>
    public required LoadModel Load { get; init; }

    /// <summary>By rising concurrency; only rungs that passed.</summary>
    public required IReadOnlyList<LadderRung> Rungs { get; init; }

    /// <summary>Callers of the last rung before the first under pressure; null for a ladder without rungs.</summary>
    public int? LastComfortable { get; init; }

    /// <summary>Callers of the first rung that is not comfortable; null when all are.</summary>
    public int? FirstPressure { get; init; }

    /// <summary>Callers of the knee; null when no rung has reached it.</summary>
    public int? Knee { get; init; }

    /// <summary>The Universal Scalability Law through the rungs; null when it was refused.</summary>
    public ScalabilityFit? Fit { get; init; }

    /// <summary>One sentence: why there is no fit; null when there is one.</summary>
    public string? FitRefusal { get; init; }

    /// <summary>The name of the scenario that is a rung.</summary>
    public static string RungName(int concurrency) => $"{RungPrefix}{concurrency}";

    /// <summary>Whether a scenario is a rung.</summary>
    public static bool IsRung(string scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return scenario.StartsWith(RungPrefix, StringComparison.Ordinal);
    }
}

/// <summary>One rung of a <see cref="CapacityLadder"/>.</summary>
/// <param name="Concurrency">Callers.</param>
/// <param name="ThroughputPerSecond">Completed operations a second; of several repeats the median.</param>
/// <param name="P95Ms">95th percentile of the latency; of several repeats the median.</param>
/// <param name="Growth">Throughput over that of the rung below, less one: 0.1 is 10 % more. Null for the lowest rung.</param>
/// <param name="P95Ratio">p95 over that of the rung below. Null for the lowest rung.</param>
/// <param name="Verdict">What the rung says.</param>
public sealed record LadderRung(
    int Concurrency, double ThroughputPerSecond, double P95Ms, double? Growth, double? P95Ratio, RungVerdict Verdict);

/// <summary>What a rung of a ladder says; along a ladder it never goes back to an earlier one.</summary>
public enum RungVerdict
{
    /// <summary>More callers brought more throughput, and latency rose by less than throughput did.</summary>
    Comfortable,

    /// <summary>More callers still fit, but they pay with more latency than they gain in throughput.</summary>
    Pressure,

    /// <summary>The first rung where throughput hardly grows while p95 has doubled.</summary>
    Knee,

    /// <summary>Above the knee.</summary>
    Saturated,
}
