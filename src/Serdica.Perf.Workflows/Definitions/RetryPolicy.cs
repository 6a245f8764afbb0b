namespace Serdica.Perf.Workflows;

/// <summary>How a failed attempt is tried again: exponential, capped, with jitter.</summary>
public sealed record RetryPolicy
{
    /// <summary>5 attempts: after 0.1, 0.2, 0.4 and 0.8 seconds, each up to 20 % longer.</summary>
    public static RetryPolicy Default { get; } = new();

    /// <summary>One attempt.</summary>
    public static RetryPolicy None { get; } = new() { MaxAttempts = 1 };

    /// <value>All attempts, the first included; default 5.</value>
    public int MaxAttempts { get; init; } = 5;

    /// <value>Pause before the second attempt; default 100 ms.</value>
    public TimeSpan FirstDelay { get; init; } = FromMilliseconds(100);

    /// <value>What each further pause is multiplied with; default 2.</value>
    public double Factor { get; init; } = 2;

    /// <value>No pause is longer, jitter aside; default 30 s.</value>
    public TimeSpan MaxDelay { get; init; } = FromSeconds(30);

    /// <value>Largest random addition as a share of the pause; default 0.2.</value>
    public double Jitter { get; init; } = 0.2;

    /// <value>Errors that no further attempt can mend; default none. For an error on which it throws, there are further attempts.</value>
    public Func<Exception, bool> IsFinal { get; init; } = static _ => false;

    /// <summary>The pause after attempt <paramref name="attempt"/> (1 for the first); at most 36,500 days.</summary>
    /// <param name="attempt">The attempt that has failed.</param>
    /// <param name="spread">Where in the jitter's range, 0 to 1.</param>
    public TimeSpan DelayAfter(int attempt, double spread)
    {
        if (FirstDelay == TimeSpan.Zero)
            return TimeSpan.Zero;
        var pause = FirstDelay.TotalSeconds * Math.Pow(Factor, Math.Min(attempt - 1, 60));
        pause = Math.Min(pause, MaxDelay.TotalSeconds) * (1 + (Jitter * spread));
        return pause < Delays.Longest.TotalSeconds ? FromSeconds(pause) : Delays.Longest;
    }

    /// <summary>Whether no further attempt can mend this error.</summary>
    internal bool GivesUpOn(Exception error)
    {
        try
        {
            return IsFinal(error);
        }
        catch (Exception)
        {
            // It is user code that expects other errors: a report of this one is worth more than its answer.
            return false;
        }
    }

    /// <exception cref="ArgumentException">A value makes no sense; the message names it.</exception>
    internal void Validate(string owner)
    {
        if (MaxAttempts < 1)
            throw new ArgumentException($"{owner}: MaxAttempts is {MaxAttempts}, it must be at least 1.");
        if (FirstDelay < TimeSpan.Zero || MaxDelay < FirstDelay)
            throw new ArgumentException(
                $"{owner}: FirstDelay is {FirstDelay} and MaxDelay is {MaxDelay}; they must not be negative, and MaxDelay not below "
                    + $"FirstDelay."
            );
        if (IsFinal is null)
            throw new ArgumentException($"{owner}: IsFinal is null; leave it out when all errors may be retried.");
        if (!(Factor >= 1))
            throw new ArgumentException($"{owner}: Factor is {Factor}, it must be at least 1.");
        if (!(Jitter is >= 0 and <= 1))
            throw new ArgumentException($"{owner}: Jitter is {Jitter}, it must lie between 0 and 1.");
    }
}
