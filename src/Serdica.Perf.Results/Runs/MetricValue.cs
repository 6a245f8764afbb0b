namespace Serdica.Perf.Results.Runs;

/// <summary>A figure that a database may or may not have. Without a value there is a reason.</summary>
public sealed record MetricValue
{
    public double? Value { get; init; }

    /// <summary>For instance <c>bytes</c>, <c>us</c>; null for a plain count.</summary>
    public string? Unit { get; init; }

    /// <summary>Why there is no value; null when there is one.</summary>
    public string? Reason { get; init; }

    public static MetricValue Of(double value, string? unit = null) => new() { Value = value, Unit = unit };

    public static MetricValue Missing(string reason) => new() { Reason = reason };
}
