namespace Serdica.Perf.Cli.Floors;

/// <summary>What `floor` was asked for.</summary>
internal sealed record FloorRequest
{
    /// <summary>Numbers of callers, in the order in which they are measured.</summary>
    public required IReadOnlyList<int> Callers { get; init; }

    /// <summary>How many times the four measurements of each number of callers are repeated.</summary>
    public required int Blocks { get; init; }

    /// <summary>Duration of each measurement in whole seconds; the engine measures for about this time.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Overrides the variables; null leaves the choice to them.</summary>
    public required DatabaseSourceKind? Source { get; init; }

    /// <summary>Where the folder of the measurement is made.</summary>
    public required string Output { get; init; }

    public required bool Json { get; init; }
}
