namespace Serdica.Perf.Cli.Output;

/// <summary>The last lines of every measurement: where its report is.</summary>
internal static class RunPlace
{
    public static void Write(TextWriter writer, RunFolder folder) => Write(writer, folder.Path);

    public static void Write(TextWriter writer, string folder)
    {
        writer.WriteLine($"Report: {Relative(Path.Combine(folder, RunFolder.PageFile))}");
        writer.WriteLine($"Run folder: {Relative(folder)}");
    }

    /// <summary>From where the command was typed.</summary>
    public static string Relative(string path) => Path.GetRelativePath(Directory.GetCurrentDirectory(), path);
}
