using Serdica.Perf.Measurement.Environments;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>One of the runs: where and how it was measured, and what is to be distrusted.</summary>
public sealed record ReportRun
{
    /// <summary>The name of the run folder, or of the published baseline.</summary>
    public required string Name { get; init; }

    public required RunStatus Status { get; init; }

    public string? StatusReason { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    public required string Command { get; init; }

    /// <summary>The commit, or why it is not known.</summary>
    public required string Source { get; init; }

    public required EnvironmentFingerprint Environment { get; init; }

    public IReadOnlyList<DatabaseDescription> Databases { get; init; } = [];

    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    public IReadOnlyList<NotMeasured> NotMeasured { get; init; } = [];

    public IReadOnlyList<RepeatSummary> Repeats { get; init; } = [];
}
