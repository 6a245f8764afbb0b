namespace Serdica.Perf.Measurement.Analysis;

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
