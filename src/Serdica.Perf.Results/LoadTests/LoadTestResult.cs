using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Results.LoadTests;

/// <summary>A whole load test: the content of <c>load.json</c>, beside the <c>summary.json</c> of its run folder.</summary>
public sealed record LoadTestResult
{
    public const int CurrentSchemaVersion = 1;

    public int SchemaVersion { get; init; } = CurrentSchemaVersion;

    /// <summary>The worst of the steps.</summary>
    public required StepVerdict Verdict { get; init; }

    /// <summary>The name of the run folder.</summary>
    public required string RunId { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required string Backend { get; init; }

    /// <summary>As it was run: scaled, with the options of the command line.</summary>
    public required LoadProfile Profile { get; init; }

    /// <summary>By how much durations were shortened.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>Generators, each a process with a store of its own.</summary>
    public int Generators { get; init; } = 1;

    /// <summary>What one generator can begin a second when operations do nothing, measured right before; summed over generators.</summary>
    public double GeneratorCeilingPerSecond { get; init; }

    /// <summary>What a closed load right before has shown; null when nobody asked for a part of it.</summary>
    public double? MaximumPerSecond { get; init; }

    public required IReadOnlyList<StepResult> Steps { get; init; }

    /// <summary>When what went on, in order; of several generators that of the first, whose steps begin with those of the others.</summary>
    public IReadOnlyList<LoadPhase> Phases { get; init; } = [];

    /// <summary>Of a search for the highest rate; null of other tests.</summary>
    public FoundMaximum? Found { get; init; }

    /// <summary>What to type to repeat it.</summary>
    public required string Command { get; init; }
}

/// <summary>The highest rate that held.</summary>
/// <param name="PerSecond">Null when none did.</param>
/// <param name="LowestFailed">The lowest rate above it that failed; null when none was tried.</param>
/// <param name="Confirmed">Whether a longer step at it held too.</param>
/// <param name="Sentence">The finding in words.</param>
public sealed record FoundMaximum(double? PerSecond, double? LowestFailed, bool Confirmed, string Sentence);
