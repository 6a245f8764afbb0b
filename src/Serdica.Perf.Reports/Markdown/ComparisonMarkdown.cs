using System.Globalization;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Results;

namespace Serdica.Perf.Reports.Markdown;

/// <summary>A comparison as Markdown, for a pull request or the summary page of a pipeline. Pure.</summary>
public static class ComparisonMarkdown
{
    private static readonly (Verdict Verdict, string Heading, string Sentence)[] Changes =
    [
        (Verdict.Regressed, "Slower or more expensive", ""),
        (Verdict.Improved, "Faster or cheaper", ""),
        (Verdict.Changed, "Changed, neither better nor worse", ""),
        (Verdict.Unstable, "Inconclusive", "Not the same: the repeats are too few or too far apart. More repeats (`--repeat`) or a quieter machine tell more."),
    ];

    private static readonly (Verdict Verdict, string Heading)[] Withdrawn =
        [(Verdict.GeneratorLimited, "Generator-limited"), (Verdict.NotComparable, "Different conditions"), (Verdict.NotMeasured, "Not measured")];

    /// <param name="writer">Gets line feeds.</param>
    /// <param name="comparison">What is written.</param>
    /// <param name="gate">Null when no gate was asked.</param>
    public static void Write(TextWriter writer, RunComparison comparison, GateResult? gate = null)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(comparison);
        writer.Write($"# Comparison\n\nBase `{comparison.Base}`, candidate `{comparison.Candidate}`.\n");
        if (comparison.AllVaried() is { Count: > 0 } varied)
            writer.Write($"\n{ComparisonText.Varied} {string.Join("; ", varied)}.\n");
        if (comparison.AllowUnlike && comparison.AllUnlike() is { Count: > 0 } unlike)
            writer.Write($"\n> **{ComparisonText.Banner}** {string.Join("; ", unlike)}.\n");
        if (gate is not null)
            Write(writer, gate);
        foreach (var (verdict, heading, sentence) in Changes)
            WriteChanges(writer, comparison, verdict, heading, sentence);
        WriteByCore(writer, comparison);
        writer.Write($"\nThe same within the minimum effect: {comparison.With(Verdict.Same).Count()} metrics.\n");
        foreach (var (verdict, heading) in Withdrawn)
            WriteReasons(writer, comparison, verdict, heading);
    }

    private static void Write(TextWriter writer, GateResult gate)
    {
        writer.Heading(gate.Outcome switch { GateOutcome.Held => "Gate: held", GateOutcome.Breached => "Gate: breached", _ => "Gate: not judged" });
        writer.Write($"{GateText.Outcome(gate)}.\n\n");
        foreach (var breach in gate.Breaches)
            writer.Write($"- {breach.Sentence}\n");
        foreach (var breach in gate.Quarantined)
            writer.Write($"- In quarantine: {breach.Sentence}\n");
        foreach (var note in gate.Notes)
            writer.Write($"- Note: {note}\n");
    }

    private static void WriteChanges(TextWriter writer, RunComparison comparison, Verdict verdict, string heading, string sentence)
    {
        var table = new MarkdownTable(textColumns: 2, "Scenario", "Metric", "Before", "After", "Ratio", "Interval", "Repeats", "p", "Noise floor", "Why") { EndsWithText = true };
        foreach (var (scenario, metric) in comparison.With(verdict))
        {
            table.Row(
                scenario.Name, metric.Unit is null ? metric.Metric : $"{metric.Metric}, {metric.Unit}",
                ComparisonText.Value(metric.Before), ComparisonText.Value(metric.After), Number(metric.Ratio, "0.000"),
                metric.Low is null ? Figure.None : $"{Number(metric.Low, "0.000")} to {Number(metric.High, "0.000")}",
                $"{metric.BeforeCount} and {metric.AfterCount}", Number(metric.PValue, "0.####"), Figure.Share(metric.NoiseFloor),
                verdict == Verdict.Unstable ? metric.Reason : Figure.None);
        }

        writer.Section(heading, sentence, table);
    }

    /// <summary>What a larger machine brings.</summary>
    private static void WriteByCore(TextWriter writer, RunComparison comparison)
    {
        if (comparison is not { AllowUnlike: true, Cores: { } cores } || cores.Before == cores.After)
            return;

        var table = new MarkdownTable(textColumns: 1, "Scenario", "Throughput ratio", "Before, a core", "After, a core", "Ratio, a core");
        foreach (var scenario in comparison.Scenarios)
        {
            if (scenario.Metrics.FirstOrDefault(metric => metric.Metric == ComparedMetric.Throughput) is { Before: { } before, After: { } after, Ratio: { } ratio })
            {
                table.Row(
                    scenario.Name, Number(ratio, "0.000"), ComparisonText.Value(before / cores.Before), ComparisonText.Value(after / cores.After),
                    Number(ratio * cores.Before / cores.After, "0.000"));
            }
        }

        writer.Section(
            "By core",
            $"{Figure.Of(cores.Before)} cores before, {Figure.Of(cores.After)} after, of whatever kind; database and engine share them where both run on one machine. "
            + "Where the larger machine has a ratio of 1 a core, it pays in full; what is missing to 1 is what its further cores did not bring.",
            table);
    }

    private static void WriteReasons(TextWriter writer, RunComparison comparison, Verdict verdict, string heading)
    {
        var reasons = comparison.With(verdict).GroupBy(found => (found.Scenario.Name, found.Metric.Reason)).ToArray();
        if (reasons.Length == 0)
            return;
        writer.Heading(heading);
        foreach (var reason in reasons)
            writer.Write($"- {reason.Key.Name}: {reason.Key.Reason}\n");
    }

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? Figure.None;
}
