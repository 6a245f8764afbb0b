namespace Serdica.Perf.Compliance;

/// <summary>A database of its own, so that no other test is in its counters; dropped at the end.</summary>
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

    public static async Task<PostgreSqlTestDatabase> CreateAsync(PostgreSqlCountedServer fixture, CancellationToken cancellationToken)
    {
        var server = await fixture.ConnectionStringAsync(cancellationToken);
        var name = $"counted_{Guid.NewGuid():n}";
        var version = await ExecuteAsync(server, $"create database {name}");
        var settings = new NpgsqlConnectionStringBuilder(server) { Database = name };
        var options = PostgreSqlFixture.Patient with { ConnectionString = settings.ConnectionString, Schema = name };
        return new(server, name, options) { MajorVersion = version };
    }

    /// <summary>A connection of a test's own, with the name of an engine's or another.</summary>
    public async Task<NpgsqlConnection> OpenAsync(string applicationName)
    {
        var settings = new NpgsqlConnectionStringBuilder(Options.ConnectionString) { Pooling = false, ApplicationName = applicationName };
        var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(Token);
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
