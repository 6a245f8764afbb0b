namespace Serdica.Perf.Workflows;

/// <summary>Why a signal became a dead letter. The numbers are stored.</summary>
public enum DeadLetterReason
{
    /// <summary>Its handler failed as often as the host's options allow.</summary>
    AttemptsExhausted = 0,

    /// <summary>The instance had closed before the signal could be handled.</summary>
    InstanceClosed = 1,

    /// <summary>The instance keeps as many early signals, or as many bytes of them, as the host's options allow.</summary>
    BufferFull = 2,

    /// <summary>The database refused what its instance decided, as often as the host's options allow.</summary>
    Refused = 3,
}
