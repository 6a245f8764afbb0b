namespace Serdica.Perf.Report.Tests;

/// <summary>One hour at 5,000 operations a second, made once for all tests of a class.</summary>
public sealed class HourLongRun : IDisposable
{
    public const int PerSecond = 5_000;

    public const int Operations = 3_600 * PerSecond;

    private readonly TemporaryFolder _root = new();

    public HourLongRun() => Folder = SyntheticRun.Write(_root.Path, FromHours(1), PerSecond);

    public string Folder { get; }

    public void Dispose() => _root.Dispose();
}
