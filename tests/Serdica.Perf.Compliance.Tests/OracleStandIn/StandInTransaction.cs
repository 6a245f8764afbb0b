namespace Serdica.Perf.Compliance.OracleStandIn;

internal sealed class StandInTransaction(StandInConnection connection, NpgsqlTransaction? inner) : DbTransaction
{
    private bool _ended;

    public override IsolationLevel IsolationLevel => IsolationLevel.ReadCommitted;

    protected override DbConnection DbConnection => connection;

    public override void Commit() => throw new NotSupportedException();

    public override void Rollback() => throw new NotSupportedException();

    public override async Task CommitAsync(CancellationToken cancellationToken = default)
    {
        connection.Factory.CountRoundTrip();
        await connection.Factory.AtAsync("commit");
        await TryAsync(() => inner?.CommitAsync(cancellationToken) ?? Task.CompletedTask);
        connection.Factory.CountCommit();
        _ended = true;
    }

    /// <summary>Rolls back, and counts a try for each message that goes back into its queue.</summary>
    public override async Task RollbackAsync(CancellationToken cancellationToken = default)
    {
        connection.Factory.CountRoundTrip();
        await connection.Factory.AtAsync("rollback");
        await TryAsync(async () =>
        {
            if (inner is null)
                return;
            var taken = await TakenAsync();
            await inner.RollbackAsync(cancellationToken);
            if (taken.Length > 0)
                await CountTriesAsync(taken);
        });
        _ended = true;
    }

    public override async ValueTask DisposeAsync()
    {
        if (!_ended && connection.State == ConnectionState.Open)
            await RollbackAsync();
        connection.Transaction = null;
        if (inner is not null)
            await inner.DisposeAsync();
        await base.DisposeAsync();
    }

    private static async Task TryAsync(Func<Task> run)
    {
        try
        {
            await run();
        }
        catch (NpgsqlException e)
        {
            throw StandInException.From(e);
        }
    }

    private async Task<byte[][]> TakenAsync()
    {
        try
        {
            await using var command = new NpgsqlCommand("select current_setting('standin.taken', true)", connection.Inner);
            var ids = await command.ExecuteScalarAsync(CancellationToken.None) as string ?? "";
            return [.. ids.Split(' ', RemoveEmptyEntries).Select(Convert.FromHexString)];
        }
        catch (PostgresException)
        {
            // The transaction has failed, and PostgreSQL answers nothing any more. AQ counts tries no more exactly.
            return [];
        }
    }

    private async Task CountTriesAsync(byte[][] taken)
    {
        await using var command = new NpgsqlCommand("select aq_rolled_back($1, $2)", connection.Inner)
        {
            Parameters =
            {
                new() { Value = connection.Factory.QueueTable },
                new() { Value = taken },
            },
        };
        await command.ExecuteNonQueryAsync(CancellationToken.None);
    }
}
