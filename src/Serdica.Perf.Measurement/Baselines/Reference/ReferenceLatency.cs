namespace Serdica.Perf.Measurement.Baselines;

/// <summary>Milliseconds as printed; the reference gives no sample counts.</summary>
public sealed record ReferenceLatency
{
    public double? AverageMs { get; init; }

    public double? P95Ms { get; init; }

    public double? P99Ms { get; init; }

    public double? MaxMs { get; init; }
}
