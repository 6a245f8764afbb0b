namespace Serdica.Perf.Delivery.Tests;

[Collection(typeof(PackageCollection))]
public sealed class PackageTests(PackedSolution packages) : FolderTests
{
    private const string Tool = "serdica-perf";

    [Fact]
    public void Packages_are_made_of_the_sources_and_of_nothing_else()
    {
        var sources = Directory
            .GetFiles(Repository.PathOf("src"), "*.csproj", SearchOption.AllDirectories)
            .Select(Path.GetFileNameWithoutExtension)
            .Select(name => name == "Serdica.Perf.Cli" ? Tool : name)
            .Order(StringComparer.Ordinal);

        Assert.Equal(sources, packages.Ids(".nupkg"));
    }

    [Fact]
    public void Each_package_says_what_it_is_and_under_which_licence_it_comes()
    {
        EachItem.Holds(packages.Ids(".nupkg"), id =>
        {
            Assert.Equal("Apache-2.0", packages.Value(id, "license"));
            Assert.Equal("README.md", packages.Value(id, "readme"));
            Assert.Contains("README.md", packages.Entries(id, ".nupkg"));
            Assert.EndsWith(".", packages.Value(id, "description"));
        });
    }

    [Fact]
    public void Each_library_brings_its_documentation_and_its_symbols()
    {
        var libraries = packages.Ids(".nupkg").Where(id => id != Tool).ToList();

        EachItem.Holds(libraries, id =>
        {
            Assert.Contains($"lib/net10.0/{id}.dll", packages.Entries(id, ".nupkg"));
            Assert.Contains($"lib/net10.0/{id}.xml", packages.Entries(id, ".nupkg"));
            Assert.Contains($"lib/net10.0/{id}.pdb", packages.Entries(id, ".snupkg"));
        });
    }

    [Fact]
    public async Task The_tool_is_installed_from_its_package_and_runs()
    {
        // No other source: whoever has the file needs no network.
        await File.WriteAllTextAsync(
            Root.Below("nuget.config"),
            "<configuration><packageSources><clear /></packageSources></configuration>",
            Token
        );
        var none = new Dictionary<string, string>();
        var installed = await DotnetCommand.RunAsync(
            Root.Path,
            none,
            "tool",
            "install",
            Tool,
            "--tool-path",
            Root.Below("tools"),
            "--add-source",
            packages.Folder,
            "--version",
            packages.Value(Tool, "version")!
        );
        Assert.True(installed.ExitCode == 0, installed.Output);

        // The tool's program looks for .NET where it is usually installed, and these tests may run on another.
        var runtime = new Dictionary<string, string>
        {
            ["DOTNET_ROOT"] = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "../../..")),
        };
        var tool = Root.Below("tools", OperatingSystem.IsWindows() ? Tool + ".exe" : Tool);
        var list = await DotnetCommand.RunProgramAsync(tool, Root.Path, runtime, "list");
        var doctor = await DotnetCommand.RunProgramAsync(tool, Root.Path, runtime, "doctor");

        Assert.Equal(0, list.ExitCode);
        Assert.Contains("signal-roundtrip-throughput-parallel", list.Output);
        Assert.Contains(doctor.ExitCode == 0 ? "PostgreSQL can be measured: " : "PostgreSQL cannot be measured here; ", doctor.Output);
    }
}
