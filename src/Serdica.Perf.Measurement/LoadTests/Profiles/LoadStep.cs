using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>One step of a profile.</summary>
public sealed record LoadStep
{
    /// <value>Lower case with hyphens; a part of file names.</value>
    public required string Name { get; init; }

    /// <value>Which repeat, from 1; null of a step that is not repeated.</value>
    public int? Repeat { get; init; }

    /// <summary>What it is called in results: its name, and the number of the repeat where there are several.</summary>
    [JsonIgnore]
    public string Title => Repeat is { } number ? $"{Name} #{number}" : Name;

    public required LoadKind Kind { get; init; }

    /// <value>Arrivals a second of an open step; null when <see cref="ShareOfMaximum"/> decides, or the step is not open.</value>
    public double? PerSecond { get; init; }

    /// <value>The same as a part of the maximum that a closed load right before has shown.</value>
    public double? ShareOfMaximum { get; init; }

    /// <value>How long operations are begun; of no meaning for a burn-down.</value>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(10);

    /// <value>No more than so many operations; null is as many as the duration holds.</value>
    public int? Operations { get; init; }

    /// <value>Users that are there at the begin. Of a closed step: all of them.</value>
    public int MinUsers { get; init; } = 16;

    /// <value>An open step adds users when none is free, up to so many in flight at once.</value>
    public int MaxUsers { get; init; } = 4_096;

    /// <value>Operations that are made ready before the workers of a burn-down start.</value>
    public int Backlog { get; init; }

    /// <value>Of an open step whose rate alternates; its <see cref="PerSecond"/> is the mean then. Default: a constant rate.</value>
    public RateWave? Wave { get; init; }

    /// <value>Of an open step whose arrivals pause while the backlog is large; default: they never pause.</value>
    public BacklogBounds? BacklogBetween { get; init; }

    /// <value>Instances that are read back a second, beside the operations; default 0.</value>
    public double ReadsPerSecond { get; init; }

    /// <value>Default <see cref="ArrivalPattern.Uniform"/>.</value>
    public ArrivalPattern Arrivals { get; init; }
}
