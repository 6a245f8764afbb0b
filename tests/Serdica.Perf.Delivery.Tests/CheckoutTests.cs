namespace Serdica.Perf.Delivery.Tests;

/// <summary>Whoever clones the repository gets what he needs, and not what once was measured or tried.</summary>
public sealed class CheckoutTests
{
    private const long MostBytes = 8_000_000;
    private const string Baselines = "TestResults/baselines";

    [Fact]
    public async Task A_checkout_is_smaller_than_8_MB()
    {
        var files = await TrackedFilesAsync();

        var total = files.Sum(file => file.Length);

        Assert.True(
            total < MostBytes,
            Invariant($"The tracked files have {total:N0} bytes, and {MostBytes:N0} is the limit. The largest: {Largest(files)}.")
        );
    }

    [Fact]
    public async Task Each_kept_run_is_cited_by_a_document()
    {
        var files = (await TrackedFilesAsync()).Select(file => Path.GetRelativePath(Repository.Root, file.FullName).Replace('\\', '/'));
        var documents = string.Join('\n', new[] { "README.md", "docs" }.SelectMany(Markdown).Select(File.ReadAllText));

        var kept = files
            .Where(file => file.StartsWith(Baselines) && file.Split('/').Length > 4)
            .Select(file => string.Join('/', file.Split('/').Take(4)))
            .Distinct();

        EachItem.Holds(kept, folder => Assert.Contains(folder + "/", documents));
    }

    /// <summary>In a checkout of limited size, and so that compressing the same results again gives the same bytes.</summary>
    [Fact]
    public void Results_of_kept_runs_are_compressed_without_a_name_and_a_time()
    {
        string[] results = [RunFolder.SummaryFile, RunFolder.LoadFile, RunFolder.QueueFile];
        byte[] plain = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0];
        var files = Directory.GetFiles(Repository.PathOf(Baselines), "*", SearchOption.AllDirectories);

        Assert.DoesNotContain(files, file => results.Contains(Path.GetFileName(file)));
        Assert.DoesNotContain(files, file =>
            file.EndsWith(JsonFile.CompressedSuffix) && !File.ReadAllBytes(file).AsSpan().StartsWith(plain)
        );
    }

    private static IEnumerable<string> Markdown(string place) => Repository.FilesOf(place, [".md"]).Select(Repository.PathOf);

    private static string Largest(IEnumerable<FileInfo> files) =>
        string.Join(
            ", ",
            files.OrderByDescending(file => file.Length).Take(5).Select(file => Invariant($"{file.Name} ({file.Length:N0})"))
        );

    /// <summary>What git has, without what was deleted and is not committed yet.</summary>
    private static async Task<IReadOnlyList<FileInfo>> TrackedFilesAsync()
    {
        var listed = await Git.RunAsync("ls-files", "-z");
        if (listed.ExitCode != 0)
            Assert.Skip("There is no git on this machine, or no checkout of it: the tracked files are not known.");
        return
        [
            .. listed
                .Output.Split('\0', RemoveEmptyEntries)
                .Select(file => new FileInfo(Repository.PathOf(file)))
                .Where(file => file.Exists),
        ];
    }
}
