namespace Serdica.Perf.Workflows;

/// <summary>What a host has done since it was made.</summary>
public sealed record HostCounters
{
    /// <summary>Batches committed.</summary>
    public long Batches { get; init; }

    /// <summary>Claims that found nothing due.</summary>
    public long EmptyClaims { get; init; }

    /// <summary>Signals handled and committed.</summary>
    public long Signals { get; init; }

    /// <summary>Those of <see cref="Signals"/> that were decided in the commit that would otherwise have stored them.</summary>
    public long DirectSignals { get; init; }

    /// <summary>Batches that were rolled back because an instance had changed in the meantime.</summary>
    public long Conflicts { get; init; }

    /// <summary>Handlers that threw an exception; each signal is retried or becomes a dead letter.</summary>
    public long HandlerFailures { get; init; }

    /// <summary>Activity reports and timers without effect: late, or rejected by the fencing token.</summary>
    public long StaleSignals { get; init; }

    /// <summary>
    /// Signals that were claimed and put back: this host does not know their definition or step, has no place for their activity, keeps
    /// them behind others of their instance that have failed, or had no time for them.
    /// </summary>
    public long Deferred { get; init; }

    public long DeadLetters { get; init; }

    /// <summary>Attempts of activities.</summary>
    public long ActivityAttempts { get; init; }

    /// <summary>Attempts that failed.</summary>
    public long ActivityFailures { get; init; }

    /// <summary>Database calls of workers that failed and were retried.</summary>
    public long BackendFailures { get; init; }
}
