namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>What a backend of the tests does wrong, once.</summary>
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
}
