[assembly: AssemblyFixture(typeof(Serdica.Perf.Databases.Tests.SharedDocumentDb))]

namespace Serdica.Perf.Databases.Tests;

/// <summary>One DocumentDB for the tests that only ask it something, started when the first does.</summary>
public sealed class SharedDocumentDb : IAsyncDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private DatabaseServer? _server;

    /// <summary>The server; skips the test where there are no programs to start one.</summary>
    internal async Task<DatabaseServer> ServerAsync()
    {
        await _gate.WaitAsync(Token);

        try
        {
            return _server ??= await LocalServer.StartOrSkipAsync(backend: DatabaseEnvironment.DocumentDb);
        }
        finally
        {
            _gate.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();

        _gate.Dispose();
    }
}
