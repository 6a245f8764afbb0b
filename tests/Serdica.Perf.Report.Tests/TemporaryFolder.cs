namespace Serdica.Perf.Report.Tests;

/// <summary>A folder of one test, removed with all that is in it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("serdica-perf-report-").FullName;

    public string Below(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
