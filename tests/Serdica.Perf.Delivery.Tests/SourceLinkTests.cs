using System.IO.Compression;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A package that a pipeline makes leads to its sources, and says nothing of the machine that made it.</summary>
public sealed class SourceLinkTests : FolderTests
{
    private static readonly Dictionary<string, string> OnCi = new() { ["CI"] = "true" };

    [Fact]
    public async Task Package_names_its_repository_and_its_symbols_lead_to_the_commit()
    {
        var probe = new ProbeProject(Root);
        await probe.GitAsync("init", "--quiet");
        await probe.GitAsync("remote", "add", "origin", "https://github.com/somebody/serdica-perf.git");
        var commit = await probe.CommitAsync("Probe");

        var packed = await DotnetCommand.RunAsync(Root.Path, OnCi, "pack", probe.File, "-c", "Release", "-o", Root.Below("packages"));

        Assert.True(packed.ExitCode == 0, packed.Output);
        using var package = ZipFile.OpenRead(Directory.GetFiles(Root.Below("packages"), "*.nupkg").Single());
        using var description = package.Entries.Single(entry => entry.FullName == "Probe.nuspec").Open();
        var repository = XDocument.Load(description).Descendants().Single(element => element.Name.LocalName == "repository");
        Assert.Equal("https://github.com/somebody/serdica-perf", ((string?)repository.Attribute("url"))?.Replace(".git", ""));
        Assert.Equal(commit, (string?)repository.Attribute("commit"));
        var symbols = Symbols(Directory.GetFiles(Root.Below("packages"), "*.snupkg").Single());
        Assert.Contains($"https://raw.githubusercontent.com/somebody/serdica-perf/{commit}/*", symbols);
        Assert.DoesNotContain(Root.Path, symbols);
    }

    /// <summary>Names of files and the map of Source Link are plain text in portable symbols.</summary>
    private static string Symbols(string file)
    {
        using var package = ZipFile.OpenRead(file);
        using var symbols = package.Entries.Single(entry => entry.Name == "Probe.pdb").Open();
        using var bytes = new MemoryStream();
        symbols.CopyTo(bytes);
        return Encoding.UTF8.GetString(bytes.ToArray());
    }
}
