namespace Serdica.Perf.Databases.Tests;

public sealed class PreparedDocumentDbTests : ScratchTests
{
    [Fact]
    public void Own_folder_of_the_user_goes_before_that_of_the_machine() =>
        Assert.Equal(
            [Path.Combine("/home/ada", ".cache", "serdica-perf", "documentdb"), Path.Combine("/var/cache/serdica-perf", "documentdb")],
            PreparedDocumentDb.FoldersFor(requestedCache: null, "/home/ada", isRoot: false)
        );

    [Fact]
    public void Root_has_it_where_the_user_of_the_server_may_go() =>
        Assert.Equal(
            [Path.Combine("/var/cache/serdica-perf", "documentdb")],
            PreparedDocumentDb.FoldersFor(requestedCache: null, "/root", isRoot: true)
        );

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Folder_asked_for_is_the_only_one(bool isRoot)
    {
        var cache = Path.Combine(Path.GetTempPath(), "kept");

        Assert.Equal([Path.Combine(cache, "documentdb")], PreparedDocumentDb.FoldersFor(cache, "/home/ada", isRoot));
    }

    [Fact]
    public void PostgreSQL_without_the_extension_does_not_serve()
    {
        var (binaries, problem) = new DocumentDb().FindBinaries(new DatabaseRequest { CacheFolder = Root.Path });

        Assert.SkipWhen(binaries is not null, $"{binaries?.Folder} has the extension.");
        Assert.Contains(Path.Combine(Root.Path, "documentdb"), problem);
        Assert.Contains("eng/setup.cs -- --documentdb", problem);
        Assert.Contains("SERDICA_PERF_DOCUMENTDB", problem);
    }

    [Fact]
    public async Task What_is_missing_is_a_reason_to_skip_and_no_fault()
    {
        var request = new DatabaseRequest { CacheFolder = Root.Path, TemporaryFolder = Root.Path };

        var findings = await DatabaseSources.Of("documentdb").InspectAsync(request, Token);

        Assert.SkipWhen(findings.Any(finding => finding.IsAvailable), string.Join(' ', findings.Select(finding => finding.Detail)));
        EachItem.Holds([findings[0], findings[^1]], finding => Assert.Contains("SERDICA_PERF_DOCUMENTDB", finding.Detail));
        var outcome = await LocalServer.ProvisionAsync(DatabaseEnvironment.DocumentDb, request, Token);
        Assert.Equal(findings[^1].Detail, Assert.IsType<ProvisionOutcome.Unavailable>(outcome).Reason);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Root.Path));
    }
}
