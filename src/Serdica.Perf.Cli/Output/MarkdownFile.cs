namespace Serdica.Perf.Cli.Output;

/// <summary>A file of Markdown, written when its text is complete.</summary>
internal static class MarkdownFile
{
    public static void Write(string file, Action<TextWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        write(text);
        File.WriteAllText(file, text.ToString());
    }
}
