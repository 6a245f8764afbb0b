namespace Serdica.Perf.Compliance;

/// <summary>
/// The present transaction of one session. Its commands run one after the other; an abort does not wait behind one that is
/// running, but cancels it: a client that gives up a command sends the abort over another connection at once.
/// </summary>
internal sealed class StandInSession(NpgsqlDataSource source) : IAsyncDisposable
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly Lock _gate = new();
    private CancellationTokenSource? _running;
    private NpgsqlConnection? _connection;
    private NpgsqlTransaction? _transaction;
    private long _number;
    private long _aborted;
    private long _committed;

    /// <summary>Runs a command of a transaction. What fails or is cancelled within a transaction ends all of it, as in MongoDB.</summary>
    public async Task<BsonDocument> RunAsync(
        CommandHead head,
        Func<NpgsqlConnection, CancellationToken, Task<BsonDocument>> run,
        CancellationToken cancellationToken
    )
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            using var running = Begin(head.Transaction, cancellationToken);
            try
            {
                if (head.StartsTransaction)
                    await OpenAsync(head.Transaction, running.Token);
                return await run(Find(head.Transaction), running.Token);
            }
            catch
            {
                await RollBackAsync();

                // To another connection that hears of it the abort is the cause, not the cancelled statement.
                if (IsAborted(head.Transaction))
                    throw Gone(head.Transaction);
                throw;
            }
            finally
            {
                lock (_gate)
                    _running = null;
            }
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Asked for again, it is answered as the first time.</summary>
    public async Task CommitAsync(long number)
    {
        await _turn.WaitAsync();
        try
        {
            if (_committed == number)
                return;
            Find(number);
            await _transaction!.CommitAsync();
            _committed = number;
        }
        finally
        {
            await RollBackAsync();
            _turn.Release();
        }
    }

    /// <summary>Ends the transaction, also in the middle of a command, and one whose first command has yet to come.</summary>
    public async Task AbortAsync(long number)
    {
        lock (_gate)
        {
            _aborted = Math.Max(_aborted, number);
            _running?.Cancel();
        }

        await _turn.WaitAsync();
        try
        {
            if (_number <= number)
                await RollBackAsync();
        }
        finally
        {
            _turn.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await AbortAsync(long.MaxValue);
        _turn.Dispose();
    }

    private CancellationTokenSource Begin(long number, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (number <= _aborted)
                throw Gone(number);
            return _running = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        }
    }

    private async Task OpenAsync(long number, CancellationToken cancellationToken)
    {
        await RollBackAsync();
        _number = number;
        _connection = await source.OpenConnectionAsync(cancellationToken);
        _transaction = await _connection.BeginTransactionAsync(IsolationLevel.RepeatableRead, cancellationToken);
    }

    private NpgsqlConnection Find(long number) => _number == number && _transaction is not null ? _connection! : throw Gone(number);

    /// <summary>Nothing to do after a commit.</summary>
    private async Task RollBackAsync()
    {
        var (connection, transaction) = (_connection, _transaction);
        (_connection, _transaction) = (null, null);
        if (transaction is not null)
            await transaction.DisposeAsync();
        if (connection is not null)
            await connection.DisposeAsync();
    }

    private bool IsAborted(long number)
    {
        lock (_gate)
            return number <= _aborted;
    }

    private static DocumentCommandException Gone(long number) =>
        new(DocumentErrors.NoSuchTransaction, $"Transaction {number} has been aborted.", isTransient: true);
}
