namespace Serdica.Perf.Databases.Tests;

/// <summary>A folder that other users may enter, as the server's user must, and that goes after the test.</summary>
internal sealed class ScratchFolder : IDisposable
{
    public ScratchFolder()
    {
        Directory.CreateDirectory(Path);
    }

    public string Path { get; } =
        System.IO.Path.Combine(Local.TemporaryBase.Choose(requested: null).Folder, "serdica-perf-tests-" + Guid.NewGuid().ToString("N"));

    public void Dispose() => Directory.Delete(Path, recursive: true);
}

/// <summary>Tests that have such a folder each.</summary>
public abstract class ScratchTests : IDisposable
{
    private protected ScratchFolder Root { get; } = new();

    public void Dispose() => Root.Dispose();

    /// <summary>A server whose files are in the folder.</summary>
    private protected Task<DatabaseServer> StartOrSkipAsync() => LocalServer.StartOrSkipAsync(new() { TemporaryFolder = Root.Path });
}
