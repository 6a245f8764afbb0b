using System.Globalization;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>What became of a load.</summary>
internal sealed record LoadOutcome
{
    /// <summary>Operations that the driver took from its schedule or its set, by a count of its own.</summary>
    public required int Offered { get; init; }

    /// <summary>Operations that a caller has begun.</summary>
    public required int Started { get; init; }

    public required int Completed { get; init; }

    public required int Failed { get; init; }

    /// <summary>Whether it was given up because nothing completed any more.</summary>
    public required bool Stalled { get; init; }

    /// <summary>From the begin of the load to its last completion, or in a load test to the end of the time that was given to begin operations, where that is later.</summary>
    public required TimeSpan Window { get; init; }

    /// <summary>Reading of the stopwatch at the last completion.</summary>
    public required long EndTimestamp { get; init; }

    /// <summary>From the call to the operation's own completion.</summary>
    public required LatencyHistogram ServiceTime { get; init; }

    /// <summary>
    /// From when the load model wanted the call to the operation's own completion. An open load wants it at its intended start,
    /// free caller or not. In the other models a caller's next call is wanted when the caller is free, which is when it is
    /// made, so that this is the service time.
    /// </summary>
    public required LatencyHistogram ResponseTime { get; init; }

    /// <summary>From when the load model wanted the call of an operation that failed to its failure; such are in no other latency.</summary>
    public LatencyHistogram UntilFailure { get; init; } = new();

    /// <summary>Of an open load, from the intended start to the call: what response time has beyond service time.</summary>
    public LatencyHistogram? ScheduleLag { get; init; }

    /// <summary>
    /// The generator's own lag: from the moment when a call was due and a caller free, to the call. Waits for busy callers are
    /// not in it.
    /// </summary>
    public required LatencyHistogram GeneratorLag { get; init; }

    /// <summary>Operations of an open load that began later than <see cref="LoadPlan.LateAfter"/>.</summary>
    public int Late { get; init; }

    /// <summary>Arrivals of an open load that were never begun: see <see cref="LoadPlan.DropAfter"/>.</summary>
    public int Dropped { get; init; }

    /// <summary>Stopwatch readings of the begin of each operation; none for an open load and one with a time limit, which have no end to measure to.</summary>
    public required IReadOnlyList<long> StartTimestamps { get; init; }

    /// <summary>Completions with their response times.</summary>
    public required ThroughputTimeline Timeline { get; init; }

    /// <summary>The first few errors of operations.</summary>
    public required IReadOnlyList<string> Errors { get; init; }

    /// <summary>Operations that were started and had not ended when the load was given up.</summary>
    public int Running => Started - Completed - Failed;

    /// <summary>
    /// What is wrong with the counts of a load that was not given up; null when every offered operation has completed with its
    /// latency, has failed or was dropped.
    /// </summary>
    public string? Imbalance => Stalled || (Offered == Completed + Failed + Dropped && ServiceTime.Count == Completed)
        ? null
        : string.Create(
            CultureInfo.InvariantCulture,
            $"The counts do not balance: {Offered:N0} offered, {Started:N0} started, {Completed:N0} completed with "
            + $"{ServiceTime.Count:N0} latencies, {Failed:N0} failed, {Dropped:N0} dropped.");
}
