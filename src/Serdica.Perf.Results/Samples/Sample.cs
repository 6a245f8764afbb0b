namespace Serdica.Perf.Results.Samples;

/// <summary>
/// One line of <c>samples.ndjson</c>: generator, engine, database and host at one moment of a measured window. Counters count from
/// the start of the window; gauges are current values.
/// </summary>
public sealed record Sample
{
    /// <summary>Seconds since the start of the measured window, by the clock that also times the operations.</summary>
    public required double T { get; init; }

    /// <summary>The full name of the scenario, for instance <c>postgresql-signal-roundtrip-soak</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>The number of the repeat, from 1.</summary>
    public required int Repeat { get; init; }

    public required GeneratorSample Generator { get; init; }

    public required EngineSample Engine { get; init; }

    /// <summary>Values by metric name; null where the server has none. The whole is null when the backend has no statistics.</summary>
    public IReadOnlyDictionary<string, double?>? Database { get; init; }

    public required HostSample Host { get; init; }
}

/// <summary>Operations since the start of the window.</summary>
/// <param name="Started">Operations that a caller has started.</param>
/// <param name="Completed">Operations that completed.</param>
/// <param name="Failed">Operations that failed.</param>
/// <param name="InFlight">Operations that have started and not ended.</param>
public sealed record GeneratorSample(int Started, int Completed, int Failed, int InFlight);

/// <summary>The measuring process, including the load generator, and the host processes of a load test that has such.</summary>
/// <param name="CpuMs">Processor time in milliseconds since the start of the window.</param>
/// <param name="AllocatedBytes">Bytes allocated since the start of the window.</param>
/// <param name="Collections">Garbage collections since the start of the window, by generation.</param>
/// <param name="WorkingSetBytes">Current working set in bytes.</param>
/// <param name="Counters">What the workers counted since the start of the window.</param>
public sealed record EngineSample(
    double CpuMs,
    long AllocatedBytes,
    IReadOnlyList<int> Collections,
    long WorkingSetBytes,
    EngineCounters Counters
)
{
    /// <summary>Bytes read from the storage layer since the start of the window; null where the system does not report it.</summary>
    public long? DiskReadBytes { get; init; }

    /// <summary>Bytes written to the storage layer since the start of the window; null where the system does not report it.</summary>
    public long? DiskWriteBytes { get; init; }
}

/// <summary>What the workers of an engine have counted.</summary>
public sealed record EngineCounters
{
    /// <summary>Batches committed.</summary>
    public long Batches { get; init; }

    /// <summary>Polls that found nothing due.</summary>
    public long EmptyClaims { get; init; }

    /// <summary>Signals handled and committed.</summary>
    public long Signals { get; init; }

    /// <summary>Batches that were rolled back because an instance had changed in the meantime.</summary>
    public long Conflicts { get; init; }

    /// <summary>Handlers that threw an exception; each signal is retried or becomes a dead letter.</summary>
    public long HandlerFailures { get; init; }

    /// <summary>Activity reports and timers without effect: late, or rejected by the fencing token.</summary>
    public long StaleSignals { get; init; }

    /// <summary>Signals that were claimed and put back: no place for their activity, an unknown definition or step, or a failure.</summary>
    public long Deferred { get; init; }

    public long DeadLetters { get; init; }

    /// <summary>Attempts of activities.</summary>
    public long ActivityAttempts { get; init; }

    /// <summary>Attempts that failed.</summary>
    public long ActivityFailures { get; init; }

    /// <summary>Database calls of workers that failed and were retried.</summary>
    public long BackendFailures { get; init; }
}

/// <summary>The whole machine, including the work of other programs.</summary>
/// <param name="LoadAverage">The load average over one minute; null where the system does not report it.</param>
/// <param name="Cpu">
/// Busy share of all processors since the previous sample, 0 to 1; null in the first sample and where the system does not report it.
/// </param>
public sealed record HostSample(double? LoadAverage, double? Cpu)
{
    /// <summary>
    /// Bytes received on all interfaces except the loopback since the start of the window; null where the system does not report it.
    /// </summary>
    public long? NetworkReceivedBytes { get; init; }

    /// <summary>
    /// Bytes sent on all interfaces except the loopback since the start of the window; null where the system does not report it.
    /// </summary>
    public long? NetworkSentBytes { get; init; }

    /// <summary>
    /// Read requests that the machine's disks have completed since the start of the window; null where the system does not report
    /// it.
    /// </summary>
    public long? DiskReads { get; init; }

    /// <summary>Bytes of these requests.</summary>
    public long? DiskReadBytes { get; init; }

    /// <inheritdoc cref="DiskReads"/>
    public long? DiskWrites { get; init; }

    /// <inheritdoc cref="DiskReadBytes"/>
    public long? DiskWriteBytes { get; init; }
}
