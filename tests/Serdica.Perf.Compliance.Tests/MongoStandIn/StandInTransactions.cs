namespace Serdica.Perf.Compliance;

/// <summary>Transactions by session: each is one of PostgreSQL, on a connection of its own.</summary>
internal sealed class StandInTransactions(NpgsqlDataSource source) : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, StandInSession> _sessions = new();

    /// <summary>Runs a command of a transaction. What fails or is cancelled within a transaction ends all of it, as in MongoDB.</summary>
    public Task<byte[]> RunAsync(
        CommandHead head,
        Func<NpgsqlConnection, CancellationToken, Task<byte[]>> run,
        CancellationToken cancellationToken
    ) => SessionOf(head).RunAsync(head, run, cancellationToken);

    /// <summary>Asked for again, it is answered as the first time.</summary>
    public Task CommitAsync(CommandHead head) => SessionOf(head).CommitAsync(head.Transaction);

    /// <summary>Ends the transaction, also in the middle of a command, and one whose first command has yet to come.</summary>
    public Task AbortAsync(CommandHead head) => SessionOf(head).AbortAsync(head.Transaction);

    /// <summary>A session that ends takes its transaction with it.</summary>
    public async Task EndAsync(IEnumerable<string> sessions)
    {
        foreach (var id in sessions)
        {
            if (_sessions.TryRemove(id, out var session))
                await session.DisposeAsync();
        }
    }

    public async ValueTask DisposeAsync() => await EndAsync(_sessions.Keys);

    private StandInSession SessionOf(CommandHead head) => _sessions.GetOrAdd(head.Session!, _ => new StandInSession(source));
}
