namespace Serdica.Perf.Cli.Tests;

/// <summary>Tests that have a command line each.</summary>
public abstract class CliTests : IDisposable
{
    private protected Cli Cli { get; } = new();

    public void Dispose() => Cli.Dispose();
}
