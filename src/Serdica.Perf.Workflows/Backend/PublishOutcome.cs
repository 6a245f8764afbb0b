namespace Serdica.Perf.Workflows;

/// <summary>What became of a published signal.</summary>
public enum PublishOutcome
{
    /// <summary>It is durable and will be handled, kept for its wait, or become a dead letter with a reason.</summary>
    Accepted = 0,

    /// <summary>The instance has accepted a signal with the same dedup key before; this one is not stored.</summary>
    Duplicate = 1,

    /// <summary>There is no such instance; the signal is not stored.</summary>
    UnknownInstance = 2,

    /// <summary>The instance has completed, faulted or been cancelled; the signal is not stored.</summary>
    InstanceClosed = 3,
}
