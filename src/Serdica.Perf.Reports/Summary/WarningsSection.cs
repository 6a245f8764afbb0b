namespace Serdica.Perf.Reports.Summary;

/// <summary>Reasons to distrust figures, one line for each kind where many scenarios share it.</summary>
internal static class WarningsSection
{
    /// <summary>More of a kind are named in one line; all their sentences are in the summary's JSON.</summary>
    private const int MostSentences = 3;

    public static void Write(TextWriter writer, ReportView view)
    {
        if (view.Run.Warnings.Count == 0)
            return;

        writer.Heading("Warnings");
        foreach (var kind in view.Run.Warnings.GroupBy(warning => warning.Code))
        {
            var (shown, rest) = kind.Count() <= MostSentences ? (kind.AsEnumerable(), []) : (kind.Take(1), kind.Skip(1).ToArray());
            foreach (var warning in shown)
                writer.Write($"- **{warning.Code}**: {warning.Sentence}\n");
            if (rest.Length > 0)
                writer.Write(
                    $"- **{kind.Key}**: the same for "
                        + $"{string.Join(", ", rest.Select(warning => warning.Scenario ?? "the run").Distinct())}.\n"
                );
        }
    }
}
