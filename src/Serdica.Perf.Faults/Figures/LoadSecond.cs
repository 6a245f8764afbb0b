namespace Serdica.Perf.Faults.Figures;

/// <summary>One second of the load, as callers saw it.</summary>
internal sealed record LoadSecond
{
    /// <value>Seconds from the beginning of the load to that of this second.</value>
    public required int At { get; init; }

    /// <value>Round trips that ended in it, of the callers that the figures of the faults are of.</value>
    public required int Completed { get; init; }

    /// <value>99th percentile of these, in milliseconds; null without any.</value>
    public required double? P99 { get; init; }

    /// <value>Calls of all callers that failed in it or had an unknown outcome.</value>
    public required int Failed { get; init; }
}
