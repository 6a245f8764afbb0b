using Serdica.Perf.Results.Machine;

namespace Serdica.Perf.Results.Runs;

/// <summary>The result of a whole run: the content of <c>summary.json</c>. It is complete before any writer sees it.</summary>
public sealed record RunResult
{
    /// <summary>Incremented when a reader of the old shape would misunderstand the new one.</summary>
    public const int CurrentSchemaVersion = 1;

    public int SchemaVersion { get; init; } = CurrentSchemaVersion;

    /// <summary>Second in the file, so that a failed or aborted run says so in its first lines.</summary>
    public required RunStatus Status { get; init; }

    /// <summary>
    /// Why the run failed or was aborted, or what a search has found, in one sentence; null when it passed and searched nothing.
    /// </summary>
    public string? StatusReason { get; init; }

    /// <summary>The name of the run folder.</summary>
    public required string RunId { get; init; }

    /// <summary>Set in a published baseline; null in a run folder.</summary>
    public Publication? Publication { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>The command that repeats the run.</summary>
    public required string Command { get; init; }

    public required EnvironmentFingerprint Environment { get; init; }

    public IReadOnlyList<DatabaseDescription> Databases { get; init; } = [];

    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>Every measurement; with <c>--repeat N</c> each repeat is one entry.</summary>
    public IReadOnlyList<ScenarioResult> Scenarios { get; init; } = [];

    /// <summary>One entry for each scenario that was measured more than once: see <see cref="RepeatSummary.Of"/>.</summary>
    public IReadOnlyList<RepeatSummary> Repeats { get; init; } = [];

    /// <summary>One entry for each backend whose capacity was measured at two levels or more: see <see cref="CapacityLadder"/>.</summary>
    public IReadOnlyList<CapacityLadder> Ladders { get; init; } = [];

    public IReadOnlyList<NotMeasured> NotMeasured { get; init; } = [];
}

/// <summary>How a whole run ended.</summary>
public enum RunStatus
{
    /// <summary>Every scenario that was measured passed its verification. Failed trials of a search are ignored.</summary>
    Passed,

    /// <summary>At least one scenario failed, or a search found nothing.</summary>
    Failed,

    /// <summary>The run was stopped before its end, by the user or because the process died.</summary>
    Aborted,
}

/// <summary>A reason to distrust figures of this run. <see cref="Code"/> is stable, <see cref="Sentence"/> is for people.</summary>
/// <param name="Code">A stable identifier, lower case with hyphens: see <see cref="WarningCodes"/>.</param>
/// <param name="Sentence">What was found, with its value, and what it means for the figures.</param>
/// <param name="Scenario">The scenario that it applies to; null for the whole run.</param>
public sealed record RunWarning(string Code, string Sentence, string? Scenario = null);

/// <summary>A backend or scenario that was requested and has no figures.</summary>
/// <param name="Backend">For instance <c>oracle-aq</c>.</param>
/// <param name="Reason">Why, and what to install or set, in one sentence.</param>
/// <param name="Scenario">The full scenario name; null when the whole backend is missing.</param>
public sealed record NotMeasured(string Backend, string Reason, string? Scenario = null);

/// <summary>What makes a run, or its part about one backend, a published baseline.</summary>
public sealed record Publication
{
    /// <summary>The name of the pair of files without extension: <c>11-postgresql-performance-baseline-2026-11-21</c>.</summary>
    public required string Name { get; init; }

    public required int Number { get; init; }

    public required string Backend { get; init; }

    /// <summary>What the run has and the baseline leaves out, one sentence for each item.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];

    /// <summary>The raw histograms by the paths in <see cref="ScenarioResult.Histograms"/>; empty before number 13.</summary>
    public IReadOnlyDictionary<string, HistogramDocument> Histograms { get; init; } = new Dictionary<string, HistogramDocument>();

    /// <summary>The response times by interval, by the paths in <see cref="ScenarioResult.IntervalHistograms"/>.</summary>
    public IReadOnlyDictionary<string, IntervalHistograms> Intervals { get; init; } = new Dictionary<string, IntervalHistograms>();

    /// <summary>The samples of all its measured windows.</summary>
    public IReadOnlyList<Sample> Samples { get; init; } = [];
}
