using System.Formats.Tar;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>What is kept in the history of this repository and no longer in its checkout.</summary>
internal static partial class GitHistory
{
    /// <summary>Skips the test where the history is not known.</summary>
    public static async Task RequireAsync()
    {
        var shallow = await Git.RunAsync("rev-parse", "--is-shallow-repository");
        if (shallow.ExitCode != 0)
            Assert.Skip("There is no git on this machine, or no checkout of it: its history is not known.");
        if (shallow.Output.Trim() == "true")
            Assert.Skip("This clone is shallow: it lacks the commits that documents name.");
    }

    /// <summary>Writes a file or a folder of the repository, as it was at a commit, below another folder, with its path.</summary>
    public static async Task ExtractAsync(string commit, string path, string folder)
    {
        var archive = Path.Combine(folder, $"{commit}.tar");
        var result = await Git.RunAsync("archive", "--format=tar", $"--output={archive}", commit, path);
        Assert.True(result.ExitCode == 0, result.Output);
        await TarFile.ExtractToDirectoryAsync(archive, folder, overwriteFiles: true);
        File.Delete(archive);
    }

    /// <summary>A kept run with its results: in the checkout, or in the history at the commit that the list of runs names for it.</summary>
    /// <returns>The folder that has them.</returns>
    public static async Task<string> KeptRunAsync(string run, string folder)
    {
        var path = Path.GetRelativePath(Repository.Root, run).Replace('\\', '/');
        var line = File.ReadLines(Repository.PathOf("TestResults/baselines/README.md"))
            .SingleOrDefault(line => line.Contains($"`{path}`"));
        if (line is null)
            return run;
        await RequireAsync();
        await ExtractAsync(CommitNamedIn(line), path, folder);
        return Path.Combine(folder, path);
    }

    /// <summary>The raw data of a baseline of docs/baselines: beside its document, or in the history at the commit that it names.</summary>
    /// <param name="name">Its document, without the ending.</param>
    /// <returns>The file.</returns>
    public static async Task<string> RawDataAsync(string name, string folder)
    {
        var (document, file) = ($"docs/baselines/{name}.md", $"docs/baselines/{name}.json.gz");
        if (File.Exists(Repository.PathOf(file)))
            return Repository.PathOf(file);
        await RequireAsync();
        await ExtractAsync(CommitNamedIn(await File.ReadAllTextAsync(Repository.PathOf(document))), file, folder);
        return Path.Combine(folder, file);
    }

    /// <summary>The commit up to which a text says that the history has something.</summary>
    public static string CommitNamedIn(string text) => UpTo().Match(text).Groups[1].Value;

    [GeneratedRegex("in this repository's history up to commit `([0-9a-f]{7,40})`")]
    private static partial Regex UpTo();
}
