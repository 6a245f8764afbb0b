using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Reports.Markdown;

/// <summary>A comparison as Markdown, for a pull request or the summary page of a pipeline. Pure.</summary>
internal static class ComparisonMarkdown
{
    private static readonly (Verdict Verdict, string Heading, string Sentence)[] Changes =
    [
        (Verdict.Regressed, "Slower or more expensive", ""),
        (Verdict.Improved, "Faster or cheaper", ""),
        (Verdict.Changed, "Changed, neither better nor worse", ""),
        (
            Verdict.Unstable,
            "Inconclusive",
            "These metrics may have changed or not: the samples are too few or too far apart. The last column says what would be needed."
        ),
    ];

    private static readonly (Verdict Verdict, string Heading)[] Withdrawn =
    [
        (Verdict.GeneratorLimited, "Generator-limited"),
        (Verdict.NotComparable, "Different conditions"),
        (Verdict.NotMeasured, "Not measured"),
    ];

    /// <param name="gate">Null when no gate was asked.</param>
    public static void Write(TextWriter writer, RunComparison comparison, GateResult? gate = null)
    {
        writer.Write($"# Comparison\n\nBase `{comparison.Base}`, candidate `{comparison.Candidate}`.\n");
        if (comparison.AllVaried() is { Count: > 0 } varied)
            writer.Write($"\n{ComparisonText.Varied} {string.Join("; ", varied)}.\n");
        if (ComparisonText.DifferentConditions(comparison) is { } different)
            writer.Write($"\n> **{different}**\n");
        foreach (var sentence in ComparisonText.Introduction(comparison))
            writer.Write($"\n{sentence}\n");

        if (gate is not null)
            Write(writer, gate);
        foreach (var (verdict, heading, sentence) in Changes)
            WriteChanges(writer, comparison, verdict, heading, sentence);
        WriteByCore(writer, comparison);
        WriteSame(writer, comparison);
        foreach (var (verdict, heading) in Withdrawn)
            WriteReasons(writer, comparison, verdict, heading);
    }

    private static void Write(TextWriter writer, GateResult gate)
    {
        writer.Heading(
            gate.Outcome switch
            {
                GateOutcome.Held => "Gate: held",
                GateOutcome.Breached => "Gate: breached",
                _ => "Gate: not judged",
            }
        );
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
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Metric",
            "Before",
            "After",
            "Ratio",
            "99 % interval",
            "Samples",
            "p",
            "p corrected",
            "Noise floor",
            "Power, 10 %",
            "Why"
        )
        {
            EndsWithText = true,
        };
        foreach (var (scenario, metric) in comparison.With(verdict))
        {
            table.Row(
                scenario.Name,
                $"{metric.Metric}{(metric.Unit is null ? "" : $", {metric.Unit}")}{(metric.IsPrimary ? " (primary)" : "")}",
                ComparisonText.Value(metric.Before),
                ComparisonText.Value(metric.After),
                Number(metric.Ratio, "0.000"),
                metric.Low is null ? Figure.None : $"{Number(metric.Low, "0.000")} to {Number(metric.High, "0.000")}",
                $"{metric.BeforeCount} and {metric.AfterCount}",
                Probability(metric.PValue),
                Probability(metric.CorrectedPValue),
                Figure.Share(metric.NoiseFloor),
                Number(metric.Power, "0.00"),
                verdict == Verdict.Unstable ? metric.Reason : Figure.None
            );
        }

        writer.Section(heading, sentence, table);
    }

    private static void WriteSame(TextWriter writer, RunComparison comparison)
    {
        var same = comparison.With(Verdict.Same).ToArray();
        writer.Write($"\nNo difference beyond the minimum effect: {Figure.Number(same.Length, "metric")}.\n");
        foreach (var (index, (scenario, metric)) in same.Where(found => found.Metric.IsPrimary).Index())
            writer.Write($"{(index == 0 ? "\n" : "")}- {scenario.Name} {metric.Metric}: {ComparisonText.Words(metric)}\n");
    }

    /// <summary>What a larger machine brings.</summary>
    private static void WriteByCore(TextWriter writer, RunComparison comparison)
    {
        if (comparison is not { AllowUnlike: true, Cores: { } cores } || cores.Before == cores.After)
            return;

        var table = new MarkdownTable(textColumns: 1, "Scenario", "Throughput ratio", "Before/core", "After/core", "Ratio/core");
        foreach (var scenario in comparison.Scenarios)
        {
            if (
                scenario.Metrics.FirstOrDefault(metric => metric.Metric == ComparedMetric.Throughput) is
                { Before: { } before, After: { } after, Ratio: { } ratio }
            )
            {
                table.Row(
                    scenario.Name,
                    Number(ratio, "0.000"),
                    ComparisonText.Value(before / cores.Before),
                    ComparisonText.Value(after / cores.After),
                    Number(ratio * cores.Before / cores.After, "0.000")
                );
            }
        }

        writer.Section(
            "By core",
            $"{Figure.Of(cores.Before)} cores before, {Figure.Of(cores.After)} after; the kind of core may differ. On one "
                + $"machine, database and engine share the cores. A ratio of 1 per core means that throughput grew in proportion to the "
                + "cores; below 1, the additional cores brought less.",
            table
        );
    }

    private static void WriteReasons(TextWriter writer, RunComparison comparison, Verdict verdict, string heading)
    {
        var reasons = ComparisonText.Reasons(comparison, verdict).ToArray();
        if (reasons.Length == 0)
            return;
        writer.Heading(heading);
        foreach (var reason in reasons)
            writer.Write($"- {reason}\n");
    }

    private static string Probability(double? p) => p is { } value ? ComparisonText.Probability(value) : Figure.None;

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? Figure.None;
}
