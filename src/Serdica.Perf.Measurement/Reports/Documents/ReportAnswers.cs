using System.Text.Json.Serialization;
using Serdica.Perf.Measurement.Comparisons;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>The first screen: did it pass, how fast, what limits it, what changed.</summary>
/// <param name="Passed">Whether every run has passed.</param>
/// <param name="Degraded">Whether a load test has passed with figures that deserve a doubt.</param>
/// <param name="Outcome">One sentence on how they ended.</param>
/// <param name="Speeds">One for each backend and run that has a throughput.</param>
/// <param name="Limits">One for each backend and run that could be judged.</param>
/// <param name="Change">One sentence on what changed, or why nothing can be said.</param>
/// <param name="Headline">The gravest thing that is known: regressed before improved before same before what could not be told; null without a base.</param>
public sealed record ReportAnswers(
    bool Passed, bool Degraded, string Outcome, IReadOnlyList<ReportSpeed> Speeds, IReadOnlyList<ReportLimit> Limits, string Change, Verdict? Headline)
{
    /// <summary>For a title.</summary>
    [JsonIgnore]
    public string Word => !Passed ? "NOT PASSED" : Degraded ? "Degraded" : "Passed";
}
