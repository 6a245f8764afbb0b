namespace Serdica.Perf.Results.Runs;

/// <summary>One assertion about the state of the database after a scenario.</summary>
/// <param name="Check">What was asserted, for instance <c>no dead letter</c>.</param>
/// <param name="Passed">Whether the assertion held.</param>
/// <param name="Expected">The expected value, for people.</param>
/// <param name="Actual">The actual value, for people.</param>
public sealed record VerificationCheck(string Check, bool Passed, string Expected, string Actual)
{
    /// <summary>The failure as a sentence for people.</summary>
    [JsonIgnore]
    public string Failure => $"{Check}: expected {Expected}, found {Actual}.";
}

/// <summary>
/// Failures that a scenario causes on purpose. The audit, which otherwise allows none, then requires exactly these numbers.
/// </summary>
/// <param name="Cancelled">Instances that are cancelled instead of completed.</param>
/// <param name="DeadLetters">Signals that become dead letters.</param>
/// <param name="HandlerFailures">Attempts to handle a signal that fail.</param>
public sealed record IntendedTrouble(long Cancelled = 0, long DeadLetters = 0, long HandlerFailures = 0)
{
    public static IntendedTrouble None { get; } = new();
}
