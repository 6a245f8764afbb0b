namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>A pool of connections: of a backend alone, or shared by several, of which none closes it.</summary>
/// <remarks>Compiled into the MongoDB backend too.</remarks>
/// <param name="shared">The pool of a connection string that others use too; null for a pool of its own.</param>
internal sealed class ConnectionSource(string connectionString, Func<string, NpgsqlDataSource>? shared) : IAsyncDisposable
{
    private readonly NpgsqlDataSource _source = shared?.Invoke(connectionString) ?? BuiltInTypes.CreateSource(connectionString);

    public ValueTask<NpgsqlConnection> OpenConnectionAsync(CancellationToken cancellationToken) =>
        _source.OpenConnectionAsync(cancellationToken);

    /// <summary>Closes what is idle; what is in use is closed when it comes back.</summary>
    public void Clear() => _source.Clear();

    public ValueTask DisposeAsync() => shared is null ? _source.DisposeAsync() : ValueTask.CompletedTask;
}
