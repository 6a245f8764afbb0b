using MongoDB.Bson.IO;
using MongoDB.Driver;
using MongoDB.Driver.Core.Events;

namespace Serdica.Perf.Compliance;

/// <summary>What the adapter over <c>MongoDB.Driver</c> does when something goes wrong, and what it asks for.</summary>
public sealed class MongoDriverTests(MongoDriverFixture fixture) : IAsyncDisposable
{
    private Store? _store;

    public ValueTask DisposeAsync() => _store?.DisposeAsync() ?? default;

    [Fact]
    public async Task Transaction_that_meets_a_conflict_is_tried_again_and_written_once()
    {
        var store = await OpenAsync();
        store.Fail("bulkWrite", DocumentErrors.WriteConflict, inTransaction: true);
        await using var statistics = new StatisticsWithRetries(() => new MongoDbStatistics(new RecordedServer([]), "store"));
        statistics.Watch(new MongoDbWorkflowBackend(store.Database));

        Assert.True(await store.InsertAsync(1, 2));

        Assert.Equal(2, await store.CountAsync());
        Assert.Equal(1, (await statistics.TakeSnapshotAsync(SnapshotDepth.Sample, Token)).Values["writeRetries"].Value);
    }

    /// <summary>It comes from a transaction that stays open, that of a killed host perhaps: the caller may do without it.</summary>
    [Fact]
    public async Task Conflict_that_does_not_go_away_refuses_the_write()
    {
        var store = await OpenAsync();
        store.Fail("bulkWrite", DocumentErrors.WriteConflict, inTransaction: true, times: 1_000);

        Assert.False(await store.Database.WriteAsync([new DeleteDocuments(Collections.Signals, new("_id", 2), 1), .. Insert(1)], Token));

        await store.NoIdleTransactionAsync();
        Assert.Equal(0, await store.CountAsync());
    }

    [Fact]
    public async Task Conflicts_of_new_documents_alone_are_outlasted()
    {
        var store = await OpenAsync();
        store.Fail("bulkWrite", DocumentErrors.WriteConflict, inTransaction: true, times: 30);

        Assert.True(await store.InsertAsync(1, 2));
    }

    /// <summary>
    /// As a server of 8.0 does whose feature version is still 7.0: in its source the command is behind featureFlagBulkWriteCommand.
    /// Its wire version does not show whether it has the command.
    /// </summary>
    [Theory]
    [InlineData(DocumentErrors.CommandNotSupported)]
    [InlineData(DocumentErrors.CommandNotFound)]
    public async Task Server_that_refuses_bulk_writes_is_written_to_by_separate_commands(int code)
    {
        var store = await OpenAsync();
        store.Fail("bulkWrite", code);

        Assert.True(await store.InsertAsync(1, 2));
        Assert.True(await store.InsertAsync(3, 4));

        Assert.Equal(4, await store.CountAsync());
        Assert.Single(store.Heads("bulkWrite"));
    }

    [Fact]
    public async Task Commit_whose_answer_is_lost_again_and_again_happens_once()
    {
        var store = await OpenAsync();

        // The driver asks again by itself, but not as often.
        store.Fail("commitTransaction", reply: null, times: 5);

        Assert.True(await store.InsertAsync(1, 2));

        Assert.Equal(2, await store.CountAsync());
        Assert.True(store.Heads("commitTransaction").Count() > 5);
    }

    /// <summary>When the servers are too few for a commit, the primary has written the transaction and says so.</summary>
    [Theory]
    [InlineData("commitTransaction", false, "100", "UnsatisfiableWriteConcern: Not enough data-bearing nodes")]
    [InlineData("bulkWrite", true, "13", "Error13: not authorised")]
    public async Task Write_that_is_refused_is_not_written_unless_its_commit_was_sent(
        string verb,
        bool nothingWritten,
        string code,
        string text
    )
    {
        var store = await OpenAsync();
        await using var backend = await store.ConnectAsync();
        var refusal = new DocumentCommandException(DocumentErrors.Unauthorized, "not authorised", isTransient: false);
        store.Fail(verb, nothingWritten ? StandInReplies.Error(refusal, inTransaction: true) : StandInReplies.UnsatisfiedWriteConcern());

        var error = await BackendFails(() => backend.SubmitAsync(Seam.Start(Seam.Instance(businessKey: "order-1"))));

        Assert.Equal((nothingWritten, false, code), (error.NothingWritten, error.IsTransient, error.Code));
        Assert.EndsWith(text, error.Message);
    }

