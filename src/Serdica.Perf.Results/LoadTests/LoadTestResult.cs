namespace Serdica.Perf.Results.LoadTests;

/// <summary>A whole load test: the content of <c>load.json</c>, beside the <c>summary.json</c> of its run folder.</summary>
public sealed record LoadTestResult
{
    public const int CurrentSchemaVersion = 1;

    public int SchemaVersion { get; init; } = CurrentSchemaVersion;

    /// <summary>The worst verdict of all steps.</summary>
    public required StepVerdict Verdict { get; init; }

    /// <summary>The name of the run folder.</summary>
    public required string RunId { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required string Backend { get; init; }

    /// <summary>The profile that was run, with scale and command-line options applied.</summary>
    public required LoadProfile Profile { get; init; }

    /// <summary>The factor by which durations were shortened; 1 is unchanged.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>The number of generators. Each is a process with its own store.</summary>
    public int Generators { get; init; } = 1;

    /// <summary>
    /// The number of host processes, which claim from the same store while the generator has no host of its own; 0 when each
    /// generator has its host in its process.
    /// </summary>
    public int Hosts { get; init; }

    /// <summary>
    /// The highest rate that the generators alone hold, in operations a second, with the pacer of the test and a round trip over the
    /// loopback in place of each operation. Measured directly before the test; the sum over all generators.
    /// </summary>
    public double GeneratorCeilingPerSecond { get; init; }

    /// <summary>Operations a second of a closed load directly before the test; null when no step needs a share of it.</summary>
    public double? MaximumPerSecond { get; init; }

    public required IReadOnlyList<StepResult> Steps { get; init; }

    /// <summary>Steps that were not run, because a broken threshold, a failure or the user ended the test before them.</summary>
    public IReadOnlyList<string> NotRun { get; init; } = [];

    /// <summary>
    /// The periods of the test in order. With several generators they are those of the first; steps start at the same time on all.
    /// </summary>
    public IReadOnlyList<LoadPhase> Phases { get; init; } = [];

    /// <summary>The result of a search for the highest rate; null for other tests.</summary>
    public FoundMaximum? Found { get; init; }

    /// <summary>The command that repeats the test.</summary>
    public required string Command { get; init; }
}

/// <summary>The highest rate that was sustained.</summary>
/// <param name="PerSecond">Operations a second; null when no rate was confirmed.</param>
/// <param name="LowestFailed">The lowest rate that failed, in operations a second; null when none did.</param>
/// <param name="Confirmed">Whether a longer step at this rate was sustained too.</param>
/// <param name="Sentence">The result in one sentence.</param>
public sealed record FoundMaximum(double? PerSecond, double? LowestFailed, bool Confirmed, string Sentence)
{
    /// <summary>
    /// The highest rate below <see cref="LowestFailed"/> that was sustained in a trial, in operations a second: with it the bracket of
    /// the limit. Null when none was, and in results of a version that did not record it.
    /// </summary>
    public double? HighestHeld { get; init; }
}
