using Serdica.Perf.Measurement.LoadTests;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>A load test, or a test of the bare queue, as a whole: its verdicts, and all its steps on one time axis.</summary>
public sealed record ReportLoadTest
{
    public required string Run { get; init; }

    /// <summary>Of the profile, or what was tested.</summary>
    public required string Name { get; init; }

    public required string Backend { get; init; }

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
