namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>A connection with its hot statements; used by one caller at a time.</summary>
internal sealed class PostgreSqlSession : IAsyncDisposable
{
    private readonly NpgsqlBatch _batch;
    private readonly bool _pinsInTransaction;

    /// <param name="pins">
    /// The limits of a transaction, where the session's settings do not last and each transaction sets its own;
    /// <see langword="null"/> where they do.
    /// </param>
    public PostgreSqlSession(NpgsqlConnection connection, PostgreSqlScripts scripts, PostgreSqlConnectionSettings? pins)
    {
        Connection = connection;
        Statements = new PostgreSqlStatements(scripts, pins);
        _batch = new NpgsqlBatch(connection);
        _pinsInTransaction = pins is not null;
    }

    public NpgsqlConnection Connection { get; }

    public PostgreSqlStatements Statements { get; }

    /// <summary>The number that its server had when the session met it (<see cref="ServerIncarnation"/>); -1 before that.</summary>
    public int Incarnation { get; set; } = -1;

    /// <summary>Timestamp of the clock of the pool.</summary>
    public long OpenedAt { get; set; }

    /// <inheritdoc cref="OpenedAt"/>
    public long UsedAt { get; set; }

    /// <summary>Its connection was closed by us, and not by the server.</summary>
    public bool IsAbandoned { get; private set; }

    /// <summary>From now on one answer of the server may take this long.</summary>
    public void Limit(int seconds) => _batch.Timeout = seconds;

    /// <summary>
    /// Empties the session's batch for the first statements of a transaction: one round trip, and one transaction
    /// unless <paramref name="begin"/> opens a longer one.
    /// </summary>
    public NpgsqlBatch FirstBatch(bool begin = false)
    {
        _batch.BatchCommands.Clear();
        if (begin)
            _batch.BatchCommands.Add(Statements.Begin);
        if (_pinsInTransaction)
            _batch.BatchCommands.Add(Statements.PinPlans);
        return _batch;
    }

    /// <summary>Empties the session's batch for further statements of an open transaction.</summary>
    public NpgsqlBatch NextBatch()
    {
        _batch.BatchCommands.Clear();
        return _batch;
    }

    /// <summary>Ends a transaction that has done nothing.</summary>
    public async Task EndAsync(CancellationToken cancellationToken)
    {
        var batch = NextBatch();
        batch.BatchCommands.Add(Statements.Commit);
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Nothing was due: ends the transaction and asks when something will be, in one round trip.
    /// </summary>
    /// <param name="nextDue">Answers with seconds, or nothing.</param>
    public async Task<TimeSpan?> EndEmptyAsync(NpgsqlBatchCommand nextDue, CancellationToken cancellationToken)
    {
        var batch = NextBatch();
        batch.BatchCommands.Add(nextDue);
        batch.BatchCommands.Add(Statements.Commit);
        return await batch.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is double seconds
            ? FromSeconds(Math.Clamp(seconds, 0, FromDays(1).TotalSeconds))
            : null;
    }

    /// <summary>Ends a transaction that the server has refused to go on with.</summary>
    public async Task RollBackAsync(CancellationToken cancellationToken)
    {
        var batch = NextBatch();
        batch.BatchCommands.Add(Statements.RollBack);
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Steps over the answer to the pins, which comes first when there are any.</summary>
    public Task SkipPinsAsync(NpgsqlDataReader reader, CancellationToken cancellationToken) =>
        _pinsInTransaction ? reader.NextResultAsync(cancellationToken) : Task.CompletedTask;

    /// <summary>Has a batch decided. While a handler holds the thread, the transaction can be rolled back from another one.</summary>
    public async Task<IReadOnlyList<Decision>> DecideAsync(DecideBatch decide, ClaimedBatch batch, CancellationToken abandoned)
    {
        using var abandoning = abandoned.UnsafeRegister(static session => ((PostgreSqlSession)session!).Abandon(), this);
        return await decide(batch).ConfigureAwait(false);
    }

    /// <summary>
    /// Rolls back what is open, while the session's user does something else than use it and comes back with an error.
    /// </summary>
    public void Abandon()
    {
        IsAbandoned = true;
        _ = Connection.CloseAsync();
    }

    /// <summary>Gives the connection back; the driver rolls back what is open on it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _batch.DisposeAsync().ConfigureAwait(false);
        await Connection.DisposeAsync().ConfigureAwait(false);
    }
}
