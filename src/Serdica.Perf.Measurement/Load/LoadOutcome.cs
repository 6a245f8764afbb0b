using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Load;

/// <summary>What became of a load.</summary>
public sealed record LoadOutcome
{
    /// <summary>Operations that a caller has begun.</summary>
    public required int Started { get; init; }

    public required int Completed { get; init; }

    public required int Failed { get; init; }

    /// <summary>Whether it was given up because nothing completed any more.</summary>
    public required bool Stalled { get; init; }

    /// <summary>From the begin of the load to its last completion.</summary>
    public required TimeSpan Window { get; init; }

    /// <summary>Reading of the stopwatch at the last completion.</summary>
    public required long EndTimestamp { get; init; }

    /// <summary>From the call to the operation's own completion.</summary>
    public required LatencyHistogram ServiceTime { get; init; }

    /// <summary>
    /// From when the load model wanted the call. In all models of today a caller's next call is wanted when the caller is
    /// free, which is when it is made, so that this is the service time; a schedule of arrivals makes the difference.
    /// </summary>
    public LatencyHistogram ResponseTime => ServiceTime;

    /// <summary>Stopwatch readings of the begin of each operation.</summary>
    public required IReadOnlyList<long> StartTimestamps { get; init; }

    public required ThroughputTimeline Timeline { get; init; }

    /// <summary>The first few errors of operations.</summary>
    public required IReadOnlyList<string> Errors { get; init; }
}
