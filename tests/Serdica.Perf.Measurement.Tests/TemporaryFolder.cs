namespace Serdica.Perf.Measurement.Tests;

/// <summary>A folder of one test, removed with all that is in it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("serdica-perf-").FullName;

    public void Write(string file, string text)
    {
        var path = System.IO.Path.Combine(Path, file);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