    /// <summary>They may only be slow.</summary>
    [Fact]
    public async Task Servers_that_do_not_have_a_write_in_time_are_a_transient_error()
    {
        var store = await OpenAsync();
        store.Fail("createIndexes", StandInReplies.UnsatisfiedWriteConcern(code: 64));

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() =>
            store.Database.DefineAsync([], [(Collections.Signals, "instance")], Token)
        );

        Assert.Equal((64, true), (error.Code, error.IsTransient));
    }

    /// <summary>The driver does not send it, except in a <c>bulkWrite</c>, which the server refuses.</summary>
    [Theory]
    [InlineData(1, StandInReplies.WireVersionOf80)]
    [InlineData(2, StandInReplies.WireVersionOf70)]
    public async Task Instance_that_is_too_large_for_a_document_is_refused(int count, int wireVersion)
    {
        var store = await OpenAsync(wireVersion: wireVersion);
        await using var backend = await store.ConnectAsync();
        var starts = Range(0, count).Select(i => Seam.Start(Seam.Instance() with { State = new byte[i == 0 ? 17_000_000 : 1] }));

        var error = await BackendFails(() => backend.SubmitAsync([.. starts], Token));

        Assert.Equal((true, false, "10334"), (error.NothingWritten, error.IsTransient, error.Code));
        await store.NoIdleTransactionAsync();
        await backend.SubmitAsync(Seam.Start(Seam.Instance()));
    }

    [Fact]
    public async Task Key_that_is_taken_refuses_the_transaction()
    {
        var store = await OpenAsync();
        await store.InsertAsync(1);

        Assert.False(await store.InsertAsync(2, 1));
        Assert.False(await store.InsertAsync(1));

        Assert.Equal(1, await store.CountAsync());
    }

    /// <summary>What it finds must not stand for an instance that it does not find.</summary>
    [Theory]
    [InlineData(StandInReplies.WireVersionOf80)]
    [InlineData(StandInReplies.WireVersionOf70)]
    public async Task Document_that_must_not_be_there_refuses_the_transaction(int wireVersion)
    {
        var store = await OpenAsync(wireVersion: wireVersion);
        await store.InsertAsync(1);
        var replaced = new ReplaceDocuments(Collections.Store, [new(Guid.NewGuid(), 0, Document(3), Bytes: 0)]);
        DocumentWrite[] OrNone(int id) => [new ExpectNone(Collections.Signals, new("_id", id), Index: ""), .. Insert(2)];

        Assert.False(await store.Database.WriteAsync(OrNone(1), Token));
        Assert.False(await store.Database.WriteAsync([replaced, .. OrNone(1)], Token));
        Assert.True(await store.Database.WriteAsync(OrNone(2), Token));

        Assert.Equal(2, await store.CountAsync());
    }

    /// <summary>A transaction that stays open holds its locks: on the stand-in everything that comes to them waits for ever.</summary>
    [Fact]
    public async Task Write_that_is_cancelled_while_it_runs_leaves_no_transaction_open()
    {
        var store = await OpenAsync();
        using var holder = await store.Client.StartSessionAsync(cancellationToken: Token);
        holder.StartTransaction();
        var signals = store.Client.GetDatabase(store.Database.Name).GetCollection<BsonDocument>(Collections.Signals);
        await signals.InsertOneAsync(holder, new BsonDocument("_id", 1), cancellationToken: Token);

        for (var round = 0; round < 20; round++)
        {
            var before = store.Heads("bulkWrite").Count();
            using var giveUp = CancellationTokenSource.CreateLinkedTokenSource(Token);
            var write = store.Database.WriteAsync(Insert(1, 2), giveUp.Token);
            while (store.Heads("bulkWrite").Count() == before)
                await Task.Delay(1, Token);
            await giveUp.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
        }

        await holder.AbortTransactionAsync(Token);
        await store.NoIdleTransactionAsync();
        Assert.True(await store.InsertAsync(1, 2));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1, 2)]
    public async Task Document_that_is_refused_for_another_reason_is_an_error(params int[] ids)
    {
        var store = await OpenAsync(wireVersion: StandInReplies.WireVersionOf70);
        store.Fail("insert", StandInReplies.Refused(code: 121));

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() => store.InsertAsync(ids));

        Assert.Equal(121, error.Code);
        Assert.Equal(0, await store.CountAsync());
    }

    /// <summary>It may have been written before the connection was lost, or by fewer servers than asked for.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 100)]
    public async Task Document_alone_whose_answer_is_lost_or_bad_may_be_written(bool isLost, int code)
    {
        var store = await OpenAsync();
        store.Fail("insert", isLost ? null : StandInReplies.UnsatisfiedWriteConcern());

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() => store.InsertAsync(1));

        Assert.Equal((code, true), (error.Code, error.MayBeWritten));
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
        var store = await OpenAsync();
        store.Fail("find", code, times: 2);

        var error = await Assert.ThrowsAsync<DocumentCommandException>(store.ReadAsync);

        Assert.Equal((true, code), (error.IsTransient, error.Code));
    }

    [Theory]
    [InlineData(10107)]
    [InlineData(11602)]
    [InlineData(189)]
    public async Task Claim_that_meets_an_election_is_a_transient_error(int code)
    {
        var store = await OpenAsync();
        store.Fail("insert", StandInReplies.Refused(code));
        var claim = ClaimDocuments.Claim(Guid.CreateVersion7(), Guid.NewGuid(), DateTimeOffset.UtcNow);

        var error = await Assert.ThrowsAsync<DocumentCommandException>(() => store.Database.ClaimAsync([claim], [Queries.Clock()], Token));

        Assert.True(error.IsTransient);
    }

    [Fact]
    public async Task Claim_that_somebody_is_giving_back_is_lost()
    {
        var store = await OpenAsync();
        store.Fail("insert", StandInReplies.Refused(DocumentErrors.WriteConflict));
        var claim = ClaimDocuments.Claim(Guid.CreateVersion7(), Guid.NewGuid(), DateTimeOffset.UtcNow);

        Assert.Equal([0], await store.Database.ClaimAsync([claim], [Queries.Clock()], Token));
    }

    [Fact]
    public async Task Read_whose_answer_is_lost_once_is_asked_again_by_the_driver()
    {
        var store = await OpenAsync();
        store.Fail("find", reply: null);

        await store.ReadAsync();

        Assert.Equal(2, store.Heads("find").Count());
    }

    [Fact]
    public async Task Lost_connection_tells_its_innermost_cause()
    {
        var store = await OpenAsync();
        store.Fail("find", reply: null, times: 2);

        var error = await Assert.ThrowsAsync<DocumentCommandException>(store.ReadAsync);

        Assert.True(error.IsTransient);
        Assert.EndsWith(error.InnerException!.GetBaseException().Message, error.Message);
        Assert.NotEqual(error.InnerException.Message, error.Message);
    }

    [Fact]
    public async Task Read_of_the_schema_that_gets_no_answer_ends_and_says_what_waited()
    {
        var store = await OpenHurriedAsync(milliseconds: 300);
        await using var backend = new MongoDbWorkflowBackend(store.Database);
        store.FallSilent("find", times: 2);

        var error = await BackendFails(() => backend.InitializeAsync(Token));

        Assert.True(error.IsTransient);
        Assert.Contains("could not initialise its collections", error.Message);
        Assert.Contains("'find' of 'store' got no answer within 0.3 s (socketTimeoutMS)", error.Message);
        await HangGuard.UntilAsync(
            async () => await Record.ExceptionAsync(() => backend.InitializeAsync(Token)) is null,
            () => "The backend cannot be initialised after a read without an answer."
        );
    }

    [Fact]
    public async Task Count_that_gets_no_answer_ends_and_says_what_waited()
    {
        var store = await OpenHurriedAsync(milliseconds: 300);
        store.FallSilent("aggregate", times: 100);

        var error = await Assert.ThrowsAsync<DocumentCommandException>(store.CountAsync);

        Assert.True(error.IsTransient);
        Assert.Contains("'aggregate' of 'signals' got no answer within 0.3 s", error.Message, Ordinal);
        Assert.InRange(store.Heads("aggregate").Count(static head => head.Collection == Collections.Signals), 1, 2);
    }

    [Fact]
    public void Server_that_says_nothing_is_waited_for_half_a_minute_unless_the_connection_string_says_otherwise()
    {
        Assert.Equal(FromSeconds(30), MongoDriver.SettingsOf("mongodb://localhost", "").SocketTimeout);
        Assert.Equal(FromSeconds(7), MongoDriver.SettingsOf("mongodb://localhost/?socketTimeoutMS=7000", "").SocketTimeout);
    }

    [Fact]
    public async Task Snapshot_that_is_not_there_yet_is_asked_for_again()
    {
        var store = await OpenAsync();
        store.Fail("aggregate", DocumentErrors.SnapshotUnavailable);

        Assert.Equal(0, await store.CountAsync());

        // The count asks twice; the first question is repeated.
        Assert.Equal(3, store.Heads("aggregate").Count(head => head.ChangesAfter is null));
    }

    /// <summary>What was read of a moment is not read again, as long as the server has that moment. Some the driver repeats once.</summary>
    [Theory]
    [InlineData(DocumentErrors.PrimarySteppedDown, 2, 1)]
    [InlineData(DocumentErrors.SnapshotTooOld, 1, 2)]
    public async Task Count_that_fails_in_the_middle_goes_on_from_there(int code, int failures, int reads)
    {
        var store = await OpenAsync();
        await store.InsertAsync(1);
        var read = 0;
        var first = new DocumentQuery<BsonDocument>(Collections.Signals, ReadAndFail);
        var second = new DocumentQuery<BsonDocument>(Collections.Signals, Queries.Plain);

        await store.Database.ReadSnapshotAsync([first, second], Token);

        Assert.Equal((reads, 1, 1), (read, first.Found.Count, second.Found.Count));

        BsonDocument ReadAndFail(IBsonReader reader)
        {
            store.Fail("aggregate", code, times: read++ == 0 ? failures : 0);
            return Queries.Plain(reader);
        }
    }

    /// <summary>Cursors end with their server, and when nobody asks for their next page for long.</summary>
    [Fact]
    public async Task Count_whose_cursor_is_gone_reads_that_part_again()
    {
        var store = await OpenAsync();
        await store.InsertAsync([.. Range(0, 150)]);
        store.Fail("getMore", DocumentErrors.CursorNotFound);

        Assert.Equal(150, await store.CountAsync());
    }

    /// <summary>The next due time is asked for with the look, once there was nothing to do.</summary>
    [Fact]
    public async Task Poll_in_vain_after_another_is_one_command()
    {
        var store = await OpenAsync();
        await using var backend = await store.ConnectAsync();
        await backend.TakeAsync();
        var before = store.Count();

        await backend.TakeAsync();

        Assert.Equal(1, store.Count() - before);
    }

    /// <summary>A snapshot need not show the claim that was made right before the transaction that fences it.</summary>
    [Fact]
    public async Task Writes_see_the_latest_and_counts_one_moment_without_a_transaction()
    {
        var store = await OpenAsync();
        await store.InsertAsync(1, 2);
        await store.CountAsync();

        Assert.Equal("local", store.Heads("bulkWrite").Single(head => head.StartsTransaction).ReadConcern);
        var counts = store.Heads("aggregate").Where(head => head.ChangesAfter is null).ToList();
        EachItem.Holds(counts, head => Assert.True(head.ReadsSnapshot));
        Assert.Null(counts[0].SnapshotTime);
        EachItem.Holds(counts.Skip(1), head => Assert.NotNull(head.SnapshotTime));
    }

    [Fact]
    public async Task Answers_to_callers_are_what_a_majority_has_and_looks_for_work_the_latest()
    {
        var store = await OpenAsync();
        await using var backend = await store.ConnectAsync();

        await backend.FindAsync(Guid.CreateVersion7(), Token);
        await backend.TakeAsync();

        // What no majority has may be what the primary has: it is not called unknown.
        var asked = store.Heads("find").Where(head => head.Collection == Collections.Instances).Select(head => head.ReadConcern);
        Assert.Equal(["majority", "local"], asked);
        Assert.Equal("local", store.Heads("aggregate").Last().ReadConcern);
    }

    /// <summary>What a failover would undo is no answer.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Questions_and_direct_writes_go_by_what_a_majority_has(bool byKey)
    {
        var store = await OpenAsync();
        await using var backend = await store.ConnectAsync();
        var instance = Seam.Instance("order-1");
        await backend.SubmitAsync(Seam.Start(instance));

        await AskedAsync(() => backend.FindClosedAsync([instance.Id], Token));
        await AskedAsync(() => backend.FindByKeyAsync("order-1", Token));
        var signal = byKey ? new SignalSubmission(Seam.Signal(Guid.Empty), "order-1") : Seam.Publish(instance.Id);
        await AskedAsync(() => backend.SubmitDirectAsync(signal));

        async Task AskedAsync(Func<Task> ask)
        {
            var before = Reads().ToHashSet();
            await ask();
            EachItem.Holds(Reads().Where(head => !before.Contains(head)), head => Assert.Equal("majority", head.ReadConcern));
        }

        IEnumerable<CommandHead> Reads() => store.Heads("find").Concat(store.Heads("aggregate")).Where(head => head.ChangesAfter is null);
    }

    /// <summary>A secondary may be behind what a claim or a check must see.</summary>
    [Fact]
    public async Task Reads_go_to_the_primary_whatever_the_connection_string_says()
    {
        var preferences = new ConcurrentQueue<string>();
        const string Settings = "&readPreference=secondaryPreferred";
        var store = await OpenAsync(Settings, monitor: Note);
        await using var backend = await store.ConnectAsync();

        await backend.FindAsync(Guid.CreateVersion7(), Token);
        await backend.TakeAsync();

        EachItem.Holds(preferences, preference => Assert.DoesNotContain("secondary", preference));

        void Note(CommandStartedEvent started)
        {
            if (started.CommandName is "find" or "aggregate" && !started.Command.ToString().Contains("$changeStream"))
                preferences.Enqueue(started.Command.GetValue("$readPreference", "primary").ToString()!);
        }
    }

    /// <summary>What has been answered must outlive its server, whatever the connection string says.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("&w=1&journal=false")]
    public async Task Write_is_answered_when_a_majority_has_it_in_its_journal(string settings)
    {
        var store = await OpenAsync(settings);

        // A document alone needs no transaction.
        await store.InsertAsync(1);
        await store.InsertAsync(2, 3);

        var durable = new BsonDocument { { "w", "majority" }, { "j", true } };
        Assert.Equal(durable, store.Heads("insert").Single().WriteConcern);
        Assert.Equal(durable, store.Heads("commitTransaction").Single().WriteConcern);
    }

    /// <summary>Lost with their server, they would leave what belongs to an instance that is purged by the next one.</summary>
    [Fact]
    public async Task Deletes_of_a_purge_are_kept_by_a_majority()
    {
        var store = await OpenAsync();
        await using var backend = await store.ConnectAsync();
        var instance = Seam.Closed();
        await backend.SubmitAsync(Seam.Start(instance, Seam.Signal(instance.Id)));

        await HangGuard.UntilAsync(async () => await backend.PurgeAsync(TimeSpan.Zero, Token) == 1, () => "Nothing is purged.");

        var delete = store.Heads("delete").Single(static head => head.Collection == Collections.Signals);
        Assert.Equal("majority", delete.WriteConcern?["w"].ToString());
    }

    [Fact]
    public async Task Waits_without_a_hint_go_on_with_the_same_change_stream()
    {
        var store = await OpenAsync();
        for (var wait = 0; wait < 3; wait++)
            await store.Database.WaitForChangeAsync(FromMilliseconds(20), Token);
        var hint = store.Database.WaitForChangeAsync(FromMinutes(5), Token);
        await store.Database.NotifyAsync(Token);
        await hint;

        // The first one is only a question whether there are any.
        Assert.Equal(2, store.Heads("aggregate").Count(head => head.ChangesAfter is not null));
    }

    [Fact]
    public async Task Change_stream_that_falls_silent_is_given_up_and_opened_anew()
    {
        var store = await OpenAsync();
        await using var hints = store.Hints(FromSeconds(10));
        store.FallSilent("getMore");

        await Assert.ThrowsAsync<TimeoutException>(() => hints.WaitAsync(FromMinutes(5), Token));
        await store.Database.NotifyAsync(Token);

        Assert.True(await hints.WaitAsync(FromMinutes(5), Token));
    }

    /// <summary>As when the oplog no longer reaches back to it: each further wait would fail as well.</summary>
    [Fact]
    public async Task Change_stream_whose_position_is_refused_begins_anew_without_one()
    {
        var store = await OpenAsync();
        await using var hints = store.Hints(FromSeconds(60));
        await HearsAsync();
        store.Fail("getMore", code: 286);

        await Assert.ThrowsAsync<MongoCommandException>(() => hints.WaitAsync(FromMinutes(5), Token));
        await HearsAsync();

        EachItem.Holds(store.Heads("aggregate"), head => Assert.Equal(0, head.ChangesAfter));

        async Task HearsAsync()
        {
            var waiting = hints.WaitAsync(FromMinutes(5), Token);
            await HangGuard.UntilAsync(
                async () =>
                {
                    await store.Database.NotifyAsync(Token);
                    return waiting.IsCompleted;
                },
                () => "No hint is heard."
            );
            Assert.True(await waiting);
        }
    }

    /// <summary>Each process would be sent every signal of every other.</summary>
    [Fact]
    public async Task Signals_are_no_hints()
    {
        var store = await OpenAsync();
        await using var hints = store.Hints();
        Assert.False(await hints.WaitAsync(FromMilliseconds(50), Token));

        await store.InsertAsync(1);

        Assert.False(await hints.WaitAsync(FromMilliseconds(500), Token));
        EachItem.Holds(store.Heads("aggregate").Where(head => head.ChangesAfter is not null), head =>
            Assert.Equal(Collections.Store, head.Collection)
        );
    }

    [Theory]
    [InlineData(DocumentErrors.CommandNotSupported, false)]
    [InlineData(DocumentErrors.NamespaceNotFound, true)]
    public async Task Server_that_refuses_change_streams_hears_of_no_other_process(int code, bool hears)
    {
        var store = await OpenAsync();
        await using var backend = new MongoDbWorkflowBackend(store.Database);
        Assert.True(backend.Capabilities.CrossProcessHints);
        store.Fail("aggregate", code);

        await backend.InitializeAsync(Token);

        Assert.Equal(hears, backend.Capabilities.CrossProcessHints);
    }

    [Fact]
    public async Task Store_of_a_newer_build_is_refused()
    {
        var store = await OpenAsync();
        await using var backend = new MongoDbWorkflowBackend(store.Database);
        await store.Database.WriteAsync([new InsertDocuments(Collections.Store, [new(WriteVersion)])], Token);

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => backend.InitializeAsync(Token));

        Assert.Contains("has version 99, and this build knows 1", error.Message);

        static void WriteVersion(IBsonWriter writer)
        {
            writer.WriteInt32("_id", 0);
            writer.WriteInt32("version", 99);
        }
    }

    /// <summary>Read, write, commit; look, claim, load, write, commit; read, write, commit; read, write.</summary>
    [Theory]
    [InlineData(StandInReplies.WireVersionOf80, 5, 3)]
    [InlineData(StandInReplies.WireVersionOf70, 7, 4)]
    public async Task Batch_of_any_size_is_a_handful_of_commands(int wireVersion, int ofTurn, int ofDirect)
    {
        var store = await OpenAsync(wireVersion: wireVersion);
        await using var backend = await store.ConnectAsync();

        Assert.Equal((3, ofTurn, ofDirect, 2), await DocumentDbRoundTripTests.CostsOfAsync(backend, store.Count));

        Assert.Equal("majority", store.Heads("aggregate").Last().ReadConcern);
        var writes = store.Heads(wireVersion == StandInReplies.WireVersionOf80 ? "bulkWrite" : "update");
        Assert.Equal("local", writes.Last(static head => head.StartsTransaction).ReadConcern);
    }

    /// <summary>
    /// Start, signal and close, by the driver's command monitoring, without what waits for hints. Before reads and writes were
    /// joined, a round trip took 0.77 to 0.87 commands.
    /// </summary>
    [Theory]
    [InlineData(true, 0.77 / 3)]
    [InlineData(false, 0.77)]
    public async Task Round_trips_of_64_callers_share_their_commands(bool direct, double most)
    {
        const int Callers = 64;
        const int Rounds = 5;
        var commands = 0;
        var store = await OpenAsync(monitor: Count);
        var registry = new WorkflowRegistry([Definitions.Approval]);
        var options = new WorkflowOptions { DirectSignals = direct, MaxPollInterval = FromMinutes(1), SubmitPatience = HangGuard.Limit };
        await using var host = new WorkflowHost(new MongoDbWorkflowBackend(store.Database), registry, options);
        await host.StartAsync(Token);
        await RunAsync(1);
        Volatile.Write(ref commands, 0);

        await RunAsync(Rounds);

        var perRoundTrip = (double)Volatile.Read(ref commands) / (Callers * Rounds);
        TestContext.Current.TestOutputHelper!.WriteLine($"{perRoundTrip:0.00} commands per round trip");
        Assert.InRange(perRoundTrip, 0.01, most);

        void Count(CommandStartedEvent started)
        {
            if (started.CommandName is not ("getMore" or "hello") && !started.Command.ToString().Contains("$changeStream"))
                Interlocked.Increment(ref commands);
        }

        Task RunAsync(int rounds) => Task.WhenAll(Range(0, Callers).Select(_ => CallAsync(rounds)));

        async Task CallAsync(int rounds)
        {
            for (var round = 0; round < rounds; round++)
            {
                var started = await host.Client.StartAsync(Definitions.Approval);
                var closed = host.Client.WatchClose(started.Id);
                await host.Client.SendAsync(started.Id, "approve", "yes");
                await closed;
            }
        }
    }

    /// <summary>An instance may have thousands of signals that are due later, which a look for those that are due must not read.</summary>
    [Fact]
    public async Task Indexes_have_the_due_time_behind_the_instance()
    {
        var keys = new ConcurrentQueue<string>();
        var store = await OpenAsync(monitor: Watch);
        await using var backend = new MongoDbWorkflowBackend(store.Database);

        await backend.InitializeAsync(Token);

        Assert.Equal(
            ["dead_letters: instance, _id", "dead_letters: signal, _id", "dedup_keys: instance, _id", "signals: instance, _id"],
            keys.Order(StringComparer.Ordinal)
        );

        void Watch(CommandStartedEvent started)
        {
            if (started.CommandName == "createIndexes")
                keys.Enqueue($"{started.Command[0]}: {string.Join(", ", started.Command["indexes"][0]["key"].AsBsonDocument.Names)}");
        }
    }

    private async Task<Store> OpenAsync(
        string settings = "",
        int wireVersion = StandInReplies.WireVersionOf80,
        Action<CommandStartedEvent>? monitor = null
    )
    {
        var (server, address) = await fixture.ServeAsync(Token, wireVersion);
        var connectionString = $"{address}{MongoDriverFixture.Patient}{settings}";
        var name = $"driver_{Guid.NewGuid():n}";
        var database = new MongoDriverDatabase(connectionString, name, driver => driver.Subscribe(monitor ?? (static _ => { })));
        _store = new Store(server, connectionString, database);
        await database.DefineAsync([Collections.Signals, Collections.Store], [], Token);
        return _store;
    }

    /// <summary>A store that is initialised without hurry, because a busy machine may take longer than the answers may after it.</summary>
    private async Task<Store> OpenHurriedAsync(int milliseconds)
    {
        var (server, address) = await fixture.ServeAsync(Token);
        var name = $"driver_{Guid.NewGuid():n}";
        await using (var patient = new MongoDbWorkflowBackend(new MongoDriverDatabase($"{address}{MongoDriverFixture.Patient}", name)))
            await patient.InitializeAsync(Token);
        var connectionString = $"{address}&socketTimeoutMS={milliseconds}";
        return _store = new(server, connectionString, new MongoDriverDatabase(connectionString, name));
    }

    private static DocumentWrite[] Insert(params int[] ids) => [new InsertDocuments(Collections.Signals, [.. ids.Select(Document)])];

    private static StoredDocument Document(int id) => new(writer => writer.WriteInt32("_id", id));

    /// <summary>A database of a stand-in of the test's own.</summary>
    private sealed class Store(MongoStandInServer server, string connectionString, MongoDriverDatabase database) : IAsyncDisposable
    {
        private readonly Lazy<MongoClient> _client = new(() => new(connectionString));

        /// <summary>Another one than that of the database.</summary>
        public MongoClient Client => _client.Value;

        public MongoDriverDatabase Database => database;

        public async Task<MongoDbWorkflowBackend> ConnectAsync()
        {
            var backend = new MongoDbWorkflowBackend(database);
            await backend.InitializeAsync(Token);
            return backend;
        }

        public void FallSilent(string verb, int times = 1) => Fail(new(verb, Reply: null, Silent: true), times);

        /// <param name="times">The driver asks a second time for what is read.</param>
        public void Fail(string verb, BsonDocument? reply, int times = 1) => Fail(new(verb, reply), times);

        public void Fail(string verb, int code, bool inTransaction = false, int times = 1) =>
            Fail(verb, StandInReplies.Error(new(code, "not now", isTransient: false), inTransaction), times);

        public Task<bool> InsertAsync(params int[] ids) => database.WriteAsync(Insert(ids), Token);

        public Task ReadAsync() => database.ReadAsync([Queries.Clock()], ReadLevel.Latest, Token);

        public MongoDriverHints Hints(TimeSpan? silence = null) => new(Client.GetDatabase(database.Name), silence);

        public IEnumerable<CommandHead> Heads(string verb) => server.Commands.Heads.Where(head => head.Verb == verb);

        /// <summary>Commands so far, those left out by which the driver watches the server.</summary>
        public long Count() => server.Commands.Heads.Count(head => head.Verb is not ("hello" or "isMaster" or "ismaster" or "endSessions"));

        /// <summary>Waits for the last transaction to end, which a server may do after its client has gone on.</summary>
        public Task NoIdleTransactionAsync()
        {
            var open = 0L;
            return HangGuard.UntilAsync(
                async () => (open = await server.Commands.CountIdleTransactionsAsync(Token)) == 0,
                () => $"{open} transactions are still open."
            );
        }

        public async Task<int> CountAsync()
        {
            var (signals, again) = (All(), All());
            await database.ReadSnapshotAsync([signals, again], Token);
            Assert.Equal(signals.Found.Count, again.Found.Count);
            return signals.Found.Count;
        }

        public async ValueTask DisposeAsync()
        {
            if (_client.IsValueCreated)
                Client.Dispose();
            await database.DisposeAsync();
            await server.DisposeAsync();
        }

        private void Fail(StandInFault fault, int times)
        {
            for (; times > 0; times--)
                server.Commands.Faults.Enqueue(fault);
        }

        private static DocumentQuery<BsonDocument> All() => new(Collections.Signals, Queries.Plain);
    }
}
