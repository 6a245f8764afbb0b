namespace Serdica.Perf.Reports.Documents;

/// <summary>A load test, or a test of the bare queue, as a whole: its verdicts, and all its steps on one time axis.</summary>
internal sealed record ReportLoadTest
{
    public required string Run { get; init; }

    /// <summary>The name of the profile, or what was tested.</summary>
    public required string Name { get; init; }

    public required string Backend { get; init; }

    /// <summary>What an operation is, in one sentence.</summary>
    public required string Operation { get; init; }

    public required StepVerdict Verdict { get; init; }

    /// <summary>What a search for the highest rate has found; null of other tests.</summary>
    public FoundMaximum? Found { get; init; }

    public required IReadOnlyList<ReportLoadStep> Steps { get; init; }

    /// <summary>Phases, faults and events, in order of time.</summary>
    public IReadOnlyList<ReportMark> Marks { get; init; } = [];

    /// <summary>What was asked for and what completed; null when nothing did.</summary>
    public ReportCurves? Rates { get; init; }

    /// <summary>Generator, engine, database and machine; null when there are too few samples.</summary>
    public ReportCurves? Curves { get; init; }
}

/// <summary>One step of a <see cref="ReportLoadTest"/>, as it was judged.</summary>
internal sealed record ReportLoadStep
{
    public required string Name { get; init; }

    public required StepVerdict Verdict { get; init; }

    /// <summary>One sentence each: why it is not passed.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>Null where users and not a rate were asked for.</summary>
    public double? TargetPerSecond { get; init; }

    public required double StartedPerSecond { get; init; }

    /// <summary>Null where too few operations completed, as every percentile of too few samples is.</summary>
    public required double? CompletedPerSecond { get; init; }

    /// <summary>For a queue: from the write to the removal.</summary>
    public required LatencySummary Response { get; init; }

    public long Failed { get; init; }

    public long Late { get; init; }

    public long Dropped { get; init; }

    public double? DrainSeconds { get; init; }

    public IReadOnlyList<ReportKind> Kinds { get; init; } = [];

    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];

    /// <summary>One for each process that hosted the workflows; empty when the generator hosted them itself.</summary>
    public IReadOnlyList<HostFigures> Hosts { get; init; } = [];

    public string? LimitedBy { get; init; }

    public string? LimitEvidence { get; init; }

    /// <summary>The scenario of the run that it was measured as; null when the run does not have it.</summary>
    [JsonIgnore]
    public ScenarioResult? Measured { get; init; }
}

/// <summary>One kind of operation in a step of a mix.</summary>
/// <param name="CompletedPerSecond">Null where too few completed.</param>
internal sealed record ReportKind(
    string Name,
    long Started,
    long Completed,
    long Failed,
    double? CompletedPerSecond,
    LatencySummary Response
);
