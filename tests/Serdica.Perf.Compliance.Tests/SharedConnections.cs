extern alias PostgreSql;

using BuiltInTypes = PostgreSql::Serdica.Perf.Workflows.PostgreSql.BuiltInTypes;

namespace Serdica.Perf.Compliance;

/// <summary>
/// Connections that all tests share. To open one costs the server more than most tests ask of it: a process, and everything that it has
/// to read of the catalogue.
/// </summary>
internal sealed class SharedConnections : IAsyncDisposable
{
    /// <summary>Tests that run side by side wait for each other otherwise.</summary>
    private const int MaxPoolSize = 80;

    private readonly ConcurrentDictionary<string, Lazy<NpgsqlDataSource>> _sources = new();

    /// <summary>The connections of backends with this connection string.</summary>
    public NpgsqlDataSource Of(string connectionString) =>
        _sources.GetOrAdd(connectionString, static text => new(() => Create(text))).Value;

    /// <param name="connectionString">The same each time.</param>
    public async Task ExecuteAsync(string connectionString, string sql)
    {
        await using var command = Of(connectionString).CreateCommand(sql);
        command.CommandTimeout = (int)HangGuard.Limit.TotalSeconds;
        await command.ExecuteNonQueryAsync(CancellationToken.None);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var source in _sources.Values)
            await source.Value.DisposeAsync();
    }

    private static NpgsqlDataSource Create(string connectionString) =>
        BuiltInTypes.CreateSource(
            new NpgsqlConnectionStringBuilder(connectionString)
            {
                MaxPoolSize = MaxPoolSize,

                // What a test with many processes leaves would keep the server's connections from the next one.
                ConnectionIdleLifetime = 2,
                ConnectionPruningInterval = 1,
            }.ConnectionString
        );
}
