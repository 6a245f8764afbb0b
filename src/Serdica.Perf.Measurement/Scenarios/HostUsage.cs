namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What a host process has used and done since its start.</summary>
/// <param name="Number">The number of the host, from 1.</param>
/// <param name="InjectedFailures">Activities that failed on purpose.</param>
internal sealed record HostUsage(int Number, ProcessUsage Process, HostCounters Counters, long InjectedFailures)
{
    /// <value>Null when it has claimed nothing.</value>
    public HostClock? Clock { get; init; }
}
