namespace Serdica.Perf.Results.Profiles;

/// <summary>What a step must keep, besides that every operation is accounted for and none fails.</summary>
public sealed record StepObjectives
{
    /// <value>The highest p99 of the response time; default none.</value>
    public TimeSpan? P99 { get; init; }

    /// <value>The highest part of operations that fail for real, 0 to 1; default 0.</value>
    public double ErrorRate { get; init; }

    /// <value>The highest part of arrivals that begin late or never, 0 to 1; default none, but dropped ones always fail.</value>
    public double? Lateness { get; init; }
}
