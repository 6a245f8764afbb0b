using System.IO.Compression;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A project of one class that builds and packs as those of this repository do, in a folder of its own.</summary>
internal sealed class ProbeProject
{
    private static readonly string[] Shared =
    [
        "Directory.Build.props",
        "Directory.Packages.props",
        "src/Directory.Build.props",
        "src/Directory.Build.targets",
        "src/Version.proj",
        "README.md",
        ".gitignore",
    ];

    private readonly string _folder;

    /// <summary>Writes the project into a folder.</summary>
    public ProbeProject(TemporaryFolder folder)
        : this(folder.Path)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(File)!);
        foreach (var file in Shared)
            System.IO.File.Copy(Repository.PathOf(file), folder.Below(file));
        System.IO.File.WriteAllText(File, """<Project Sdk="Microsoft.NET.Sdk" />""");
        Write("Probe");
    }

    private ProbeProject(string folder) => (_folder, File) = (folder, Path.Combine(folder, "src", "Probe", "Probe.csproj"));

    public string File { get; }

    /// <summary>The project in a clone.</summary>
    public static ProbeProject In(string folder) => new(folder);

    /// <summary>Writes the source of the project's one class.</summary>
    public void Write(string name) =>
        System.IO.File.WriteAllText(
            Path.Combine(Path.GetDirectoryName(File)!, "Probe.cs"),
            $"namespace Probe;\n\npublic static class Probe\n{{\n    public const string Name = \"{name}\";\n}}\n"
        );

    /// <summary>Packs with warnings as errors, and without what a pipeline sets.</summary>
    /// <returns>The version of the package, and what it says of the build that is in it.</returns>
    public async Task<(string Package, string Built)> PackAsync(params string[] arguments)
    {
        using var output = new TemporaryFolder();
        var packed = await DotnetCommand.RunAsync(
            _folder,
            new Dictionary<string, string> { ["CI"] = "" },
            ["pack", File, "-c", "Release", "--nologo", "-warnaserror", "-o", output.Path, .. arguments]
        );
        Assert.True(packed.ExitCode == 0, packed.Output);
        Assert.DoesNotContain("warning", packed.Output, OrdinalIgnoreCase);
        using var package = ZipFile.OpenRead(Directory.GetFiles(output.Path, "*.nupkg").Single());
        using var description = package.Entries.Single(entry => entry.FullName == "Probe.nuspec").Open();
        var version = XDocument.Load(description).Descendants().Single(element => element.Name.LocalName == "version").Value;
        var assembly = output.Below("Probe.dll");
        package.Entries.Single(entry => entry.Name == "Probe.dll").ExtractToFile(assembly);
        return (version, System.Diagnostics.FileVersionInfo.GetVersionInfo(assembly).ProductVersion!);
    }

    /// <summary>Commits all files.</summary>
    /// <returns>The full id.</returns>
    public async Task<string> CommitAsync(string message)
    {
        await GitAsync("add", ".");
        await GitAsync("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", message);
        return (await GitAsync("rev-parse", "HEAD")).Trim();
    }

    public async Task<string> GitAsync(params string[] arguments)
    {
        var result = await DotnetCommand.RunProgramAsync("git", _folder, new Dictionary<string, string>(), arguments);
        Assert.True(result.ExitCode == 0, result.Output);
        return result.Output;
    }
}
