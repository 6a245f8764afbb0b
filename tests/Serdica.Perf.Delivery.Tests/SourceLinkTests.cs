using System.IO.Compression;
using System.Text;
using System.Xml.Linq;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A package that a pipeline makes leads to its sources, and says nothing of the machine that made it.</summary>
public sealed class SourceLinkTests
{
    private static readonly Dictionary<string, string> OnCi = new() { ["CI"] = "true" };

    [Fact]
    public async Task Package_names_its_repository_and_its_symbols_lead_to_the_commit()
    {
        using var folder = new TemporaryFolder();
        var project = folder.Below("src", "Probe", "Probe.csproj");
        Directory.CreateDirectory(Path.GetDirectoryName(project)!);
        string[] shared = ["Directory.Build.props", "Directory.Packages.props", "src/Directory.Build.props", "README.md", ".gitignore"];
        foreach (var file in shared)
            File.Copy(Repository.PathOf(file), folder.Below(file));
        File.WriteAllText(project, """<Project Sdk="Microsoft.NET.Sdk" />""");
        File.WriteAllText(folder.Below("src", "Probe", "Probe.cs"), "namespace Probe;\n\npublic static class Probe;\n");
        await GitAsync(folder, "init", "--quiet");
        await GitAsync(folder, "remote", "add", "origin", "https://github.com/somebody/serdica-perf.git");
        await GitAsync(folder, "add", ".");
        await GitAsync(folder, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "Probe");
        var commit = (await GitAsync(folder, "rev-parse", "HEAD")).Trim();

        var packed = await DotnetCommand.RunAsync(folder.Path, OnCi, "pack", project, "-c", "Release", "-o", folder.Below("packages"));

        Assert.True(packed.ExitCode == 0, packed.Output);
        using var package = ZipFile.OpenRead(Directory.GetFiles(folder.Below("packages"), "*.nupkg").Single());
        using var description = package.Entries.Single(entry => entry.FullName == "Probe.nuspec").Open();
        var repository = XDocument.Load(description).Descendants().Single(element => element.Name.LocalName == "repository");
        Assert.Equal(
            "https://github.com/somebody/serdica-perf",
            ((string?)repository.Attribute("url"))?.Replace(".git", "", StringComparison.Ordinal)
        );
        Assert.Equal(commit, (string?)repository.Attribute("commit"));
        var symbols = Symbols(Directory.GetFiles(folder.Below("packages"), "*.snupkg").Single());
        Assert.Contains($"https://raw.githubusercontent.com/somebody/serdica-perf/{commit}/*", symbols, StringComparison.Ordinal);
        Assert.DoesNotContain(folder.Path, symbols, StringComparison.Ordinal);
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

    private static async Task<string> GitAsync(TemporaryFolder folder, params string[] arguments)
    {
        var result = await DotnetCommand.RunProgramAsync("git", folder.Path, new Dictionary<string, string>(), arguments);
        Assert.True(result.ExitCode == 0, result.Output);
        return result.Output;
    }
}
