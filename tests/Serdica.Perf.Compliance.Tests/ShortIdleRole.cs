namespace Serdica.Perf.Compliance;

/// <summary>A role whose idle sessions the server ends at once.</summary>
internal sealed class ShortIdleRole : IAsyncDisposable
{
    private readonly NpgsqlDataSource _owner;
    private readonly string _name = $"idle_{Guid.NewGuid():n}";

    private ShortIdleRole(string connectionString)
    {
        _owner = NpgsqlDataSource.Create(connectionString);
        ConnectionString = new NpgsqlConnectionStringBuilder(connectionString) { Username = _name, Password = "idle" }.ConnectionString;
    }

    public string ConnectionString { get; }

    public static async Task<ShortIdleRole> CreateAsync(string connectionString, CancellationToken cancellationToken)
    {
        var role = new ShortIdleRole(connectionString);
        await role.ExecuteAsync(
            $"create role {role._name} superuser login password 'idle'; alter role {role._name} set idle_session_timeout = '3s'",
            cancellationToken
        );
        return role;
    }

    /// <summary>Waits until a session that begins now, and is not told to stay, has ended.</summary>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        await using var source = NpgsqlDataSource.Create(ConnectionString + ";Pooling=false");
        await using var idle = await source.OpenConnectionAsync(cancellationToken);
        var end = await Assert.ThrowsAsync<PostgresException>(() => idle.WaitAsync(cancellationToken));
        Assert.Equal(PostgresErrorCodes.IdleSessionTimeout, end.SqlState);
    }

    public async ValueTask DisposeAsync()
    {
        await ExecuteAsync($"drop role {_name}", CancellationToken.None);
        await _owner.DisposeAsync();
    }

    private async Task ExecuteAsync(string sql, CancellationToken cancellationToken)
    {
        await using var command = _owner.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }
}
