using System.Data;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>An open connection with its transaction, if one was begun; used by one caller at a time.</summary>
internal sealed class OracleSession(DbConnection connection, OracleScripts scripts, TimeSpan timeout) : IAsyncDisposable
{
    private DbTransaction? _transaction;
    private Task? _unanswered;
    private bool _isLost;

    /// <summary>Without it the driver commits after every command. Costs no round trip.</summary>
    public async Task BeginAsync(CancellationToken cancellationToken) =>
        _transaction = await CallAsync(
                () => connection.BeginTransactionAsync(IsolationLevel.ReadCommitted, cancellationToken).AsTask(),
                cancellationToken
            )
            .ConfigureAwait(false);

    /// <summary>A commit that was begun is not given up before its limit: its outcome would be open.</summary>
    public async Task CommitAsync()
    {
        try
        {
            await EndAsync("commit", transaction => transaction.CommitAsync(CancellationToken.None)).ConfigureAwait(false);
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e))
        {
            throw new OracleCommitException(e);
        }

        await ForgetAsync().ConfigureAwait(false);
    }

    public async Task RollbackAsync()
    {
        await EndAsync("rollback", transaction => transaction.RollbackAsync(CancellationToken.None)).ConfigureAwait(false);
        await ForgetAsync().ConfigureAwait(false);
    }

    /// <summary>Executes a block or a statement; values are those of the IN binds, in their order.</summary>
    /// <returns>The values of the OUT binds, in their order.</returns>
    public Task<OracleOutput> ExecuteAsync(OracleStatement statement, object?[] values, CancellationToken cancellationToken) =>
        ExecuteAsync(statement, values, timeout, cancellationToken);

    public async Task<OracleOutput> ExecuteAsync(
        OracleStatement statement,
        object?[] values,
        TimeSpan limit,
        CancellationToken cancellationToken
    )
    {
        var command = NewCommand(statement, values, limit);
        await using (command.ConfigureAwait(false))
        {
            await CallAsync(() => command.ExecuteNonQueryAsync(cancellationToken), cancellationToken).ConfigureAwait(false);
            return new OracleOutput([
                .. command
                    .Parameters.Cast<DbParameter>()
                    .Where(parameter => parameter.Direction == ParameterDirection.Output)
                    .Select(parameter => parameter.Value),
            ]);
        }
    }

    public Task<List<TRow>> QueryAsync<TRow>(
        OracleStatement statement,
        object?[] values,
        Func<DbDataReader, TRow> read,
        CancellationToken cancellationToken
    ) => QueryAsync(statement, values, timeout, read, cancellationToken);

    public async Task<List<TRow>> QueryAsync<TRow>(
        OracleStatement statement,
        object?[] values,
        TimeSpan limit,
        Func<DbDataReader, TRow> read,
        CancellationToken cancellationToken
    )
    {
        var command = NewCommand(statement, values, limit);
        OracleDriver.FetchLobsWithRows(command);
        await using (command.ConfigureAwait(false))
        {
            return await CallAsync(() => ReadAsync(command, read, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Rolls back what is open, and gives the connection back.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            if (_transaction is not null && _unanswered is null)
                await RollbackAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e) || e is InvalidOperationException)
        {
            // The connection has gone, and the server rolls back by itself; the first error is the one to report.
        }
        finally
        {
            // Nobody waits for a server that does not answer: the network gives it up much later.
            if (_unanswered is null)
                await CloseAsync().ConfigureAwait(false);
            else
                _ = Task.Run(CloseAsync);
        }
    }

    private async Task CloseAsync()
    {
        if (_isLost)
            OracleDriver.ClearPool(connection);
        try
        {
            if (_unanswered is not null)
                await _unanswered.ConfigureAwait(false);
            if (_transaction is not null)
                await ForgetAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e) || e is InvalidOperationException)
        {
            // As above.
        }
        finally
        {
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The time limit of a command does not apply to the end of a transaction.</summary>
    private Task EndAsync(string how, Func<DbTransaction, Task> end) =>
        CallAsync(
            async () =>
            {
                var ending = end(_transaction!);
                await ending.WaitAsync(timeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (!ending.IsCompleted)
                {
                    _unanswered = ending;
                    throw new TimeoutException(
                        Invariant($"the server has not answered a {how} within {timeout.TotalSeconds:0.###} s (CommandTimeout).")
                    );
                }

                await ending.ConfigureAwait(false);
                return true;
            },
            CancellationToken.None
        );

    private static async Task<List<TRow>> ReadAsync<TRow>(
        DbCommand command,
        Func<DbDataReader, TRow> read,
        CancellationToken cancellationToken
    )
    {
        var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            var rows = new List<TRow>();
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                rows.Add(read(reader));
            return rows;
        }
    }

    /// <summary>A call that reaches the server: tells a cancelled one, and notices that the connection has died.</summary>
    private async Task<T> CallAsync<T>(Func<Task<T>> call, CancellationToken cancellationToken)
    {
        try
        {
            return await call().ConfigureAwait(false);
        }
        catch (DbException e) when (OracleErrors.IsCancellation(e, cancellationToken))
        {
            _isLost |= OracleErrors.Has(e, OracleErrors.PacketReader);
            throw new OperationCanceledException("The call was cancelled.", e, cancellationToken);
        }
        catch (InvalidOperationException e) when (connection.State != ConnectionState.Open)
        {
            // The driver has closed it and tells so as if the caller had never opened it.
            _isLost = true;
            throw new IOException("The connection has died in the driver's pool.", e);
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e) && OracleErrors.KindOf(e) == OracleErrorKind.LostConnection)
        {
            _isLost = true;
            throw;
        }
    }

    // A command of its own for each call: the driver writes the actual sizes into OUT parameters, and a kept command
    // would fail at the next longer value. Its statement cache makes that cheap.
    private DbCommand NewCommand(OracleStatement statement, object?[] values, TimeSpan limit)
    {
        var command = connection.CreateCommand();
        command.CommandText = scripts[statement.Script];
        command.CommandTimeout = (int)Math.Ceiling(limit.TotalSeconds);
        if (_transaction is not null)
            command.Transaction = _transaction;
        var next = 0;
        foreach (var bind in statement.Binds)
        {
            var parameter = command.CreateParameter();
            parameter.ParameterName = bind.Name;
            parameter.Direction = bind.Direction;
            parameter.DbType = bind.Type;
            if (bind.Size > 0)
                parameter.Size = bind.Size;
            if (bind.Direction == ParameterDirection.Input)
                parameter.Value = values[next++] ?? DBNull.Value;
            command.Parameters.Add(parameter);
        }

        if (next != values.Length)
            throw new ArgumentException(Invariant($"'{statement.Script}' has {next} IN binds, and {values.Length} values came."));
        return command;
    }

    private async Task ForgetAsync()
    {
        await _transaction!.DisposeAsync().ConfigureAwait(false);
        _transaction = null;
    }
}
