namespace Serdica.Perf.Measurement.Results;

/// <summary>What a soak shows that no single throughput does: how the run went on, interval by interval.</summary>
public sealed record SoakResult
{
    /// <summary>Operations a second of the calibration, a closed load right before the soak.</summary>
    public required double MaximumPerSecond { get; init; }

    /// <summary>The part of the maximum that arrives, for instance 0.7.</summary>
    public required double Utilisation { get; init; }

    /// <summary>Arrivals a second.</summary>
    public required double OfferedPerSecond { get; init; }

    /// <summary>Intervals that lie within the time that was asked for; what completed later is in none.</summary>
    public IReadOnlyList<SoakInterval> Intervals { get; init; } = [];

    /// <summary>Throughput, latency and gauges over the intervals, each with its trend.</summary>
    public IReadOnlyList<SoakSeries> Series { get; init; } = [];
}
