using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Tests;

[assembly: AssemblyFixture(typeof(Serdica.Perf.Faults.Tests.SharedPostgreSql))]

namespace Serdica.Perf.Faults.Tests;

/// <summary>One PostgreSQL for the tests that leave it running, started when the first asks for it.</summary>
public sealed class SharedPostgreSql : IAsyncDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private DatabaseServer? _server;

    /// <summary>The server; skips the test where there are no programs to start one.</summary>
    internal async Task<DatabaseServer> ServerAsync()
    {
        await _gate.WaitAsync(Token);
        try
        {
            return _server ??= await LocalServer.StartOrSkipAsync();
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
