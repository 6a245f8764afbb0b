namespace Serdica.Perf.Delivery.Tests;

internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("serdica-perf-delivery-").FullName;

    public string Below(params string[] names) => System.IO.Path.Combine([Path, .. names]);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
