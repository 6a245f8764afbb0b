namespace Serdica.Perf.Results.Runs;

/// <summary>
/// Equal work at rising numbers of callers on one backend: where more callers stop paying off, and the scalability law fitted to
/// the levels.
/// </summary>
/// <remarks>
/// <para>
/// The <b>knee</b> is the first level whose throughput is less than 10 % above that of the level below, while its p95 is at
/// least twice that of the last level that grew by 10 % or more. Directly after such a level, the p95 is compared with the
/// level below. After a flat level it is not: by Little's law, twice the callers at a constant throughput only double the
/// latency, so a ladder that saturates in small steps would never show its knee.
/// </para>
/// <para>
/// A level is <b>comfortable</b> as long as throughput grows by 10 % or more and by a larger factor than p95. Throughput over
/// latency then still rises: L. Kleinrock's <i>power</i>, whose maximum he proposed as the operating point ("Power and
/// deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979).
/// </para>
/// </remarks>
public sealed record CapacityLadder
{
    /// <summary>Throughput is flat when it grows by less than this share from level to level.</summary>
    public const double LeastGrowth = 0.10;

    /// <summary>With flat throughput, this many times the p95 of the last level that grew makes the knee.</summary>
    public const double KneeLatency = 2;

    private const string RungPrefix = "signal-roundtrip-capacity-c";

    public required string Backend { get; init; }

    /// <summary>What the callers did between two operations; all levels of a ladder share it.</summary>
    public required LoadModel Load { get; init; }

    /// <summary>The levels that passed with enough operations for their figures, in order of rising callers.</summary>
    public required IReadOnlyList<LadderRung> Rungs { get; init; }

    /// <summary>Callers of the last level before the first under pressure; null for a ladder without levels.</summary>
    public int? LastComfortable { get; init; }

    /// <summary>Callers of the first level that is not comfortable; null when all are.</summary>
    public int? FirstPressure { get; init; }

    /// <summary>Callers of the knee; null when no level has reached it.</summary>
    public int? Knee { get; init; }

    /// <summary>The Universal Scalability Law fitted to the levels; null when the fit was refused.</summary>
    public ScalabilityFit? Fit { get; init; }

    /// <summary>Why there is no fit, in one sentence; null when there is one.</summary>
    public string? FitRefusal { get; init; }

    /// <summary>The name of the scenario of a level.</summary>
    public static string RungName(int concurrency) => $"{RungPrefix}{concurrency}";

    /// <summary>Whether a scenario is a level of a ladder.</summary>
    public static bool IsRung(string scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return scenario.StartsWith(RungPrefix, Ordinal);
    }
}

/// <summary>One level of a <see cref="CapacityLadder"/>.</summary>
/// <param name="Concurrency">The number of callers.</param>
/// <param name="ThroughputPerSecond">Completed operations a second; the median of several repeats.</param>
/// <param name="P95Ms">95th percentile of the latency in milliseconds; the median of several repeats.</param>
/// <param name="Growth">Throughput relative to the level below, minus one: 0.1 is 10 % more. Null for the lowest level.</param>
/// <param name="P95Ratio">p95 relative to the level below. Null for the lowest level.</param>
/// <param name="Verdict">The verdict on the level.</param>
public sealed record LadderRung(
    int Concurrency,
    double ThroughputPerSecond,
    double P95Ms,
    double? Growth,
    double? P95Ratio,
    RungVerdict Verdict
);

/// <summary>The verdict on a level; along a ladder it never returns to an earlier one.</summary>
public enum RungVerdict
{
    /// <summary>More callers brought more throughput, and latency rose by less than throughput did.</summary>
    Comfortable,

    /// <summary>More callers raise throughput, but latency rises by a larger factor.</summary>
    Pressure,

    /// <summary>The first level at which throughput hardly grows while p95 has doubled.</summary>
    Knee,

    /// <summary>Above the knee.</summary>
    Saturated,
}
