namespace Serdica.Perf.Workflows;

/// <summary>How one activity is run.</summary>
public sealed record ActivityOptions
{
    /// <summary>Timers of .NET end at 49 days.</summary>
    private static readonly TimeSpan LongestTimeout = FromDays(30);

    public static ActivityOptions Default { get; } = new();

    /// <value>Default <see cref="RetryPolicy.Default"/>.</value>
    public RetryPolicy Retry { get; init; } = RetryPolicy.Default;

    /// <value>Limit of one attempt; default 30 s. An attempt over it has failed, whether it stops or not.</value>
    public TimeSpan Timeout { get; init; } = FromSeconds(30);

    /// <value>
    /// Default <see langword="false"/>. When <see langword="true"/> and the activity stands before the first wait,
    /// the caller of Start runs it before the instance is inserted, so that the start stays one commit. The price:
    /// a caller that dies in between has done the call and left no instance. Fit for reads, and for calls that are
    /// idempotent by <see cref="ActivityContext.ActivityId"/> or business key.
    /// </value>
    public bool InlineAtStart { get; init; }

    internal void Validate(string owner)
    {
        Retry.Validate(owner);
        if (Timeout <= TimeSpan.Zero || Timeout > LongestTimeout)
            throw new ArgumentException($"{owner}: Timeout is {Timeout}, it must be positive and at most {LongestTimeout.TotalDays} days.");
    }
}
