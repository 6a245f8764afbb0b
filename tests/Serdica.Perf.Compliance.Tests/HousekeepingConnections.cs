using Npgsql;

namespace Serdica.Perf.Compliance;

/// <summary>Connections that all tests share, to drop what each has created: a new connection for each test takes much longer.</summary>
internal sealed class HousekeepingConnections : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private NpgsqlDataSource? _source;

    /// <param name="connectionString">The same each time.</param>
    /// <param name="sql">One statement.</param>
    public async Task ExecuteAsync(string connectionString, string sql)
    {
        NpgsqlDataSource source;
        lock (_gate)
            source = _source ??= NpgsqlDataSource.Create(connectionString);
        await using var command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(CancellationToken.None);
    }

    public ValueTask DisposeAsync() => _source?.DisposeAsync() ?? ValueTask.CompletedTask;
}
