namespace Serdica.Perf.Workflows;

/// <summary>A signal that was accepted and could not be handled, kept with the reason.</summary>
/// <param name="Signal">The signal as it was claimed last.</param>
/// <param name="Reason">Kind of the failure.</param>
/// <param name="Detail">A sentence for people: which handler, which error.</param>
/// <param name="DeadAt">Database time of the write; set by the backend.</param>
public sealed record DeadLetter(Signal Signal, DeadLetterReason Reason, string Detail, DateTimeOffset DeadAt = default);

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

/// <summary>The place of a dead letter in the order in which they are listed.</summary>
public readonly record struct DeadLetterPosition(DateTimeOffset DeadAt, Guid SignalId)
{
    public static DeadLetterPosition Of(DeadLetter letter)
    {
        ArgumentNullException.ThrowIfNull(letter);
        return new(letter.DeadAt, letter.Signal.Id);
    }
}
