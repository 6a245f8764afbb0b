namespace Serdica.Perf.Compliance;

/// <summary>
/// Snapshot reads of sessions: the first one opens a transaction of PostgreSQL that later ones of the session read in. MongoDB
/// needs none; here it stands for the history that MongoDB keeps.
/// </summary>
internal sealed class StandInSnapshots(NpgsqlDataSource source) : IAsyncDisposable
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly Dictionary<string, Snapshot> _open = [];
    private int _last;

    /// <summary>Whether a cursor of this session may be one of a snapshot.</summary>
    public bool Holds(CommandHead head)
    {
        lock (_open)
            return head.Session is { } session && _open.ContainsKey(session);
    }

    public async Task<BsonDocument> RunAsync(
        CommandHead head,
        Func<NpgsqlConnection, CancellationToken, Task<BsonDocument>> run,
        CancellationToken cancellationToken
    )
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            var snapshot = await FindAsync(head, cancellationToken);
            var reply = await run(snapshot.Connection, cancellationToken);
            if (reply.TryGetValue("cursor", out var cursor))
                cursor["atClusterTime"] = snapshot.Time;
            return reply;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Closes the snapshots of a database; null for all.</summary>
    public async Task CloseAsync(string? database)
    {
        await _turn.WaitAsync();
        try
        {
            foreach (var (session, _) in _open.Where(open => database is null || open.Value.Database == database).ToList())
                await CloseSessionAsync(session);
        }
        finally
        {
            _turn.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await CloseAsync(database: null);
        _turn.Dispose();
    }

    private async Task<Snapshot> FindAsync(CommandHead head, CancellationToken cancellationToken)
    {
        var session = head.Session!;
        if (_open.TryGetValue(session, out var open) && (head.Verb == "getMore" || head.SnapshotTime == open.Time))
            return open;
        if (head.SnapshotTime is not null)
            throw new DocumentCommandException(DocumentErrors.SnapshotUnavailable, "The snapshot is gone.", isTransient: true);
        await CloseSessionAsync(session);
        var connection = await source.OpenConnectionAsync(cancellationToken);
        var transaction = await connection.BeginTransactionAsync(IsolationLevel.RepeatableRead, cancellationToken);
        var snapshot = new Snapshot(head.Database, connection, transaction, new BsonTimestamp(++_last, 1));
        lock (_open)
            _open[session] = snapshot;
        return snapshot;
    }

    private async Task CloseSessionAsync(string session)
    {
        if (!_open.TryGetValue(session, out var snapshot))
            return;
        lock (_open)
            _open.Remove(session);
        await snapshot.Transaction.DisposeAsync();
        await snapshot.Connection.DisposeAsync();
    }

    private sealed record Snapshot(string Database, NpgsqlConnection Connection, NpgsqlTransaction Transaction, BsonTimestamp Time);
}
