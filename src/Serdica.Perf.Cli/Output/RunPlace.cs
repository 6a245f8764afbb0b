using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Cli.Output;

/// <summary>The last lines of every measurement: where its report is.</summary>
internal static class RunPlace
{
    public static void Write(TextWriter writer, RunFolder folder)
    {
        writer.WriteLine($"Report: {Relative(Path.Combine(folder.Path, RunFolder.PageFile))}");
        writer.WriteLine($"Run folder: {Relative(folder.Path)}");
    }

    private static string Relative(string path) => Path.GetRelativePath(Directory.GetCurrentDirectory(), path);
}
