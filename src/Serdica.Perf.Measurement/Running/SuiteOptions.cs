namespace Serdica.Perf.Measurement.Running;

/// <summary>The name of a run and its location.</summary>
internal sealed record SuiteOptions
{
    /// <value>The folder that contains run folders; default <see cref="RunFolder.DefaultRoot"/>.</value>
    public string OutputRoot { get; init; } = RunFolder.DefaultRoot;

    /// <value>The backends in the name of the run folder, joined by <c>+</c>.</value>
    public required string Backends { get; init; }

    /// <value>The tier, or <c>scenario</c>, in the name of the run folder.</value>
    public required string Tier { get; init; }

    /// <value>The command that repeats the run; it must contain no secret.</value>
    public required string Command { get; init; }

    /// <value>Whether each operation is kept, as a line of <c>operations.ndjson</c>; default false.</value>
    public bool KeepOperations { get; init; }

    /// <value>How long the cost of a flush is measured on each server's volume; default 2 s.</value>
    public TimeSpan FsyncProbe { get; init; } = Serdica.Perf.Results.Machine.FsyncProbe.DefaultDuration;

    public EnvironmentOptions Environment { get; init; } = EnvironmentOptions.FromVariables();

    /// <summary>These options, with git asked for the commit in another folder; null leaves them as they are.</summary>
    public SuiteOptions MeasuringSourcesIn(string? folder) =>
        folder is null ? this : this with { Environment = Environment with { SourceDirectory = folder } };
}

/// <summary>Receives the progress of a run. Calls do not overlap.</summary>
internal interface IRunObserver
{
    /// <summary>A sentence for people, for instance that a server is being started.</summary>
    void Note(string sentence);

    /// <summary>A scenario starts; <paramref name="progress"/> shows its progress until it has ended.</summary>
    void ScenarioStarted(ScenarioProgress progress);

    /// <param name="judged">The verdict on it as a step; null for a scenario by itself.</param>
    void ScenarioEnded(ScenarioResult result, JudgedStep? judged);
}

/// <summary>
/// The verdict on a step of a load test, or on a queue test. Its scenario has only passed or failed, and a degraded step has passed.
/// </summary>
/// <param name="Reasons">One sentence for each reason; empty for a step that passed.</param>
internal sealed record JudgedStep(StepVerdict Verdict, IReadOnlyList<string> Reasons);
