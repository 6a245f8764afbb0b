namespace Serdica.Perf.Faults.History;

/// <summary>What one line of a history says.</summary>
internal enum HistoryKind
{
    /// <summary>The first line of each file: which process wrote it, and the wall time at the zero of its clock.</summary>
    Process,

    /// <summary>A client is about to call the engine. It is on its way to the disk before the call is made.</summary>
    Invoke,

    /// <summary>The engine answered the operation. <see cref="HistoryRecord.Outcome"/> has the answer.</summary>
    Ack,

    /// <summary>The operation failed, and the engine or its database has said that nothing was written.</summary>
    Refused,

    /// <summary>The operation failed, and nobody knows whether it was written. One without an answer counts as unknown too.</summary>
    Unknown,

    /// <summary>A host has decided to write an instance, and its commit follows. An acknowledgement says that it is durable.</summary>
    Turn,

    /// <summary>A turn or a start creates another instance: a child or a continuation.</summary>
    Started,

    /// <summary>A turn or a start arms a timer.</summary>
    TimerArmed,

    /// <summary>A turn has claimed a timer that is due.</summary>
    TimerFired,

    /// <summary>The code of an activity ran: it began, had its effect, or failed.</summary>
    Effect,

    /// <summary>A client saw that an instance is closed.</summary>
    Close,

    /// <summary>A client read the list of an instance while the run was going on.</summary>
    Read,

    /// <summary>A caller has given up its instance long after the end of the load: a call has not returned, or has always failed.</summary>
    GaveUp,

    /// <summary>A fault began or ended, with the evidence that it took effect.</summary>
    Fault,

    /// <summary>A figure that has to come back to what it was: connections of the database.</summary>
    Gauge,

    /// <summary>Limits that the run was held to.</summary>
    Limits,

    /// <summary>The row of an instance at the end.</summary>
    State,

    /// <summary>A signal that an open instance still keeps at the end.</summary>
    Pending,

    /// <summary>A dead letter at the end.</summary>
    DeadLetter,

    /// <summary>The counts of the database at the end.</summary>
    Census,
}
