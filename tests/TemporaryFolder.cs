namespace Serdica.Perf.Tests;

/// <summary>A folder of one test, removed with all that is in it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("serdica-perf-").FullName;

    public string Below(params string[] names) => System.IO.Path.Combine([Path, .. names]);

    public void Write(string file, string text)
    {
        var path = Below(file);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}

/// <summary>Tests that have a folder each.</summary>
public abstract class FolderTests : IDisposable
{
    private protected TemporaryFolder Root { get; } = new();

    public void Dispose() => Root.Dispose();
}
