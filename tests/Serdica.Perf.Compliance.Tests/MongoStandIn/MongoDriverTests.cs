using System.Diagnostics;
using MongoDB.Bson;
using MongoDB.Driver;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>What the adapter over <c>MongoDB.Driver</c> does when something goes wrong, and what it asks for.</summary>
public sealed class MongoDriverTests(MongoDriverFixture fixture)
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Transaction_that_meets_a_conflict_is_tried_again_and_written_once()
    {
        await using var store = await OpenAsync();
        store.Fail("insert", StandInReplies.Error(new(DocumentErrors.WriteConflict, "busy", isTransient: true), inTransaction: true));

        Assert.True(await store.Database.WriteAsync([Insert(1)], Token));

        Assert.Equal(1, await store.CountAsync());
    }

    [Fact]
    public async Task Commit_whose_answer_is_lost_again_and_again_happens_once()
    {
        await using var store = await OpenAsync();

        // The driver asks again by itself, but not as often.
        for (var lost = 0; lost < 5; lost++)
            store.Fail("commitTransaction", reply: null);

        Assert.True(await store.Database.WriteAsync([Insert(1)], Token));

        Assert.Equal(1, await store.CountAsync());
        Assert.True(store.Heads("commitTransaction").Count() > 5);
    }

    /// <summary>The servers are too few for it: the primary has written the transaction and says so.</summary>
    [Fact]
    public async Task Commit_whose_write_concern_cannot_be_satisfied_may_be_written()
    {
        await using var store = await OpenAsync();
        await using var backend = new MongoDbWorkflowBackend(store.Database);
        await backend.InitializeAsync(Token);
        store.Fail("commitTransaction", StandInReplies.UnsatisfiedWriteConcern());

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => backend.SubmitAsync(Seam.Start(Seam.Instance())));

        Assert.False(error.NothingWritten);
    }

    [Fact]
    public async Task Write_that_is_refused_before_its_commit_is_not_written()
    {
        await using var store = await OpenAsync();
        await using var backend = new MongoDbWorkflowBackend(store.Database);
        await backend.InitializeAsync(Token);
        store.Fail("insert", StandInReplies.Error(new(13, "not authorised", isTransient: false), inTransaction: true));

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => backend.SubmitAsync(Seam.Start(Seam.Instance())));

        Assert.True(error.NothingWritten);
    }

    [Fact]
    public async Task Key_that_is_taken_refuses_the_transaction()
    {
        await using var store = await OpenAsync();
        await store.Database.WriteAsync([Insert(1)], Token);

        Assert.False(await store.Database.WriteAsync([Insert(2), Insert(1)], Token));

        Assert.Equal(1, await store.CountAsync());
    }

    /// <summary>A transaction that stays open holds its locks: on the stand-in everything that comes to them waits for ever.</summary>
    [Fact]
    public async Task Write_that_is_cancelled_while_it_runs_leaves_no_transaction_open()
    {
        await using var store = await OpenAsync();
        using var client = new MongoClient(store.ConnectionString);
        using var holder = await client.StartSessionAsync(cancellationToken: Token);
        holder.StartTransaction();
        var signals = client.GetDatabase(store.Database.Name).GetCollection<BsonDocument>(Collections.Signals);
        await signals.InsertOneAsync(holder, new BsonDocument("_id", 1), cancellationToken: Token);

        for (var round = 0; round < 20; round++)
        {
            var before = store.Heads("insert").Count();
            using var giveUp = CancellationTokenSource.CreateLinkedTokenSource(Token);
            var write = store.Database.WriteAsync([Insert(1)], giveUp.Token);
            while (store.Heads("insert").Count() == before)
                await Task.Delay(1, Token);
            await giveUp.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
        }

        await holder.AbortTransactionAsync(Token);
        await store.NoIdleTransactionAsync();
        Assert.True(await store.Database.WriteAsync([Insert(1)], Token));
    }

    [Fact]
    public async Task Document_that_is_refused_for_another_reason_is_an_error()
    {
        await using var store = await OpenAsync();
        store.Fail("insert", StandInReplies.Refused(code: 121));

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() => store.Database.WriteAsync([Insert(1)], Token));

        Assert.Equal(121, error.Code);
        Assert.Equal(0, await store.CountAsync());
    }

    [Theory]
    [InlineData(10107)]
    [InlineData(11600)]
    [InlineData(189)]
    [InlineData(91)]
    [InlineData(11602)]
    [InlineData(13435)]
    [InlineData(13436)]
    [InlineData(DocumentErrors.MajorityNotAvailableYet)]
    [InlineData(DocumentErrors.ExceededTimeLimit)]
    public async Task Election_and_time_limit_are_transient_though_no_label_says_so(int code)
    {
        await using var store = await OpenAsync();
        store.Fail("find", StandInReplies.Error(new(code, "not now", isTransient: false), inTransaction: false));

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() => store.Database.RunAsync([Commands.ReadClock()], Token));

        Assert.True(error.IsTransient);
    }

    [Theory]
    [InlineData(10107)]
    [InlineData(11602)]
    [InlineData(189)]
    public async Task Claim_that_meets_an_election_is_a_transient_error(int code)
    {
        await using var store = await OpenAsync();
        store.Fail("insert", StandInReplies.Refused(code));
        var ids = new[] { Guid.CreateVersion7() };
        var replies = await store.Database.RunAsync([Commands.Claim(ids, Guid.NewGuid(), DateTimeOffset.UtcNow)], Token);

        var error = Assert.Throws<DocumentCommandException>(() => Commands.TakenClaims(replies[0]));

        Assert.True(error.IsTransient);
    }

    [Fact]
    public async Task Lost_connection_tells_its_innermost_cause()
    {
        await using var store = await OpenAsync();
        store.Fail("find", reply: null);

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() => store.Database.RunAsync([Commands.ReadClock()], Token));

        Assert.True(error.IsTransient);
        Assert.EndsWith(error.InnerException!.GetBaseException().Message, error.Message, StringComparison.Ordinal);
        Assert.NotEqual(error.InnerException.Message, error.Message);
    }

    [Fact]
    public async Task Read_of_the_schema_that_gets_no_answer_ends_and_says_what_waited()
    {
        await using var store = await OpenAsync("&socketTimeoutMS=300");
        await using var backend = new MongoDbWorkflowBackend(store.Database);
        store.FallSilent("find");

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => backend.InitializeAsync(Token));

        Assert.True(error.IsTransient);
        Assert.Contains("could not initialise its collections", error.Message, StringComparison.Ordinal);
        Assert.Contains("'find' of 'store' got no answer within 0.3 s (socketTimeoutMS)", error.Message, StringComparison.Ordinal);
        await backend.InitializeAsync(Token);
    }

    [Theory]
    [InlineData("aggregate")]
    [InlineData("commitTransaction")]
    public async Task Count_that_gets_no_answer_ends_and_says_what_waited(string silent)
    {
        await using var store = await OpenAsync("&socketTimeoutMS=300");
        for (var times = 0; times < 100; times++)
            store.FallSilent(silent);

        var error = await Assert.ThrowsAsync<DocumentCommandException>(store.CountAsync);

        Assert.True(error.IsTransient);
        Assert.Contains("'aggregate' of 'signals' got no answer within 0.3 s", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Server_that_says_nothing_is_waited_for_half_a_minute_unless_the_connection_string_says_otherwise()
    {
        Assert.Equal(TimeSpan.FromSeconds(30), MongoDriverDatabase.ReadSettings("mongodb://localhost").SocketTimeout);
        Assert.Equal(TimeSpan.FromSeconds(7), MongoDriverDatabase.ReadSettings("mongodb://localhost/?socketTimeoutMS=7000").SocketTimeout);
    }

    [Fact]
    public async Task Snapshot_that_is_not_there_yet_is_asked_for_again()
    {
        await using var store = await OpenAsync();
        store.Fail("aggregate", StandInReplies.Error(
            new(DocumentErrors.SnapshotUnavailable, "pending catalog changes", isTransient: true), inTransaction: true, "TransientTransactionError"));

        Assert.Equal(0, await store.CountAsync());

        Assert.Equal(2, store.Heads("aggregate").Count());
    }

    /// <summary>A snapshot need not show the claim that was made right before the transaction that fences it.</summary>
    [Fact]
    public async Task Writes_see_the_latest_and_counts_one_moment()
    {
        await using var store = await OpenAsync();
        await store.Database.WriteAsync([Insert(1)], Token);
        await store.CountAsync();

        Assert.Equal("local", store.Heads("insert").Single(head => head.StartsTransaction).ReadConcern);
        Assert.Equal("snapshot", store.Heads("aggregate").Single(head => head.StartsTransaction).ReadConcern);
    }

    [Fact]
    public async Task Waits_without_a_hint_go_on_with_the_same_change_stream()
    {
        await using var store = await OpenAsync();
        for (var wait = 0; wait < 3; wait++)
            await store.Database.WaitForChangeAsync(TimeSpan.FromMilliseconds(20), Token);
        var hint = store.Database.WaitForChangeAsync(TimeSpan.FromMinutes(5), Token);
        await store.Database.WriteAsync([Insert(1)], Token);
        await hint;

        Assert.Single(store.Heads("aggregate"), head => head.ChangesAfter is not null);
    }

    [Fact]
    public async Task Change_stream_that_falls_silent_is_given_up_and_opened_anew()
    {
        await using var store = await OpenAsync();
        using var client = new MongoClient(store.ConnectionString);
        await using var hints = new MongoDriverHints(client.GetDatabase(store.Database.Name), TimeSpan.FromSeconds(3));
        store.FallSilent("getMore");

        await Assert.ThrowsAsync<TimeoutException>(() => hints.WaitAsync(TimeSpan.FromMinutes(5), Token));
        await store.Database.WriteAsync([Insert(1)], Token);

        Assert.True(await hints.WaitAsync(TimeSpan.FromMinutes(5), Token));
    }

    private async Task<Store> OpenAsync(string settings = "")
    {
        var (server, address) = await fixture.ServeAsync(Token);
        var connectionString = address + settings;
        var store = new Store(server, connectionString, new MongoDriverDatabase(connectionString, $"driver_{Guid.NewGuid():n}"));
        await store.Database.DefineAsync([Create()], Token);
        return store;
    }

    private static DocumentCommand Create()
    {
        var writer = new BsonWriter();
        writer.Write("create"u8, Collections.Signals);
        return new(DocumentOperation.Create, Collections.Signals, writer);
    }

    private static DocumentCommand Insert(int id)
    {
        var writer = new BsonWriter();
        writer.Write("insert"u8, Collections.Signals);
        writer.BeginArray("documents"u8);
        writer.BeginDocument();
        writer.Write("_id"u8, id);
        writer.End();
        writer.End();
        return new(DocumentOperation.Insert, Collections.Signals, writer) { Expected = 1 };
    }

    /// <summary>A database of a stand-in of the test's own.</summary>
    private sealed class Store(MongoStandInServer server, string connectionString, MongoDriverDatabase database) : IAsyncDisposable
    {
        public string ConnectionString => connectionString;

        public MongoDriverDatabase Database => database;

        public void FallSilent(string verb) => server.Commands.Faults.Enqueue(new(verb, Reply: null, Silent: true));

        public void Fail(string verb, byte[]? reply) => server.Commands.Faults.Enqueue(new(verb, reply));

        public IEnumerable<CommandHead> Heads(string verb) => server.Commands.Heads.Where(head => head.Verb == verb);

        /// <summary>Waits for the last transaction to end, which a server may do after its client has gone on.</summary>
        public async Task NoIdleTransactionAsync()
        {
            var clock = Stopwatch.StartNew();
            while (await server.Commands.CountIdleTransactionsAsync(Token) is var open and > 0)
            {
                Assert.True(clock.Elapsed < TimeSpan.FromSeconds(30), $"{open} transactions are still open.");
                await Task.Delay(5, Token);
            }
        }

        public async Task<int> CountAsync()
        {
            var pages = await database.ReadSnapshotAsync([Commands.Aggregate(Collections.Signals, static _ => { })], Token);
            var count = 0;
            foreach (var page in pages[0])
            {
                var documents = page.Documents();
                while (documents.Next())
                    count++;
            }

            return count;
        }

        public async ValueTask DisposeAsync()
        {
            await database.DisposeAsync();
            await server.DisposeAsync();
        }
    }
}
