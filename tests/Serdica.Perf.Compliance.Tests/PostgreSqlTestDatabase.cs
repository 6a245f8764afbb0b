using Npgsql;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Compliance;

/// <summary>A database of its own on the shared server, so that no other test is in its counters; dropped at the end.</summary>
internal sealed class PostgreSqlTestDatabase : IAsyncDisposable
{
    private readonly string _server;
    private readonly string _name;

    private PostgreSqlTestDatabase(string server, string name, PostgreSqlBackendOptions options)
    {
        _server = server;
        _name = name;
        Options = options;
    }

    public PostgreSqlBackendOptions Options { get; }

    /// <summary>The server's.</summary>
    public required int MajorVersion { get; init; }

    public static async Task<PostgreSqlTestDatabase> CreateAsync(PostgreSqlFixture fixture, CancellationToken cancellationToken)
    {
        var options = await fixture.NewOptionsAsync(cancellationToken);
        var name = options.Schema;
        var version = await ExecuteAsync(options.ConnectionString, $"create database {name}");
        var settings = new NpgsqlConnectionStringBuilder(options.ConnectionString) { Database = name };
        return new(options.ConnectionString, name, options with { ConnectionString = settings.ConnectionString }) { MajorVersion = version };
    }

    /// <summary>A connection of a test's own, with the name of an engine's or another.</summary>
    public async Task<NpgsqlConnection> OpenAsync(string applicationName)
    {
        var settings = new NpgsqlConnectionStringBuilder(Options.ConnectionString) { Pooling = false, ApplicationName = applicationName };
        var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        return connection;
    }

    public Task ExecuteAsync(string sql) => ExecuteAsync(Options.ConnectionString, sql);

    public async ValueTask DisposeAsync() => await ExecuteAsync(_server, $"drop database {_name} with (force)");

    /// <returns>The major version of the server.</returns>
    private static async Task<int> ExecuteAsync(string connectionString, string sql)
    {
        var settings = new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false };
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(CancellationToken.None);
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(CancellationToken.None);
        return connection.PostgreSqlVersion.Major;
    }
}
