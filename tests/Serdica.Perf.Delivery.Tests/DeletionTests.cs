namespace Serdica.Perf.Delivery.Tests;

/// <summary>Folders are deleted with all they hold in one way, which asks for a marker of ours.</summary>
public sealed partial class DeletionTests
{
    private const string Helper = "src/Serdica.Perf.Databases/OwnFolder.cs";

    /// <summary>
    /// The shell beside a server has no other way; it deletes the one folder that the server's start made and named to it.
    /// </summary>
    private const string Shell = "src/Serdica.Perf.Databases/Local/Watchdog.cs";

    [Fact]
    public void Nothing_but_the_one_helper_deletes_folders_with_all_they_hold()
    {
        var files = new[] { "src", "eng" }
            .SelectMany(folder => Directory.EnumerateFiles(Repository.PathOf(folder), "*", SearchOption.AllDirectories))
            .Select(file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
            .Where(file =>
                !Generated().IsMatch(file)
                && Path.GetExtension(file) is ".cs" or ".ts" or ".mjs" or ".sh" or ".yml" or ".yaml" or ".targets" or ".props"
            )
            .ToArray();

        var deleting = files.Where(file => Deletion().IsMatch(File.ReadAllText(Repository.PathOf(file)))).Order(StringComparer.Ordinal);

        Assert.Contains(Helper, files);
        Assert.Equal([Shell, Helper], deleting);
    }

    [Fact]
    public async Task Preparing_DocumentDB_leaves_folders_alone_that_it_has_not_made()
    {
        using var cache = new TemporaryFolder();
        foreach (var name in (string[])["documentdb", "documentdb.new"])
        {
            Directory.CreateDirectory(cache.Below(name));
            await File.WriteAllTextAsync(cache.Below(name, "precious.txt"), "as it was", Token);
        }

        var result = await DotnetCommand.RunAsync(
            Repository.Root,
            new Dictionary<string, string> { ["SERDICA_PERF_CACHE"] = cache.Path, ["SERDICA_PERF_DOCUMENTDB"] = "" },
            "run",
            "eng/documentdb.cs",
            "--",
            "--force"
        );

        Assert.All((string[])["documentdb", "documentdb.new"], name =>
            Assert.True(File.Exists(cache.Below(name, "precious.txt")), $"{name} is gone: {result.Output}")
        );
        Assert.Equal(1, result.ExitCode);
        Assert.Contains($"the folder '{cache.Below("documentdb")}' was not created by this program", result.Output);
    }

    [GeneratedRegex(@"Delete\([^()]*recursive: true|Directory\.Delete\([^()]+, true\)|\brm -[a-zA-Z]*[rR]|rmSync|rimraf")]
    private static partial Regex Deletion();

    [GeneratedRegex("/(bin|obj|node_modules|dist)/")]
    private static partial Regex Generated();
}
