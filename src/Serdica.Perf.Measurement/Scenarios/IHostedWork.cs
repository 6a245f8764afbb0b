namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// What a worker process does beside others: a host of workflows, or readers of a queue. Disposal commits what is claimed, and nothing
/// more is claimed then.
/// </summary>
internal interface IHostedWork : IAsyncDisposable
{
    HostCounters Counters { get; }

    /// <value>Activities that failed on purpose.</value>
    long InjectedFailures => 0;

    /// <value>Null where it is not known.</value>
    HostClock? Clock => null;

    /// <summary>Starts to claim.</summary>
    Task OpenAsync(ILoggerFactory loggers, CancellationToken cancellationToken);
}
