namespace Serdica.Perf.Faults.Tests;

/// <summary>A folder of one test, removed with all that is in it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("serdica-perf-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
