using System.Collections.Concurrent;
using System.Data;
using Npgsql;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>Transactions by session: each is one of PostgreSQL, on a connection of its own.</summary>
internal sealed class StandInTransactions(NpgsqlDataSource source) : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, Open> _open = new();
    private readonly ConcurrentDictionary<string, long> _committed = new();

    public async Task<NpgsqlConnection> EnterAsync(CommandHead head, CancellationToken cancellationToken)
    {
        if (head.StartsTransaction)
        {
            await EndAsync(head, commit: false);
            var connection = await source.OpenConnectionAsync(cancellationToken);
            _open[head.Session!] = new(head.Transaction, connection, await connection.BeginTransactionAsync(IsolationLevel.RepeatableRead, cancellationToken));
        }

        return Find(head).Connection;
    }

    /// <summary>What failed within a transaction fails all of it, as in MongoDB.</summary>
    public Task GiveUpAsync(CommandHead head) => EndAsync(head, commit: false);

    /// <summary>Asked for again, it is answered as the first time.</summary>
    public async Task CommitAsync(CommandHead head)
    {
        if (_committed.TryGetValue(head.Session!, out var number) && number == head.Transaction)
            return;
        Find(head);
        await EndAsync(head, commit: true);
        _committed[head.Session!] = head.Transaction;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var open in _open.Values)
            await open.Connection.DisposeAsync();
    }

    private Open Find(CommandHead head) =>
        _open.TryGetValue(head.Session!, out var open) && open.Number == head.Transaction
            ? open
            : throw new DocumentCommandException(DocumentErrors.NoSuchTransaction, $"Transaction {head.Transaction} has been aborted.", isTransient: true);

    private async Task EndAsync(CommandHead head, bool commit)
    {
        if (!_open.TryRemove(head.Session!, out var open))
            return;
        await using (open.Connection)
        {
            if (commit)
                await open.Transaction.CommitAsync();
            else
                await open.Transaction.RollbackAsync();
        }
    }

    private sealed record Open(long Number, NpgsqlConnection Connection, NpgsqlTransaction Transaction);
}
