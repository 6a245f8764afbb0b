namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>What a backend of the tests does wrong: once, unless it says otherwise.</summary>
public enum Mutation
{
    None,

    /// <summary>Acknowledges a signal and forgets it.</summary>
    DropSignal,

    /// <summary>Hands a signal to the engine twice.</summary>
    ApplyTwice,

    /// <summary>Loses a committed instance.</summary>
    LoseInstance,

    /// <summary>Writes another state than the engine decided.</summary>
    CorruptState,

    /// <summary>Acknowledges a message and forgets it.</summary>
    DropMessage,

    /// <summary>Hands a message out twice.</summary>
    DeliverTwice,

    /// <summary>Hands a message out before it is due.</summary>
    DeliverEarly,

    /// <summary>Makes every message due at once, and says so when it hands them out.</summary>
    ForgetDelay,

    /// <summary>Keeps the first four bytes of every message.</summary>
    TruncatePayload,

    /// <summary>Acknowledges requests for cancellation and forgets them, all of them.</summary>
    LoseCancellation,

    /// <summary>Writes instances that were cancelled as completed, all of them.</summary>
    ReviveCancelled,

    /// <summary>Leaves a timer in place that must not come any more.</summary>
    KeepWithdrawn,

    /// <summary>Loses a dead letter.</summary>
    LoseDeadLetter,

    /// <summary>Keeps a dead letter with another reason.</summary>
    CorruptDeadLetter,

    /// <summary>Forgets a dedup key.</summary>
    AcceptDuplicate,

    /// <summary>Makes a timer due at once.</summary>
    FireEarly,

    /// <summary>Loses a timer.</summary>
    LoseTimer,

    /// <summary>Loses what a child tells its parent at its end.</summary>
    LoseChildResult,

    /// <summary>Refuses every claim.</summary>
    FailClaims,

    /// <summary>Refuses one claim.</summary>
    FailClaim,

    /// <summary>Changes one byte of a state when it is first written.</summary>
    AlterState,

    /// <summary>Hands out activities to a host that has no place for them.</summary>
    IgnoreSkippedActivities,
}
