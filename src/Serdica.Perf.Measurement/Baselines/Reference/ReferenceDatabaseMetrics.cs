namespace Serdica.Perf.Measurement.Baselines;

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
