using Serdica.Perf.Workflows.MongoDb;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Faults.Tests.Proxy;

/// <summary>The ambiguous commit: the server has committed, and its client never learns of it.</summary>
public sealed class CommitCutTests(SharedPostgreSql postgreSql)
{
    [Theory]
    [InlineData(false, "insert into {0} values (1)")]
    [InlineData(false, "begin; insert into {0} values (1); commit")]
    [InlineData(true, "insert into {0} values (1)")]
    [InlineData(true, "insert into {0} values (2)", "update {0} set n = 1", "select 1")]
    [InlineData(true, "begin", "insert into {0} values (1), (2)", "delete from {0} as d where d.n = 2", "commit")]
    public async Task Commit_is_done_and_its_answer_is_lost(bool batch, params string[] statements)
    {
        await using var cut = await CutAsync();
        var (server, proxy, connection, table) = cut;

        await Assert.ThrowsAnyAsync<NpgsqlException>(() => RunAsync(connection, batch, table, statements));

        Assert.Equal(1, await Sql.CountAsync(server, table));
        Assert.Equal((1, 1, 1), (proxy.Counts.Commits, proxy.Counts.CommitsCut, proxy.Counts.Cut));
    }

    [Theory]
    [InlineData(false, "select count(*) from {0}")]
    [InlineData(true, "begin", "select n from {0} for update skip locked", "commit")]
    [InlineData(true, "begin", "insert into {0} values (1)", "rollback")]
    public async Task What_writes_nothing_is_no_commit(bool batch, params string[] statements)
    {
        await using var cut = await CutAsync();
        var (_, proxy, connection, table) = cut;

        await RunAsync(connection, batch, table, statements);

        Assert.Equal((0, 0), (proxy.Counts.Commits, proxy.Counts.CommitsCut));
    }

    [Fact]
    public async Task Refused_write_has_its_error()
    {
        await using var cut = await CutAsync();
        var (_, proxy, connection, table) = cut;

        var refused = await Assert.ThrowsAsync<PostgresException>(() =>
            Sql.BatchAsync(connection, $"insert into {table} values (1)", $"insert into {table} values (1)")
        );

        Assert.Equal(PostgresErrorCodes.UniqueViolation, refused.SqlState);
        Assert.Equal((0, 0), (proxy.Counts.Commits, proxy.Counts.CommitsCut));
    }

    /// <summary>A transaction of several round trips; the second one commits what the first wrote.</summary>
    [Fact]
    public async Task Commit_of_an_earlier_write_is_cut()
    {
        await using var cut = await CutAsync();
        var (server, proxy, connection, table) = cut;
        await using var transaction = await connection.BeginTransactionAsync(Token);
        await Sql.ExecuteAsync(connection, $"insert into {table} values (1)");

        await Assert.ThrowsAnyAsync<NpgsqlException>(() => transaction.CommitAsync(Token));

        Assert.Equal(1, await Sql.CountAsync(server, table));
        Assert.Equal((1, 1), (proxy.Counts.Commits, proxy.Counts.CommitsCut));
    }

    [Theory]
    [InlineData(DatabaseEnvironment.PostgreSql)]
    [InlineData(DatabaseEnvironment.DocumentDb)]
    public async Task Start_whose_answer_is_lost_is_there(string backend)
    {
        await using var own = backend == DatabaseEnvironment.DocumentDb ? await LocalServer.StartOrSkipAsync(backend: backend) : null;
        var server = own ?? await postgreSql.ServerAsync();
        await using var proxy = new FaultProxy(() => server.ConnectionString, seed: 1);
        await using var direct = Open(backend, server.ConnectionString);
        await direct.InitializeAsync(Token);
        await using var cut = Open(backend, proxy.Through(server.ConnectionString));
        await cut.InitializeAsync(Token);
        var order = Workflow.Define<ShapeState>("order").WaitFor<string>("append", (state, key) => state.Applied.Add(key)).Build();
        await using var client = new WorkflowClient(cut, new WorkflowRegistry([order]), new() { SubmitTimeout = 2 * HangGuard.Limit });
        var before = proxy.Counts.Commits;
        proxy.Rules = new() { CutCommits = 1 };

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => client.StartAsync(order, new ShapeState(), "k", Token));

        Assert.False(error.NothingWritten);
        Assert.NotNull(await direct.FindByKeyAsync("k", Token));
        Assert.Equal((before + 1, 1), (proxy.Counts.Commits, proxy.Counts.CommitsCut));
        proxy.Rules = new();
        Assert.False((await client.StartAsync(order, new ShapeState(), "k", Token)).IsNew);
    }

    private static IWorkflowBackend Open(string backend, string connectionString) =>
        backend == DatabaseEnvironment.DocumentDb
            ? MongoDbWorkflowBackend.OnDocumentDb(connectionString, "commit_cut")
            : new PostgreSqlWorkflowBackend(
                new PostgreSqlBackendOptions { ConnectionString = connectionString, Schema = "commit_cut", SubmitTimeout = HangGuard.Limit }
            );

    /// <summary>A table behind a proxy that cuts the next commit.</summary>
    private async Task<Cut> CutAsync()
    {
        var server = await postgreSql.ServerAsync();
        var proxy = new FaultProxy(() => server.ConnectionString, seed: 1);
        var table = await Sql.MakeTableAsync(server);
        var connection = await Sql.OpenAsync(proxy.Through(server.ConnectionString));
        proxy.Rules = new() { CutCommits = 1 };
        return new(server, proxy, connection, table);
    }

    private sealed record Cut(DatabaseServer Server, FaultProxy Proxy, NpgsqlConnection Connection, string Table) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await Connection.DisposeAsync();
            await Proxy.DisposeAsync();
        }
    }

    private static Task RunAsync(NpgsqlConnection connection, bool batch, string table, string[] statements)
    {
        string[] own =
        [
            .. statements.Select(statement => string.Format(CultureInfo.InvariantCulture, statement, table)),
        ];
        return batch ? Sql.BatchAsync(connection, own) : Sql.ExecuteAsync(connection, string.Join("; ", own));
    }
}
