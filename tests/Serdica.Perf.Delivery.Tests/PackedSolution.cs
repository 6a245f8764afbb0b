using System.IO.Compression;
using System.Reflection;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The packages of the solution, packed once from what was built with these tests.</summary>
public sealed class PackedSolution : IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();

    public string Folder => _folder.Path;

    public async ValueTask InitializeAsync()
    {
        // As built, since the build of these tests has just built all that is packed.
        var configuration = typeof(PackedSolution).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;
        var packed = await DotnetCommand.RunAsync(
            Repository.Root,
            new Dictionary<string, string>(),
            "pack",
            "Serdica.Perf.sln",
            "-c",
            configuration,
            "--no-build",
            "-o",
            Folder
        );
        if (packed.ExitCode != 0)
            throw new InvalidOperationException($"The solution does not pack:\n{packed.Output}");
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>Names of the packages, without their version.</summary>
    public IReadOnlyList<string> Ids(string extension) =>
        [
            .. Directory
                .GetFiles(Folder, "*" + extension)
                .Select(file => (string)Metadata(file).Element(Namespace(file) + "id")!)
                .Order(StringComparer.Ordinal),
        ];

    public string File(string id, string extension) =>
        Directory.GetFiles(Folder, "*" + extension).Single(file => (string?)Metadata(file).Element(Namespace(file) + "id") == id);

    /// <summary>A value of the package's description.</summary>
    public string? Value(string id, string element)
    {
        var file = File(id, ".nupkg");
        return (string?)Metadata(file).Element(Namespace(file) + element);
    }

    public IReadOnlyList<(string Id, string Version)> Dependencies(string id) =>
        [
            .. Metadata(File(id, ".nupkg"))
                .Descendants()
                .Where(element => element.Name.LocalName == "dependency")
                .Select(element => ((string)element.Attribute("id")!, (string)element.Attribute("version")!)),
        ];

    public IReadOnlyList<string> Entries(string id, string extension)
    {
        using var archive = ZipFile.OpenRead(File(id, extension));
        return [.. archive.Entries.Select(entry => entry.FullName)];
    }

    private static XNamespace Namespace(string file) => Metadata(file).Name.Namespace;

    private static XElement Metadata(string file)
    {
        using var archive = ZipFile.OpenRead(file);
        using var description = archive.Entries.Single(entry => entry.FullName.EndsWith(".nuspec")).Open();
        return XDocument.Load(description).Root!.Elements().Single(element => element.Name.LocalName == "metadata");
    }
}
