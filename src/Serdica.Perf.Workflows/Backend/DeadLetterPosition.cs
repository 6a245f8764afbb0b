namespace Serdica.Perf.Workflows;

/// <summary>The place of a dead letter in the order in which they are listed.</summary>
public readonly record struct DeadLetterPosition(DateTimeOffset DeadAt, Guid SignalId)
{
    public static DeadLetterPosition Of(DeadLetter letter)
    {
        ArgumentNullException.ThrowIfNull(letter);
        return new(letter.DeadAt, letter.Signal.Id);
    }
}
