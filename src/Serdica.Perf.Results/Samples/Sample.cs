namespace Serdica.Perf.Results.Samples;

/// <summary>
/// One line of <c>samples.ndjson</c>: generator, engine, database and host at one moment of a measured window. Counters are
/// since the begin of the window, gauges as they stand.
/// </summary>
public sealed record Sample
{
    /// <summary>Seconds since the begin of the measured window, by the clock that also times the operations.</summary>
    public required double T { get; init; }

    /// <summary>The full name, for instance <c>postgresql-signal-roundtrip-soak</c>.</summary>
    public required string Scenario { get; init; }

    /// <summary>Which repeat, from 1.</summary>
    public required int Repeat { get; init; }

    public required GeneratorSample Generator { get; init; }

    public required EngineSample Engine { get; init; }

    /// <summary>By metric name; without a value where the server has none. Null when the backend has no statistics.</summary>
    public IReadOnlyDictionary<string, double?>? Database { get; init; }

    public required HostSample Host { get; init; }
}

/// <summary>Operations since the begin of the window.</summary>
/// <param name="Started">A caller has begun them.</param>
/// <param name="Completed">They have ended well.</param>
/// <param name="Failed">They have ended otherwise.</param>
/// <param name="InFlight">Neither.</param>
public sealed record GeneratorSample(int Started, int Completed, int Failed, int InFlight);

/// <summary>The measuring process, load generator included.</summary>
/// <param name="CpuMs">Processor time since the begin of the window.</param>
/// <param name="AllocatedBytes">Since the begin of the window.</param>
/// <param name="Collections">Garbage collections since then, by generation.</param>
/// <param name="WorkingSetBytes">Now.</param>
/// <param name="Counters">What the workers counted since the begin of the window.</param>
public sealed record EngineSample(
    double CpuMs, long AllocatedBytes, IReadOnlyList<int> Collections, long WorkingSetBytes, EngineCounters Counters)
{
    /// <summary>Fetched from the storage layer since the begin of the window; null where the system does not tell.</summary>
    public long? DiskReadBytes { get; init; }

    /// <summary>Caused to be sent to it since then; the same.</summary>
    public long? DiskWriteBytes { get; init; }
}

/// <summary>What the workers of an engine have counted.</summary>
public sealed record EngineCounters
{
    /// <summary>Batches committed.</summary>
    public long Batches { get; init; }

    /// <summary>Looks that found nothing due.</summary>
    public long EmptyClaims { get; init; }

    /// <summary>Signals handled and committed.</summary>
    public long Signals { get; init; }

    /// <summary>Batches undone because an instance had changed meanwhile.</summary>
    public long Conflicts { get; init; }

    /// <summary>Handlers that threw; each signal is tried again or becomes a dead letter.</summary>
    public long HandlerFailures { get; init; }

    /// <summary>Reports and timers that count no more: refused by the fencing token, or late.</summary>
    public long StaleSignals { get; init; }

    /// <summary>Signals put off because this host does not know their definition or step.</summary>
    public long Deferred { get; init; }

    public long DeadLetters { get; init; }

    /// <summary>Attempts of activities.</summary>
    public long ActivityAttempts { get; init; }

    /// <summary>Attempts that failed.</summary>
    public long ActivityFailures { get; init; }

    /// <summary>Database calls of workers that failed and were repeated.</summary>
    public long BackendFailures { get; init; }
}

/// <summary>The machine, everybody's work included.</summary>
/// <param name="LoadAverage">Runnable tasks over the last minute; null where the system does not tell.</param>
/// <param name="Cpu">Busy part of all processors since the sample before, 0 to 1; null in the first and where the system does not tell.</param>
public sealed record HostSample(double? LoadAverage, double? Cpu)
{
    /// <summary>On all interfaces but the loopback since the begin of the window; null where the system does not tell.</summary>
    public long? NetworkReceivedBytes { get; init; }

    /// <summary>The same.</summary>
    public long? NetworkSentBytes { get; init; }

    /// <summary>Requests that the disks of the machine have completed since the begin of the window; null where the system does not tell.</summary>
    public long? DiskReads { get; init; }

    /// <summary>Bytes in them.</summary>
    public long? DiskReadBytes { get; init; }

    /// <inheritdoc cref="DiskReads"/>
    public long? DiskWrites { get; init; }

    /// <inheritdoc cref="DiskReadBytes"/>
    public long? DiskWriteBytes { get; init; }
}
