using Serdica.Perf.Measurement.Comparisons;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>
/// What a report shows, complete before a writer sees it: the page, its form without charts, the Markdown for a pull request and
/// the JSON are made of nothing else. <see cref="ReportBuilder"/> makes it.
/// </summary>
public sealed record ReportDocument
{
    /// <summary>Rises when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    public required string Title { get; init; }

    public required ReportAnswers Answers { get; init; }

    public required IReadOnlyList<ReportRun> Runs { get; init; }

    /// <summary>Those runs that are load tests, or tests of the bare queue.</summary>
    public IReadOnlyList<ReportLoadTest> LoadTests { get; init; } = [];

    /// <summary>Every measurement of every run.</summary>
    public IReadOnlyList<ReportScenario> Scenarios { get; init; } = [];

    public IReadOnlyList<ReportLadder> Ladders { get; init; } = [];

    /// <summary>Of the base with the last of the runs; null without a base.</summary>
    public RunComparison? Comparison { get; init; }

    /// <summary>Empty when nobody has a history.</summary>
    public IReadOnlyList<ReportTrend> Trends { get; init; } = [];
}
