namespace Serdica.Perf.Measurement.Analysis;

/// <summary>What a wait means to somebody who must choose or size a database, whatever the server calls it.</summary>
public enum WaitCategory
{
    /// <summary>No wait: the session ran, or waited for a processor.</summary>
    Processor,

    /// <summary>Writing or flushing the log that makes a commit durable.</summary>
    LogFlush,

    /// <summary>Reading or writing data.</summary>
    Storage,

    /// <summary>Locks and latches: others hold what is needed.</summary>
    Contention,

    /// <summary>Nothing to do: the server waits for the next request of the engine.</summary>
    Idle,

    Other,
}
