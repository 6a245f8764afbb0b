namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>What a wrong engine or database does.</summary>
public enum Mutation
{
    None,

    /// <summary>Acknowledges a signal and forgets it.</summary>
    DropSignal,

    /// <summary>Hands a signal to the engine twice.</summary>
    ApplyTwice,

    /// <summary>Takes the result of an attempt that has lost its lease.</summary>
    SkipFencing,

    /// <summary>Reads an instance from a stale replica and writes it whatever its version is.</summary>
    SkipVersionCheck,

    /// <summary>Accepts a dedup key twice.</summary>
    IgnoreDedupKeys,

    /// <summary>Makes a timer due before its time.</summary>
    FireEarly,

    /// <summary>Delivers a timer twice.</summary>
    FireTwice,

    /// <summary>Loses a child that a turn has started.</summary>
    LoseChild,

    /// <summary>Loses what a child tells its parent at its end.</summary>
    LoseChildResult,

    /// <summary>Forgets that a lease ends: when its host is gone, nobody runs the activity again.</summary>
    LeakLease,

    /// <summary>Lets another host have an activity while its lease holds.</summary>
    BreakLease,

    /// <summary>Acknowledges a start before it is durable, and loses it.</summary>
    AcknowledgeStartBeforeCommit,

    /// <summary>Acknowledges signals one commit too early, and loses the last.</summary>
    AcknowledgeSignalBeforeCommit,

    /// <summary>Acknowledges a turn that was rolled back.</summary>
    AcknowledgeTurnWithoutCommit,

    /// <summary>Forgets the signals that came before their wait.</summary>
    ForgetBufferedSignals,

    /// <summary>Hands signals out in the wrong order.</summary>
    WrongOrder,

    /// <summary>Accepts a business key twice.</summary>
    BreakBusinessKey,

    /// <summary>Takes a failed attempt for a success.</summary>
    TakeFailedAttempt,

    /// <summary>Tries poison more often than the limit allows.</summary>
    RetryPoison,

    /// <summary>Handles a signal that nobody sent.</summary>
    InventSignal,

    /// <summary>Forgets the request to cancel an instance.</summary>
    ForgetCancel,

    /// <summary>Loses a closed instance when it reads it.</summary>
    HideInstance,

    /// <summary>Opens a closed instance again.</summary>
    ReopenClosed,

    /// <summary>Keeps a dedup key and loses its signal, in a commit whose answer is lost.</summary>
    KeyWithoutSignal,

    /// <summary>Completes an instance after the first of its signals.</summary>
    CompleteEarly,

    /// <summary>Faults an instance in which nothing has failed.</summary>
    FaultInstance,

    /// <summary>Makes a signal that could be handled a dead letter.</summary>
    BuryAccepted,

    /// <summary>Goes past an activity whose first attempt failed or was lost.</summary>
    SkipActivity,

    /// <summary>Waits for the first of two children alone.</summary>
    ForgetSecondChild,
}
