using System.Text.Json.Serialization;

namespace Serdica.Perf.Results.Runs;

/// <summary>One assertion about the state of the database after a scenario.</summary>
/// <param name="Check">What was asserted, for instance <c>no dead letter</c>.</param>
/// <param name="Passed">Whether it held.</param>
/// <param name="Expected">For people.</param>
/// <param name="Actual">For people.</param>
public sealed record VerificationCheck(string Check, bool Passed, string Expected, string Actual)
{
    /// <summary>What did not hold, for people.</summary>
    [JsonIgnore]
    public string Failure => $"{Check}: expected {Expected}, found {Actual}.";
}

/// <summary>
/// What a scenario causes on purpose: the audit, which else allows none of it, then demands exactly so much.
/// </summary>
/// <param name="Cancelled">Instances that are cancelled in place of completed.</param>
/// <param name="DeadLetters">Signals that become dead letters.</param>
/// <param name="HandlerFailures">Attempts to handle a signal that fail.</param>
public sealed record IntendedTrouble(long Cancelled = 0, long DeadLetters = 0, long HandlerFailures = 0)
{
    public static IntendedTrouble None { get; } = new();
}
