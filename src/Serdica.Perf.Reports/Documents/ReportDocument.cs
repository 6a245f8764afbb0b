namespace Serdica.Perf.Reports.Documents;

/// <summary>
/// What a report shows, complete before a writer sees it: the page, its form without charts, the Markdown for a pull request and
/// the JSON are made of nothing else. <see cref="ReportBuilder"/> makes it.
/// </summary>
internal sealed record ReportDocument
{
    /// <summary>Rises when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    public required string Title { get; init; }

    public required ReportAnswers Answers { get; init; }

    public required IReadOnlyList<ReportRun> Runs { get; init; }

    /// <summary>Which further runs were asked for and cannot be read, and why: a sentence each.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];

    /// <summary>Those runs that are load tests, or tests of the bare queue.</summary>
    public IReadOnlyList<ReportLoadTest> LoadTests { get; init; } = [];

    /// <summary>Every measurement of every run.</summary>
    public IReadOnlyList<ReportScenario> Scenarios { get; init; } = [];

    /// <summary>Hosts, generator and database of scenarios whose workflows ran in processes of their own.</summary>
    public IReadOnlyList<ReportProcess> Processes { get; init; } = [];

    public IReadOnlyList<ReportLadder> Ladders { get; init; } = [];

    /// <summary>The comparison of the base with the last of the runs; null without a base.</summary>
    public RunComparison? Comparison { get; init; }

    /// <summary>Empty when nobody has a history.</summary>
    public IReadOnlyList<ReportTrend> Trends { get; init; } = [];
}

/// <summary>One of the runs: where and how it was measured, and what is to be distrusted.</summary>
internal sealed record ReportRun
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

/// <summary>How fast a backend was at its fastest, and how long one caller waits.</summary>
/// <param name="Label">The backend, with the run where there are several.</param>
/// <param name="Scenario">The scenario with the highest throughput: the full round trip where it was measured, else any.</param>
/// <param name="Load">Its load in words, for instance <c>closed load, 256 callers</c>.</param>
/// <param name="P50Ms">Its median response time.</param>
/// <param name="P99Ms">Its 99th percentile.</param>
/// <param name="SerialP50Ms">Median of the serial scenario; null when it was not measured.</param>
/// <param name="Measured">The measurement itself; null when the run does not have it.</param>
internal sealed record ReportSpeed(
    string Label,
    string Scenario,
    string Load,
    string Operation,
    double PerSecond,
    double? P50Ms,
    double? P99Ms,
    double? SerialP50Ms,
    [property: JsonIgnore] ScenarioResult? Measured
);

/// <summary>What limits a backend, as far as the evidence goes.</summary>
/// <param name="Label">The backend, with the run where there are several.</param>
/// <param name="Evidence">One sentence with the figures.</param>
internal sealed record ReportLimit(string Label, string Limit, string Evidence, string Scenario);

/// <summary>The first screen: did it pass, how fast, what limits it, what changed.</summary>
/// <param name="Passed">Whether every run has passed.</param>
/// <param name="Degraded">Whether a load test has passed with figures that deserve a doubt.</param>
/// <param name="Outcome">One sentence on how they ended.</param>
/// <param name="Speeds">One for each backend and run that has a throughput.</param>
/// <param name="Limits">One for each backend and run that could be judged.</param>
/// <param name="Change">One sentence on what changed, or why nothing can be said.</param>
/// <param name="IsOffered">Whether it is against the last comparable run, since nobody has named a base.</param>
/// <param name="Headline">The most important verdict, in the order regressed, improved, inconclusive, same; null without a base.</param>
internal sealed record ReportAnswers(
    bool Passed,
    bool Degraded,
    string Outcome,
    IReadOnlyList<ReportSpeed> Speeds,
    IReadOnlyList<ReportLimit> Limits,
    string Change,
    bool IsOffered,
    Verdict? Headline
)
{
    /// <summary>For a title.</summary>
    [JsonIgnore]
    public string Word =>
        !Passed ? "NOT PASSED"
        : Degraded ? "Degraded"
        : "Passed";
}
