namespace Serdica.Perf.Faults.History;

/// <summary>The call of an operation.</summary>
internal enum CallKind
{
    Start,
    Signal,
    Cancel,
}

/// <summary>What the engine answered.</summary>
internal enum AckOutcome
{
    /// <summary>A new instance is durable.</summary>
    Started,

    /// <summary>The business key had an instance already.</summary>
    Existing,

    /// <summary>The signal is durable.</summary>
    Accepted,

    /// <summary>The instance has accepted a signal with this dedup key before.</summary>
    Duplicate,

    UnknownInstance,
    InstanceClosed,

    /// <summary>The turns of the operation are durable.</summary>
    Committed,

    /// <summary>Another host was quicker: nothing of the operation was written.</summary>
    Conflict,
}

/// <summary>How far a thing has come.</summary>
internal enum HistoryPhase
{
    /// <summary>An activity has begun to run; a fault has begun; a gauge was read before the faults.</summary>
    Began,

    /// <summary>An activity had its effect; a fault has ended; a gauge was read after the recovery.</summary>
    Done,

    /// <summary>An activity ended without an effect.</summary>
    Failed,

    /// <summary>A row of the database's own table of effects, read at the end.</summary>
    Stored,
}
