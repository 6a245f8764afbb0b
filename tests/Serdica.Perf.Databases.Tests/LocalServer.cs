using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Databases.Tests;

/// <summary>A throw-away server for a test, or a skip that says what is missing.</summary>
internal static class LocalServer
{
    public static async Task<DatabaseServer> StartOrSkipAsync(
        DatabaseRequest? request = null,
        string backend = DatabaseEnvironment.PostgreSql,
        ILogger? logger = null
    )
    {
        var outcome = await ProvisionAsync(
            backend,
            (request ?? new DatabaseRequest()) with { Source = DatabaseSourceKind.Local },
            Token,
            logger
        );

        if (outcome is ProvisionOutcome.Provisioned provisioned)
            return provisioned.Server;

        Skip(backend, ((ProvisionOutcome.Unavailable)outcome).Reason);
        return null;
    }

    /// <summary>Skips the test where there are no programs to start a server.</summary>
    public static async Task SkipWithoutProgramsAsync(string backend)
    {
        var found = await Sources.DatabaseSources.Of(backend).InspectAsync(Prepared(backend, new DatabaseRequest()), Token);
        if (found.Single(source => source.Source == DatabaseSourceKind.Local) is { IsAvailable: false, Detail: var reason })
            Skip(backend, reason);
    }

    /// <summary>Provides a server as asked, from the prepared programs that the environment names when the request names none.</summary>
    public static Task<ProvisionOutcome> ProvisionAsync(
        string backend,
        DatabaseRequest request,
        CancellationToken cancellationToken,
        ILogger? logger = null
    ) => Sources.DatabaseSources.Of(backend).ProvisionAsync(Prepared(backend, request), logger ?? NullLogger.Instance, cancellationToken);

    public static async Task<T> ScalarAsync<T>(DatabaseServer server, string query)
    {
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString) { Pooling = false };
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(Token);
        await using var command = new NpgsqlCommand(query, connection);
        return (T)(await command.ExecuteScalarAsync(Token))!;
    }

    public static async Task AssertDurableAsync(DatabaseServer server)
    {
        foreach (var setting in (string[])["fsync", "full_page_writes", "synchronous_commit"])
            Assert.Equal((setting, "on"), (setting, await ScalarAsync<string>(server, $"show {setting}")));
    }

    private static DatabaseRequest Prepared(string backend, DatabaseRequest request) =>
        request.CacheFolder is null && DatabaseEnvironment.Current.TryReadRequest(backend, out var configured, out _)
            ? request with { CacheFolder = configured.CacheFolder }
            : request;

    /// <summary>Fails the test where the backend is required.</summary>
    [DoesNotReturn]
    private static void Skip(string backend, string reason)
    {
        Assert.False(DatabaseEnvironment.Current.IsRequired(backend), reason);
        Assert.Skip(reason);
        throw new InvalidOperationException(reason);
    }
}

/// <summary>One local server for tests that leave it running, started when the first asks for it.</summary>
public abstract class SharedServer(string backend) : IAsyncDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private DatabaseServer? _server;

    /// <summary>The server; skips the test where there are no programs to start one.</summary>
    internal async Task<DatabaseServer> ServerAsync()
    {
        await _gate.WaitAsync(Token);
        try
        {
            return _server ??= await LocalServer.StartOrSkipAsync(backend: backend);
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
        GC.SuppressFinalize(this);
    }
}
