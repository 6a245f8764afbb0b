namespace Serdica.Perf.Cli.Tests;

/// <summary>Tests that have a command line each.</summary>
public abstract class CliTests : IDisposable
{
    private protected Cli Cli { get; } = new();

    public void Dispose() => Cli.Dispose();

    /// <summary>Starts the server that the commands measure; skips the test where there is none.</summary>
    private protected async Task<DatabaseServer> ServeAsync()
    {
        var server = await LocalServer.StartOrSkipAsync();
        Cli.Server = server;
        return server;
    }
}
