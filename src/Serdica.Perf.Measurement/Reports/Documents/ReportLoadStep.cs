using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>One step of a <see cref="ReportLoadTest"/>, as it was judged.</summary>
public sealed record ReportLoadStep
{
    public required string Name { get; init; }

    public required StepVerdict Verdict { get; init; }

    /// <summary>One sentence each: why it is not passed.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>Null where users and not a rate were asked for.</summary>
    public double? TargetPerSecond { get; init; }

    public required double StartedPerSecond { get; init; }

    public required double CompletedPerSecond { get; init; }

    /// <summary>Of a queue from the write to the removal.</summary>
    public required LatencySummary Response { get; init; }

    public long Failed { get; init; }

    public long Late { get; init; }

    public long Dropped { get; init; }

    public double? DrainSeconds { get; init; }

    public string? LimitedBy { get; init; }

    public string? LimitEvidence { get; init; }
}
