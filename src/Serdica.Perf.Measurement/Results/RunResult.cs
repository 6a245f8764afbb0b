using Serdica.Perf.Measurement.Analysis;
using Serdica.Perf.Measurement.Environments;

namespace Serdica.Perf.Measurement.Results;

/// <summary>A whole run, complete before any writer sees it: the content of <c>summary.json</c>.</summary>
public sealed record RunResult
{
    /// <summary>Rises when a reader of the old shape would misunderstand the new one.</summary>
    public const int CurrentSchemaVersion = 1;

    public int SchemaVersion { get; init; } = CurrentSchemaVersion;

    /// <summary>Second in the file, so that a failed or aborted run says so on its first lines.</summary>
    public required RunStatus Status { get; init; }

    /// <summary>One sentence: why it failed or was aborted, or what a search has found; null when it passed and searched nothing.</summary>
    public string? StatusReason { get; init; }

    /// <summary>The name of the run folder.</summary>
    public required string RunId { get; init; }

    /// <summary>Set when this is a published baseline; null in a run folder.</summary>
    public Publication? Publication { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>What to type to repeat the run.</summary>
    public required string Command { get; init; }

    public required EnvironmentFingerprint Environment { get; init; }

    public IReadOnlyList<DatabaseDescription> Databases { get; init; } = [];

    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>Every measurement; with <c>--repeat N</c> each repeat is one of them.</summary>
    public IReadOnlyList<ScenarioResult> Scenarios { get; init; } = [];

    /// <summary>One for each scenario that was measured more than once: see <see cref="RepeatSummary.Of"/>.</summary>
    public IReadOnlyList<RepeatSummary> Repeats { get; init; } = [];

    /// <summary>One for each backend whose capacity was measured on two rungs or more: see <see cref="CapacityLadder.Of(IEnumerable{ScenarioResult})"/>.</summary>
    public IReadOnlyList<CapacityLadder> Ladders { get; init; } = [];

    public IReadOnlyList<NotMeasured> NotMeasured { get; init; } = [];
}
