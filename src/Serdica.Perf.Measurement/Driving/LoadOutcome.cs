namespace Serdica.Perf.Measurement.Driving;

/// <summary>The result of a load.</summary>
internal sealed record LoadOutcome
{
    /// <summary>Operations that the driver took from its schedule or its set, by its own count.</summary>
    public required int Offered { get; init; }

    /// <summary>Operations that a caller has started.</summary>
    public required int Started { get; init; }

    public required int Completed { get; init; }

    public required int Failed { get; init; }

    /// <summary>Whether the load was stopped because nothing completed any more.</summary>
    public required bool Stalled { get; init; }

    /// <summary>The sentence about a load that was stopped.</summary>
    public string WhyStalled { get; init; } = "Nothing completed any more, so the load was stopped.";

    /// <summary>
    /// From the start of the load to its last completion; in a load test at least the time in which operations were to be
    /// started.
    /// </summary>
    public required TimeSpan Window { get; init; }

    /// <summary>Completed operations a second; 0 without a window.</summary>
    public double PerSecond => Window > TimeSpan.Zero ? Completed / Window.TotalSeconds : 0;

    /// <summary>Reading of the stopwatch at the last completion.</summary>
    public required long EndTimestamp { get; init; }

    /// <summary>From the call to the operation's own completion.</summary>
    public required LatencyHistogram ServiceTime { get; init; }

    /// <summary>
    /// From the intended start to the operation's own completion. An open load has its intended start whether a caller is free
    /// or not. In the other models the next call of a caller is due when the caller is free, which is when it is made, so this
    /// is the service time.
    /// </summary>
    public required LatencyHistogram ResponseTime { get; init; }

    /// <summary>From the intended start of a failed operation to its failure. No other latency includes failed operations.</summary>
    public LatencyHistogram UntilFailure { get; init; } = new();

    /// <summary>For an open load, from the intended start to the call: response time minus service time.</summary>
    public LatencyHistogram? ScheduleLag { get; init; }

    /// <summary>
    /// The generator's own lag: from the moment when a call was due and a caller free, to the call. It does not include waits
    /// for busy callers.
    /// </summary>
    public required LatencyHistogram GeneratorLag { get; init; }

    /// <summary>Operations of an open load that started later than <see cref="DriverOptions.LateAfter"/>.</summary>
    public int Late { get; init; }

    /// <summary>Arrivals of an open load that were never started: see <see cref="LoadPlan.DropAfter"/>.</summary>
    public int Dropped { get; init; }

    /// <summary>
    /// Stopwatch readings at the start of each operation; none for an open load and one with a time limit, which have no drain
    /// to measure to.
    /// </summary>
    public required IReadOnlyList<long> StartTimestamps { get; init; }

    /// <summary>Completions and their response times.</summary>
    public required ThroughputTimeline Timeline { get; init; }

    /// <summary>The first few errors of operations.</summary>
    public required IReadOnlyList<string> Errors { get; init; }

    /// <summary>All errors of operations by cause.</summary>
    public IReadOnlyList<OperationError> ErrorsByCause { get; init; } = [];

    /// <summary>Operations that were started and had not ended when the load was stopped.</summary>
    public int Running => Started - Completed - Failed;

    /// <summary>
    /// The error in the counts of a load that was not stopped; null when every offered operation has completed with its latency,
    /// has failed or was dropped.
    /// </summary>
    public string? Imbalance =>
        Stalled || (Offered == Completed + Failed + Dropped && ServiceTime.Count == Completed)
            ? null
            : Invariant($"The counts do not balance: {Offered:N0} offered, {Started:N0} started, {Completed:N0} completed with ")
                + Invariant($"{ServiceTime.Count:N0} latencies, {Failed:N0} failed, {Dropped:N0} dropped.");
}
