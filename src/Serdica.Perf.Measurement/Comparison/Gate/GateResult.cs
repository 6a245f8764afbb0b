namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>What the gate says of a candidate.</summary>
public sealed record GateResult
{
    /// <summary>Not empty when the gate fails.</summary>
    public IReadOnlyList<GateBreach> Breaches { get; init; } = [];

    /// <summary>Breaches that a quarantine excuses.</summary>
    public IReadOnlyList<GateBreach> Quarantined { get; init; } = [];

    /// <summary>One sentence for each limit that could not be judged, and for each quarantine that has expired.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
