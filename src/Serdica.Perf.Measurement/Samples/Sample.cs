namespace Serdica.Perf.Measurement.Samples;

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
