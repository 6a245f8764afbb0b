namespace Serdica.Perf.Compliance.OracleStandIn;

/// <param name="inner">To the server; null when there is none.</param>
internal sealed class StandInConnection(StandInFactory factory, NpgsqlConnection? inner) : DbConnection
{
    public StandInFactory Factory => factory;

    public NpgsqlConnection Inner => inner!;

    public StandInTransaction? Transaction { get; set; }

    /// <summary>The server has closed it while it lay in the pool.</summary>
    public bool IsDead { get; init; }

    [AllowNull]
    public override string ConnectionString { get; set; } = "";

    public override string Database => "stand-in";

    public override string DataSource => "stand-in";

    public override string ServerVersion => "stand-in";

    public override ConnectionState State => IsDead ? ConnectionState.Closed : inner?.State ?? ConnectionState.Open;

    /// <summary>By the name that the driver has for it.</summary>
    public static void ClearPool(StandInConnection connection)
    {
        connection.Factory.DeadInPool = 0;
        connection.Factory.Cleared.TrySetResult();
    }

    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        try
        {
            await factory.AtAsync("open");
            if (inner is not null)
                await inner.OpenAsync(cancellationToken);
            factory.Open++;
        }
        catch (Exception e) when (e is NpgsqlException)
        {
            throw StandInException.From(e);
        }
    }

    public override void Open() => throw new NotSupportedException("The backend works asynchronously.");

    public override void Close() => inner?.Close();

    public override void ChangeDatabase(string databaseName) => throw new NotSupportedException();

    public override async ValueTask DisposeAsync()
    {
        factory.Open--;
        if (inner is not null)
            await inner.DisposeAsync();
        await base.DisposeAsync();
    }

    protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) => throw new NotSupportedException();

    protected override async ValueTask<DbTransaction> BeginDbTransactionAsync(
        IsolationLevel isolationLevel,
        CancellationToken cancellationToken
    )
    {
        Assert.Equal(IsolationLevel.ReadCommitted, isolationLevel);
        Assert.Null(Transaction);
        if (IsDead)
            throw new InvalidOperationException("Connection must be open for this operation");
        var transaction = inner is null ? null : await inner.BeginTransactionAsync(isolationLevel, cancellationToken);
        return Transaction = new StandInTransaction(this, transaction);
    }

    protected override DbCommand CreateDbCommand() => new StandInCommand(this);
}
