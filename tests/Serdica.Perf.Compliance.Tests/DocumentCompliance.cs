using MongoDB.Bson.IO;

namespace Serdica.Perf.Compliance;

/// <summary>What claims by documents promise when several processes look for work, whichever server keeps the documents.</summary>
public abstract class DocumentCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Signal_that_another_process_handled_after_the_look_is_left_out_and_the_others_are_taken()
    {
        var (first, second) = (Seam.Instance(), Seam.Instance());
        await Backend.SubmitAsync(Seam.Start(first), Seam.Start(second), Seam.Publish(first.Id), Seam.Publish(second.Id));
        var late = Hooked(async () => Assert.Single(await Backend.TakeAsync(maxSignals: 1)));

        var outcome = await late.ProcessAsync(10, Seam.Count, Token);

        Assert.Equal((1, false), (outcome.Signals, outcome.Conflict));
        Assert.Equal(1, (await RecordOf(first.Id)).Version);
        Assert.Equal(1, (await RecordOf(second.Id)).Version);
    }

    /// <summary>And its claim is not kept: the next signal of the instance finds it free.</summary>
    [Fact]
    public async Task Instance_without_signals_is_given_back()
    {
        var instance = await Backend.StartAsync("go");
        var late = Hooked(async () => Assert.Single(await Backend.TakeAsync()));

        var outcome = await late.ProcessAsync(10, Seam.Count, Token);
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "next"));

        Assert.Equal((0, false), (outcome.Signals, outcome.Conflict));
        Assert.Equal(["next"], await Backend.TakeAsync());
    }

    /// <summary>They are deleted before the decisions are written, which must not miss them.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Signals_of_an_instance_that_is_gone_are_dropped_beside_others_and_alone(bool besideOthers)
    {
        var (gone, other) = (Seam.Instance(), Seam.Instance());
        await Backend.SubmitAsync(Seam.Start(gone), Seam.Start(other), Seam.Publish(gone.Id));
        if (besideOthers)
            await Backend.SubmitAsync(Seam.Publish(other.Id));
        await using var database = Schema.Open();
        Assert.True(await database.WriteAsync([new DeleteDocuments(Collections.Instances, Queries.In("_id", [gone.Id]), 1)], Token));

        var outcome = await Backend.ProcessAsync(10, Seam.Count, Token);

        Assert.Equal((besideOthers ? 1 : 0, false), (outcome.Signals, outcome.Conflict));
        Assert.Equal(besideOthers ? (TimeSpan?)null : TimeSpan.Zero, outcome.NextDue);
        Assert.Equal(0, (await Census()).SignalsDue);
        var claims = new DocumentQuery<BsonDocument>(Collections.Claims, Queries.Plain);
        await database.ReadSnapshotAsync([claims], Token);
        Assert.Empty(claims.Found);
    }

    [Fact]
    public async Task Worker_whose_claim_is_another_ones_by_now_is_refused_before_that_one_has_written()
    {
        await Backend.StartAsync("go");
        using var frozen = new HeldTurns();
        using var other = new HeldTurns();
        var lost = Backend.ProcessAsync(new ClaimRequest(10), frozen.DecideAsync, Token);
        await frozen.Begun.WaitAsync(Token);

        await using var database = Schema.Open();
        await database.DeleteAsync(Collections.Claims, [], Token);
        var taking = Connect().ProcessAsync(new ClaimRequest(10), other.DecideAsync, Token);
        await other.Begun.WaitAsync(Token);
        frozen.MayGoOn.SetResult();

        Assert.True((await lost).Conflict);
        other.MayGoOn.SetResult();
        Assert.Equal(1, (await taking).Signals);
    }

    /// <summary>Its holder may be dead, and no hint will come.</summary>
    [Fact]
    public async Task Poll_beside_what_somebody_holds_is_repeated_soon()
    {
        await Backend.StartAsync("go");
        using var turn = new HeldTurns();
        var holding = Backend.ProcessAsync(new ClaimRequest(10), turn.DecideAsync, Token);
        await turn.Begun.WaitAsync(Token);

        var here = await Backend.ProcessAsync(10, Seam.Count, Token);
        var elsewhere = await Connect().ProcessAsync(10, Seam.Count, Token);
        turn.MayGoOn.SetResult();
        await holding;

        Assert.Equal((FromMilliseconds(20), FromMilliseconds(20)), (here.NextDue, elsewhere.NextDue));
    }

    [Fact]
    public async Task Claims_are_removed_when_they_have_expired_by_the_clock_of_the_server()
    {
        var now = DateTimeOffset.UnixEpoch;
        foreach (var milliseconds in new[] { -1, 0, 1 })
            await HoldAsync(Guid.NewGuid(), now.AddMilliseconds(milliseconds));
        await using var database = Schema.Open();
        await using var sweep = new ClaimSweep(database);
        var claims = new DocumentQuery<BsonDocument>(Collections.Claims, Queries.Plain);

        sweep.Begin(now);

        await Eventually(async () => (await database.FindAsync(claims, Token)).Count < 3, "the claims are removed");
        Assert.Equal(2, claims.Found.Count);
    }

    [Fact]
    public async Task Snapshot_shows_all_collections_as_of_one_moment_and_all_their_pages()
    {
        await using var database = Schema.Open();
        Task? meanwhile = null;
        await WriteAsync(Collections.Signals, 250);
        var signals = new DocumentQuery<int>(Collections.Signals, ReadAndWrite);
        var letters = new DocumentQuery<BsonDocument>(Collections.DeadLetters, Queries.Plain);

        await database.ReadSnapshotAsync([signals, letters], Token);

        await meanwhile!;
        Assert.Equal((250, 0), (signals.Found.Count, letters.Found.Count));

        int ReadAndWrite(IBsonReader reader)
        {
            meanwhile ??= Task.Run(() => WriteAsync(Collections.DeadLetters, 1), Token);
            ((IAsyncResult)meanwhile).AsyncWaitHandle.WaitOne();
            return Queries.Plain(reader)["_id"].AsInt32;
        }

        Task WriteAsync(string collection, int count)
        {
            var documents = Range(0, count).Select(static id => new StoredDocument(writer => writer.WriteInt32("_id", id)));
            return database.WriteAsync([new InsertDocuments(collection, [.. documents])], Token);
        }
    }

    [Fact]
    public async Task Signal_that_is_committed_between_look_and_claim_is_not_overtaken_by_a_later_one()
    {
        var instance = await Backend.StartAsync("second");
        var late = Hooked(() =>
            Backend.SubmitAsync(Seam.Publish(instance.Id, "first", Due.AtTime(DateTimeOffset.UtcNow - FromMinutes(1))))
        );

        Assert.Equal(["first", "second"], await late.TakeAsync());
    }

    /// <summary>A look may wait for the server for seconds, and the owner of a lease counts from its decision.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Lease_counts_from_the_decision_however_old_the_look_is(bool isDirect)
    {
        var duration = FromMinutes(1);
        var decided = 0L;
        var instance = await Backend.StartAsync();
        async Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch)
        {
            await Task.Delay(300, Token);
            decided = Stopwatch.GetTimestamp();
            var decision = Seam.Count(Assert.Single(batch.Instances));
            decision.Sent = [Seam.Lease(instance.Id, 1, duration)];
            return [decision];
        }

        if (isDirect)
            await Backend.SubmitAsync([Seam.Publish(instance.Id)], new DirectTurns(DecideAsync), Token);
        else
        {
            await Backend.SubmitAsync(Seam.Publish(instance.Id));
            await Backend.ProcessAsync(new ClaimRequest(10), DecideAsync, Token);
        }

        var left = (await Backend.ProcessAsync(10, Seam.Count, Token)).NextDue;
        Assert.True(left + Stopwatch.GetElapsedTime(decided) >= duration, $"{left} were left.");
    }

    /// <summary>A look that is stale costs a signal its place in the batch, and never the batch.</summary>
    [Fact]
    public async Task No_turn_of_four_processes_is_rolled_back()
    {
        const int Signals = 4_000;
        var instances = await Backend.StartManyAsync(256);
        var (taken, rolledBack) = (0, 0);
        var workers = Range(0, 4).Select(_ => Task.Run(() => WorkAsync(Connect()), Token)).ToList();

        for (var sent = 0; sent < Signals; sent += 50)
            await Backend.SubmitAsync([.. Range(sent, 50).Select(i => Seam.Publish(instances[i % 256].Id))]);
        await Task.WhenAll(workers);

        Assert.Equal((Signals, 0), (taken, rolledBack));

        async Task WorkAsync(IWorkflowBackend process)
        {
            while (Volatile.Read(ref taken) < Signals)
            {
                var started = Stopwatch.GetTimestamp();
                var outcome = await process.ProcessAsync(256, Seam.Count, Token);
                Interlocked.Add(ref taken, outcome.Signals);

                // A claim that a machine holds for longer than it lives is another's.
                if (outcome.Conflict && Stopwatch.GetElapsedTime(started) < MongoDbClaimer.Lifetime)
                    Interlocked.Increment(ref rolledBack);
            }
        }
    }

    /// <summary>Deleted keys stay in the index for a while, and a look from its start reads over all of them.</summary>
    [Fact]
    public async Task Looks_start_behind_what_was_deleted_and_still_find_what_was_committed_late()
    {
        var (database, backend) = Watched();
        var instance = await Backend.StartAsync();
        var start = DueKey.First(long.MinValue).ToBson();

        await Eventually(
            async () =>
            {
                await backend.TakeAsync();
                return Looks().Any(look => look["_id"]["$gt"] != start);
            },
            "a look has started later"
        );
        Assert.Equal(start, Looks().First()["_id"]["$gt"]);
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "late", Due.AtTime(DateTimeOffset.UtcNow - FromMinutes(1))));

        await Eventually(async () => await backend.TakeAsync() is ["late"], "a full look has found it");

        IEnumerable<BsonDocument> Looks() =>
            database.Asked.Where(static asked => asked is { Collection: Collections.Signals, Limit: > 1 }).Select(asked => asked.Filter);
    }

    /// <summary>Ten are more instances than a claim looks at pages.</summary>
    [Theory]
    [InlineData(1, 400)]
    [InlineData(10, 30)]
    public async Task Instances_with_many_due_signals_do_not_hide_others_while_somebody_holds_them(int count, int signals)
    {
        var hot = await Backend.StartManyAsync(count);
        var other = await Backend.StartAsync();
        foreach (var instance in hot)
            await Backend.SubmitAsync([.. Range(0, signals).Select(_ => Seam.Publish(instance.Id))]);
        await Backend.SubmitAsync(Seam.Publish(other.Id, "other"));
        using var held = new HeldTurns();
        var slow = new List<Task<ProcessOutcome>>();
        foreach (var _ in hot)
        {
            slow.Add(Backend.ProcessAsync(new ClaimRequest(10), held.DecideAsync, Token));
            await held.Begun.WaitAsync(Token);
        }

        var elsewhere = await Connect().TakeAsync(maxSignals: 10);
        held.MayGoOn.SetResult();

        Assert.Equal(["other"], elsewhere);
        Assert.All(await Task.WhenAll(slow), static outcome => Assert.Equal(10, outcome.Signals));
    }

    /// <summary>One reply holds 16 MB: a claim takes what it has room for, and none is taken for gone.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Instances_that_one_reply_has_no_room_for_are_claimed_one_after_the_other(bool largeState)
    {
        var large = new byte[2_000_000];
        var instances = Range(0, 12).Select(_ => Seam.Instance() with { State = largeState ? large : [] }).ToList();
        foreach (var instance in instances)
        {
            var signal = Seam.Signal(instance.Id) with { Payload = largeState ? [] : large };
            await Backend.SubmitAsync(Seam.Start(instance), new SignalSubmission(signal));
        }

        for (var left = instances.Count; left > 0;)
        {
            var taken = (await Backend.TakeAsync()).Count;
            Assert.InRange(taken, 1, left);
            left -= taken;
        }

        foreach (var instance in instances)
            Assert.Equal(1, (await RecordOf(instance.Id)).Version);
    }

    /// <summary>A lease that a reply had no room for would be taken for lost, and its activity be run again.</summary>
    [Fact]
    public async Task Leases_of_more_payload_than_one_reply_holds_are_all_extended()
    {
        var instances = Range(0, 2).Select(_ => Seam.Instance(waits: WaitKinds.Activity)).ToList();
        var signals = Range(0, 12)
            .Select(i => Seam.Lease(instances[i % 2].Id, token: 1, FromMinutes(1)) with { Payload = new byte[2_000_000] })
            .ToList();
        foreach (var instance in instances)
            await Backend.SubmitAsync(Seam.Start(instance, [.. signals.Where(signal => signal.InstanceId == instance.Id)]));

        var lost = await Backend.ExtendLeasesAsync(
            [.. signals.Select(static signal => new ActivityLease(signal.InstanceId, signal.Id, 1))],
            FromMinutes(3),
            Token
        );

        Assert.Empty(lost);
        Assert.InRange((await Backend.ProcessAsync(10, Seam.Count, Token)).NextDue!.Value, FromMinutes(2), FromMinutes(3));
    }

    [Fact]
    public async Task Closed_instance_is_found_among_more_open_ones_than_one_reply_holds()
    {
        var open = Range(0, 9).Select(_ => Seam.Instance() with { State = new byte[2_000_000] }).ToList();
        var closed = Seam.Instance(status: InstanceStatus.Completed);
        foreach (var instance in open.Append(closed))
            await Backend.SubmitAsync(Seam.Start(instance));

        var found = await Backend.FindClosedAsync([.. open.Append(closed).Select(static instance => instance.Id)], Token);

        Assert.Equal(closed.Id, Assert.Single(found).Id);
    }

    /// <summary>Two processes that wait for claims of each other would be a deadlock.</summary>
    [Fact]
    public async Task Claims_are_asked_for_in_the_order_of_their_instances()
    {
        var instances = await Backend.StartManyAsync(3);
        foreach (var at in new[] { 2, 0, 1, 2 })
            await Backend.SubmitAsync(Seam.Publish(instances[at].Id));
        var (database, backend) = Watched();

        await backend.TakeAsync();

        var claimed = database.Claims.Select(static claim => claim["_id"].ToGuid());
        Assert.Equal(instances.Select(static instance => instance.Id).Order(), claimed);
    }

    [Fact]
    public async Task Age_of_a_closed_instance_counts_from_its_close()
    {
        var old = Seam.Instance() with { CreatedAt = DateTimeOffset.UtcNow.AddDays(-1), Status = InstanceStatus.Completed };
        await Backend.SubmitAsync(Seam.Start(old));
        await using var database = Schema.Open();
        var closed = InstanceDocuments.Replace(new() { Instance = old, ExpectedVersion = 0 }, DateTimeOffset.UtcNow);
        Assert.True(await database.WriteAsync([new ReplaceDocuments(Collections.Instances, [closed])], Token));

        Assert.Equal(0, await Backend.PurgeAsync(FromHours(1), Token));
    }

    /// <summary>No index leads to what is old: a condition on it would have one statement walk over all that is open.</summary>
    [Fact]
    public async Task Purge_reads_open_instances_page_by_page()
    {
        foreach (var batch in Range(0, 1_200).Select(_ => (Submission)Seam.Start(Seam.Instance())).Chunk(400))
            await Backend.SubmitAsync(batch, Token);
        await Backend.SubmitAsync(Seam.Start(Seam.Closed()));
        var (database, backend) = Watched();

        await Eventually(async () => await backend.PurgeAsync(TimeSpan.Zero, Token) == 1, "the closed one is purged");

        var pages = database.Asked.Where(static asked => asked is { Collection: Collections.Instances, Sort: not null }).ToList();
        Assert.True(pages.Count > 1);
        EachItem.Holds(
            pages,
            static page =>
            {
                Assert.InRange(page.Limit, 1, 1_000);
                Assert.DoesNotContain(page.Filter.Names, static name => name != "_id");
            }
        );
    }

    [Fact]
    public async Task Purge_deletes_more_keys_than_one_command_does()
    {
        var instance = Seam.Instance(businessKey: "order-1");
        await Backend.SubmitAsync(Seam.Start(instance));
        var signals = Range(0, 2_500)
            .Select(i => (Submission)new SignalSubmission(Seam.Signal(instance.Id, due: Due.After(FromHours(1))), dedupKey: $"{i}"));
        foreach (var batch in signals.Chunk(500))
            await Backend.SubmitAsync(batch, Token);
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "end"));
        await Backend.ProcessAsync(10, Seam.Complete, Token);

        Assert.Equal(1, await Backend.PurgeAsync(TimeSpan.Zero, Token));

        await using var database = Schema.Open();
        var left = new[] { Collections.Instances, Collections.BusinessKeys, Collections.DedupKeys, Collections.Signals }
            .Select(static collection => new DocumentQuery<BsonDocument>(collection, Queries.Plain))
            .ToList();
        await database.ReadSnapshotAsync(left, Token);
        EachItem.Holds(left, static query => Assert.Empty(query.Found));
    }

    /// <summary>A slot that is held hides its messages, which may be due at once when it is free.</summary>
    [Fact]
    public async Task Receiver_that_finds_nothing_beside_a_held_slot_looks_again_soon()
    {
        var queue = (IMessageQueue)Backend;
        using var holding = new SemaphoreSlim(0);
        using var mayEnd = new SemaphoreSlim(0);
        await queue.SendAsync([NewMessage()], Token);
        var holder = Task.Run(
            () =>
                queue.ReceiveAsync(
                    1,
                    _ =>
                    {
                        holding.Release();
                        mayEnd.Wait(Token);
                    },
                    Token
                ),
            Token
        );
        await holding.WaitAsync(Token);

        var beside = await queue.ReceiveAsync(1, static _ => { }, Token);
        mayEnd.Release();

        Assert.Equal(1, (await holder).Signals);
        Assert.Equal((0, FromMilliseconds(5)), (beside.Signals, beside.NextDue));
        Assert.Null((await queue.ReceiveAsync(1, static _ => { }, Token)).NextDue);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(20)]
    public async Task Receiver_takes_the_messages_of_another_slot_when_somebody_holds_that_of_the_first_ones(int most)
    {
        var queue = WithoutSweep();
        await SendTenAsync(1, FromMinutes(2));
        await HoldFirstSlotAsync();
        await SendTenAsync(2, FromMinutes(1));
        List<byte> taken = [];

        await queue
            .ReceiveAsync(most, received => taken.AddRange(received.Messages.Select(static message => message.Payload[0])), Token)
            .WaitAsync(HangGuard.Limit, Token);

        Assert.Equal(Repeat((byte)2, Math.Min(most, 10)), taken);

        Task SendTenAsync(byte content, TimeSpan age)
        {
            var due = Due.AtTime(DateTimeOffset.UtcNow - age);
            return queue.SendAsync([.. Range(0, 10).Select(_ => NewMessage() with { Due = due, Payload = [content] })], Token);
        }
    }

    [Fact]
    public async Task Messages_of_a_receiver_that_died_reach_another_one()
    {
        var queue = (IMessageQueue)Backend;
        await queue.SendAsync([NewMessage()], Token);
        await HoldFirstSlotAsync(DateTimeOffset.UnixEpoch);

        await Eventually(async () => (await queue.ReceiveAsync(1, static _ => { }, Token)).Signals == 1, "the message is received");
    }

    [Fact]
    public async Task Batch_with_a_message_that_was_sent_before_is_refused()
    {
        var queue = (IMessageQueue)Backend;
        var sent = NewMessage() with { Due = Due.AtTime(DateTimeOffset.UnixEpoch) };
        await queue.SendAsync([sent], Token);

        var error = await BackendFails(() => queue.SendAsync([NewMessage(), sent], Token));

        Assert.False(error.IsTransient);
        Assert.Equal(1, (await Census()).Messages);
    }

    /// <summary>On MongoDB it waits for a transaction that deletes one of them, for a minute where the host of that was killed.</summary>
    [Fact]
    public async Task Removal_of_expired_claims_that_hangs_keeps_nobody_from_claiming()
    {
        var backend = WithoutSweep();
        var (held, free) = (Seam.Instance(), Seam.Instance());
        await Backend.SubmitAsync(Seam.Start(held), Seam.Start(free), Seam.Publish(held.Id));
        await HoldAsync(held.Id);

        Assert.Empty(await backend.TakeAsync().WaitAsync(HangGuard.Limit, Token));
        await Backend.SubmitAsync(Seam.Publish(free.Id));

        Assert.Equal(["go"], await backend.TakeAsync().WaitAsync(HangGuard.Limit, Token));
    }

    /// <summary>One that the continuation has, and that was not read, would be written again, and refused each time.</summary>
    [Fact]
    public async Task Continuation_may_have_more_dedup_keys_than_one_reply_holds()
    {
        var first = Seam.Instance();
        var second = Seam.Instance() with { Id = SortableId.NextBeside(DateTimeOffset.UtcNow, first.Id) };
        await Backend.SubmitAsync(Seam.Start(first), Seam.Start(second), Seam.Publish(first.Id));
        List<string> keys = [.. Range(0, 5_000).Select(static i => $"{new string('k', 3_500)}{i:d4}")];
        var accepted = keys.Select(key => KeyDocuments.DedupKey(second.Id, key)).Append(KeyDocuments.DedupKey(first.Id, keys[^1]));
        await using var database = Schema.Open();
        Assert.True(await database.WriteAsync([new InsertDocuments(Collections.DedupKeys, [.. accepted])], Token));

        var outcome = await Backend.DecideAsync((decision, _) => decision.Continued = [new(first.Id, second.Id)]);

        Assert.Equal((1, false), (outcome.Signals, outcome.Conflict));
    }

    [Fact]
    public async Task What_is_refused_each_time_is_not_written_and_the_error_says_so()
    {
        var instance = await Backend.StartAsync();
        var letter = new DeadLetter(Seam.Signal(instance.Id), DeadLetterReason.BufferFull, "Full.");
        var (database, backend) = Watched();
        var letters = new InsertDocuments(Collections.DeadLetters, [SignalDocuments.Of(letter, DateTimeOffset.UtcNow)]);
        Assert.True(await database.Database.WriteAsync([letters], Token));
        database.RefusesWrites = true;

        var submit = await BackendFails(() => backend.SubmitAsync(Seam.Publish(instance.Id)));
        var requeue = await BackendFails(() => backend.RequeueDeadLettersAsync([letter.Signal.Id], Token));

        Assert.Equal((true, true), (submit.IsTransient, submit.NothingWritten));
        Assert.Equal((true, true), (requeue.IsTransient, requeue.NothingWritten));
    }

    /// <summary>A new primary has what was acknowledged, and shows it only when a majority has followed it.</summary>
    [Fact]
    public async Task What_only_the_primary_shows_yet_is_not_called_unknown()
    {
        var (database, backend) = Watched();
        var instance = Seam.Instance("order-1");
        await backend.SubmitAsync(Seam.Start(instance));
        var (byId, unknown) = (Seam.Publish(instance.Id), Seam.Publish(Guid.NewGuid()));
        var byKey = new SignalSubmission(Seam.Signal(default), "order-1");

        foreach (var submission in (SignalSubmission[])[byId, byKey])
        {
            database.ReadsBehind = 3;
            await backend.SubmitAsync(submission, unknown);
            Assert.Equal((PublishOutcome.Accepted, PublishOutcome.UnknownInstance), (submission.Outcome, unknown.Outcome));
        }

        database.ReadsBehind = 3;
        Assert.Equal(instance.Id, (await backend.FindAsync(instance.Id, Token))?.Id);
        database.ReadsBehind = 3;
        Assert.Equal(instance.Id, (await backend.FindByKeyAsync("order-1", Token))?.Id);
        database.ReadsBehind = int.MaxValue;
        Assert.True((await BackendFails(() => backend.FindAsync(instance.Id, Token))).IsTransient);
        Assert.True((await BackendFails(() => backend.SubmitAsync(byId))).IsTransient);
        Assert.Null(await backend.FindAsync(Guid.NewGuid(), Token));
    }

    [Fact]
    public async Task Messages_are_read_whole_only_once_their_slots_are_claimed()
    {
        var (database, backend) = Watched();
        await backend.SendAsync([NewMessage() with { Payload = [1] }], Token);

        var began = await new ServerClock(database.Database).ReadAsync(Token);

        Assert.Equal(1, (await backend.ReceiveAsync(10, static _ => { }, Token)).Signals);
        Assert.True(Assert.Single(database.Claims)["until"].ToUniversalTime() >= (began + MongoDbClaimer.Lifetime).UtcDateTime);
        await backend.ReceiveAsync(10, static _ => { }, Token);

        var looks = database.Asked.Where(static asked => asked.Collection == Collections.Messages);
        EachItem.Holds(looks, static look => Assert.False(look.Projection?.Contains("payload") ?? true));
    }

    /// <summary>Once there was nothing to do, polls ask for it together with what is due.</summary>
    [Fact]
    public async Task Every_poll_in_vain_tells_the_next_due_time()
    {
        var instance = await Backend.StartAsync();
        Assert.Null((await Backend.ProcessAsync(10, Seam.Count, Token)).NextDue);
        Assert.Null((await Backend.ProcessAsync(10, Seam.Count, Token)).NextDue);
        await Backend.SubmitAsync(
            Seam.Publish(instance.Id, "later", Due.After(FromHours(1))),
            Seam.Publish(instance.Id, "soon", Due.After(FromMinutes(1)))
        );

        for (var poll = 0; poll < 3; poll++)
        {
            Assert.InRange((await Backend.ProcessAsync(10, Seam.Count, Token)).NextDue!.Value, FromSeconds(30), FromMinutes(1));
        }
    }

    private static Message NewMessage() => new() { Id = SortableId.Next(DateTimeOffset.UtcNow) };

    private protected DocumentTestSchema Schema => (DocumentTestSchema)TestSchema;

    /// <summary>A process whose removal of expired claims does not end before it.</summary>
    private MongoDbWorkflowBackend WithoutSweep()
    {
        var (database, backend) = Watched();
        database.SweepHangs = true;
        return backend;
    }

    private (DatabaseWithHook Database, MongoDbWorkflowBackend Backend) Watched(Func<Task>? beforeClaim = null)
    {
        var database = DatabaseWithHook.Over(Schema.Open(), beforeClaim);
        return (database, Own(new MongoDbWorkflowBackend(database.Database)));
    }

    /// <summary>Another process claims this, for an hour if nothing is said.</summary>
    private async Task HoldAsync(Guid id, DateTimeOffset? until = null)
    {
        await using var database = Schema.Open();
        var claim = ClaimDocuments.Claim(id, Guid.NewGuid(), until ?? DateTimeOffset.UtcNow.AddHours(1));
        Assert.Empty(await database.ClaimAsync([claim], [Queries.Clock()], Token));
    }

    private async Task HoldFirstSlotAsync(DateTimeOffset? until = null)
    {
        await using var database = Schema.Open();
        var sent = await database.FindAsync(new SignalQuery(Collections.Messages), Token);
        await HoldAsync(MongoDbMessages.ClaimId(sent[0].Slot), until);
    }

    /// <summary>A process to which something happens between its look and its claim.</summary>
    private MongoDbWorkflowBackend Hooked(Func<Task> beforeClaim) => Watched(beforeClaim).Backend;
}

public sealed class DocumentDbDocuments(DocumentDbFixture fixture) : DocumentCompliance(fixture);

public sealed class MongoDriverDocuments(MongoDriverFixture fixture) : DocumentCompliance(fixture);
