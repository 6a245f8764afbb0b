namespace Serdica.Perf.Cli.Output;

/// <summary>The file of <c>--markdown</c>.</summary>
internal static class MarkdownFile
{
    /// <exception cref="UsageException">It cannot be written.</exception>
    public static void Write(string file, Action<TextWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        write(text);
        try
        {
            File.WriteAllText(file, text.ToString());
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"The Markdown cannot be written to '{file}': {error.Message}");
        }
    }
}
