namespace Serdica.Perf.Measurement.Reports;

/// <summary>How every section begins, so that none is written that has nothing to say.</summary>
internal static class MarkdownWriting
{
    public static void Heading(this TextWriter writer, string heading) => writer.Write($"\n## {heading}\n\n");

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
}
