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
