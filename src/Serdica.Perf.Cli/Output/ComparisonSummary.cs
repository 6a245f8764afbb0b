namespace Serdica.Perf.Cli.Output;

/// <summary>A comparison on one screen: what changed line by line, the rest by scenario.</summary>
internal static class ComparisonSummary
{
    /// <summary>Lines of one group; the rest is counted.</summary>
    private const int Lines = 12;

    public static void Write(TextWriter writer, RunComparison comparison, GateResult? gate)
    {
        WriteSides(writer, comparison);
        foreach (var sentence in ComparisonText.Introduction(comparison))
            writer.WriteLine(sentence);

        WriteChanges(writer, comparison, Verdict.Regressed, "Slower or more expensive");
        WriteChanges(writer, comparison, Verdict.Improved, "Faster or cheaper");
        if (comparison.With(Verdict.Changed).Any())
            WriteChanges(writer, comparison, Verdict.Changed, "Changed, neither better nor worse");
        WriteUntold(writer, comparison);
        WriteSame(writer, comparison);
        WriteReasons(writer, comparison);
        if (gate is not null)
            WriteGate(writer, gate);
        else if (comparison.ComparedNothing)
            writer.WriteLine("Nothing was compared; the reasons are above.");
    }

    /// <summary>What was compared, and what the sides differ in beside the code.</summary>
    internal static void WriteSides(TextWriter writer, RunComparison comparison)
    {
        writer.WriteLine($"Base:      {comparison.Base}");
        writer.WriteLine($"Candidate: {comparison.Candidate}");
        if (comparison.AllVaried() is { Count: > 0 } varied)
            writer.WriteLine($"{ComparisonText.Varied} {string.Join("; ", varied)}");
        if (comparison.AllowUnlike && comparison.AllUnlike() is { Count: > 0 } unlike)
        {
            writer.WriteLine($"*** {ComparisonText.Banner}");
            WriteLines(writer, [.. unlike.Select(difference => $"*** {difference}")]);
        }
    }

    /// <summary>Figures that too few operations stand behind, once for each scenario and number of them.</summary>
    internal static void WriteTooFew(TextWriter writer, RunComparison comparison) =>
        WriteLines(
            writer,
            [
                .. from found in comparison.With(Verdict.Unstable)
                where found.Metric.HasTooFew
                group found.Metric.Metric by (found.Scenario.Name, found.Metric.Reason) into few
                select $"  {few.Key.Name} {string.Join(", ", few)}: {few.Key.Reason}",
            ]
        );

    /// <summary>Why metrics have no verdict of their own.</summary>
    internal static void WriteReasons(TextWriter writer, RunComparison comparison)
    {
        foreach (var verdict in (Verdict[])[Verdict.GeneratorLimited, Verdict.NotComparable, Verdict.NotMeasured])
            WriteReasons(writer, comparison, verdict);
    }

    /// <summary>The limits that were exceeded, and the outcome as the last line.</summary>
    internal static void WriteGate(TextWriter writer, GateResult gate)
    {
        WriteLines(writer, [.. gate.Notes.Distinct().Select(note => $"  Note: {note}")]);
        foreach (var breach in gate.Quarantined)
            writer.WriteLine($"  In quarantine: {breach.Sentence}");
        foreach (var breach in gate.Breaches)
            writer.WriteLine($"  {breach.Sentence}");
        writer.WriteLine($"{GateText.Outcome(gate)}.");
    }

    internal static void WriteLines(TextWriter writer, string[] lines)
    {
        foreach (var line in lines.Take(Lines))
            writer.WriteLine(line);
        if (lines.Length > Lines)
            writer.WriteLine($"  and {lines.Length - Lines} more: see --markdown or --json");
    }

    private static void WriteChanges(TextWriter writer, RunComparison comparison, Verdict verdict, string heading)
    {
        string[] lines =
        [
            .. comparison
                .With(verdict)
                .OrderByDescending(found => found.Metric.IsPrimary)
                .ThenByDescending(found => Math.Abs(Math.Log(found.Metric.Ratio ?? 0)))
                .Select(found =>
                    $"  {found.Scenario.Name} {found.Metric.Metric}: {ComparisonText.Change(found.Metric)} "
                    + $"({ComparisonText.Evidence(found.Metric)}){Informative(found.Metric)}"
                ),
        ];
        writer.WriteLine($"{heading}: {Metrics(lines.Length)}");
        WriteLines(writer, lines);
    }

    private static string Informative(MetricComparison metric) => metric.IsPrimary ? "" : ", informative";

    private static void WriteSame(TextWriter writer, RunComparison comparison)
    {
        var same = comparison.With(Verdict.Same).ToArray();
        writer.WriteLine($"No difference beyond the minimum effect: {Metrics(same.Length)}");
        WriteLines(
            writer,
            [
                .. same.Where(found => found.Metric.IsPrimary)
                    .Select(found => $"  {found.Scenario.Name} {found.Metric.Metric}: {ComparisonText.Words(found.Metric)}"),
            ]
        );
    }

    private static void WriteUntold(TextWriter writer, RunComparison comparison)
    {
        writer.WriteLine($"Inconclusive: {Metrics(comparison.With(Verdict.Unstable).Count())}");
        WriteTooFew(writer, comparison);
        var scenarios = comparison.With(Verdict.Unstable).Where(found => !found.Metric.HasTooFew).GroupBy(found => found.Scenario.Name);
        WriteLines(
            writer,
            [
                .. scenarios.Select(scenario =>
                {
                    var first = scenario.First().Metric;
                    var others = scenario.Skip(1).Select(found => found.Metric.Metric).ToArray();
                    return $"  {scenario.Key} {first.Metric}: {ComparisonText.Change(first)} ({ComparisonText.Evidence(first)}). "
                        + $"{first.Reason}"
                        + (others.Length == 0 ? "" : $" The same applies to {string.Join(", ", others)}.");
                }),
            ]
        );
    }

    private static void WriteReasons(TextWriter writer, RunComparison comparison, Verdict verdict)
    {
        string[] lines = [.. ComparisonText.Reasons(comparison, verdict).Select(reason => $"  {reason}")];
        if (lines.Length == 0)
            return;
        var words = ComparisonText.Words(verdict);
        writer.WriteLine($"{char.ToUpperInvariant(words[0])}{words[1..]}: {Metrics(comparison.With(verdict).Count())}");
        WriteLines(writer, lines);
    }

    private static string Metrics(int count) => count == 1 ? "1 metric" : $"{count} metrics";
}
