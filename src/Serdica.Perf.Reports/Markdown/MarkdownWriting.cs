namespace Serdica.Perf.Reports.Markdown;

/// <summary>How every section begins, so that none is written that has nothing to say.</summary>
internal static class MarkdownWriting
{
    public static void Heading(this TextWriter writer, string heading) => writer.Write($"\n## {heading}\n\n");

    /// <summary>The last section of a report.</summary>
    public static void HowToRepeat(this TextWriter writer, string command)
    {
        writer.Heading("How to repeat");
        writer.Write($"```\n{command}\n```\n");
    }

    /// <summary>A heading, a sentence and a table; nothing at all when the table is empty.</summary>
    public static void Section(this TextWriter writer, string heading, string sentence, MarkdownTable table)
    {
        if (table.IsEmpty)
            return;

        writer.Heading(heading);
        if (sentence.Length > 0)
            writer.Write($"{sentence}\n\n");
        table.Write(writer);
    }

    /// <summary>One sentence for each backend that could not tell what <paramref name="table"/> would have shown.</summary>
    public static void Reasons(
        this TextWriter writer,
        string what,
        MarkdownTable table,
        IEnumerable<ScenarioResult> scenarios,
        Func<ScenarioResult, string?> missing
    )
    {
        var reasons = scenarios
            .Select(scenario => (scenario.Backend, Reason: missing(scenario)))
            .Where(entry => entry.Reason is not null)
            .Distinct()
            .ToArray();
        if (reasons.Length > 0 && table.IsEmpty)
            writer.Heading($"{what} that were not reported");
        foreach (var (backend, reason) in reasons)
            writer.Write($"{(table.IsEmpty ? "" : "\n")}{backend}: {reason}\n");
    }
}
