namespace Serdica.Perf.Compliance;

/// <summary>What the claims of documents promise when a worker stops in the middle of one.</summary>
public sealed class DocumentDbFaults(DocumentDbFixture fixture) : WorkflowBackendCompliance(fixture)
{
    protected override bool BorrowsSchema => false;

    private DocumentTestSchema Schema => (DocumentTestSchema)TestSchema;

    [Fact]
    public async Task Instance_of_a_frozen_worker_is_taken_by_another_and_its_own_write_is_refused()
    {
        var instance = await Backend.StartAsync("go");
        using var turn = new HeldTurns();
        var frozen = Backend.ProcessAsync(new ClaimRequest(10), turn.DecideAsync, Token);
        await turn.Begun.WaitAsync(Token);

        var other = Connect();
        await Eventually(async () => await other.TakeAsync() is ["go"], "another process has taken the signal");
        turn.MayGoOn.SetResult();

        var outcome = await frozen;
        Assert.Equal((0, true), (outcome.Signals, outcome.Conflict));
        Assert.Equal(1, (await RecordOf(instance.Id)).Version);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Direct_signal_waits_for_another_write_of_its_instance_and_goes_by_its_outcome(bool commits)
    {
        var instance = await Backend.StartAsync();
        var settings = new NpgsqlConnectionStringBuilder(Schema.ConnectionString)
        {
            SearchPath = "documentdb_api_catalog,documentdb_api,documentdb_core,public",
        };
        await using var source = NpgsqlDataSource.Create(settings);
        await using var other = await source.OpenConnectionAsync(Token);
        await using var turn = await other.BeginTransactionAsync(Token);
        await using var database = Schema.Open();
        await using (var update = new NpgsqlCommand(new DocumentDbStatements(database.Name).Reply("update"), other))
        {
            var change = new BsonDocument
            {
                { "q", new BsonDocument("_id", Queries.Id(instance.Id)) },
                { "u", new BsonDocument("$inc", new BsonDocument("version", 1L)) },
            };
            update.Parameters.Add(
                new() { Value = new BsonDocument { { "update", Collections.Instances }, { "updates", new BsonArray { change } } }.ToBson() }
            );
            await update.ExecuteNonQueryAsync(Token);
        }

        var direct = Seam.Publish(instance.Id, "direct");
        var submitting = Backend.SubmitDirectAsync(direct);
        await Eventually(() => IsWaitedForAsync(source, other.ProcessID), "the direct write waits");
        await (commits ? turn.CommitAsync(Token) : turn.RollbackAsync(Token));
        await submitting;

        Assert.Equal(!commits, direct.IsDecided);
        Assert.Equal(1, (await RecordOf(instance.Id)).Version);
        Assert.Equal(commits ? ["direct"] : [], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Instance_that_a_trigger_refuses_is_kept_from_the_others_and_given_up()
    {
        var client = Client(Definitions.Appending);
        var started = await StartAsync(client, Definitions.Appending, 20);
        foreach (var instance in started)
            await client.SendAsync(instance.Id, "append", Definitions.Last);
        var culprit = started[5].Id;
        await RefuseAsync("update", Collections.Instances, culprit);

        await HostAsync(Definitions.Appending);

        foreach (var instance in started.Where(instance => instance.Id != culprit))
            await Completes(client, instance.Id);
        await Eventually(async () => (await Census()).DeadLetters == 1, "the culprit's signal is given up");
        var letter = Assert.Single(await DeadLetters());
        Assert.Equal((culprit, DeadLetterReason.Refused), (letter.Signal.InstanceId, letter.Reason));
        Assert.Contains("no more of this", letter.Detail);
    }

    [Fact]
    public async Task Purge_that_cannot_delete_what_belongs_to_an_instance_leaves_it_and_says_so()
    {
        var instance = Seam.Closed();
        var signal = Seam.Signal(instance.Id);
        await Backend.SubmitAsync(Seam.Start(instance, signal));
        await RefuseAsync("delete", Collections.Signals, instance.Id);

        WorkflowBackendException? error = null;
        await Eventually(
            async () =>
            {
                error = await Record.ExceptionAsync(() => Backend.PurgeAsync(TimeSpan.Zero, Token)) as WorkflowBackendException;
                return error is not null || await Backend.FindAsync(instance.Id, Token) is null;
            },
            "the purge has met the instance"
        );

        Assert.Contains("no more of this", error?.Message);
        Assert.NotNull(await Backend.FindAsync(instance.Id, Token));
    }

    [Fact]
    public async Task Sessions_stay_whatever_limit_the_database_has_for_idle_ones()
    {
        await using var database = Schema.Open();
        await using var role = await ShortIdleRole.CreateAsync(Schema.ConnectionString!, Token);
        await using var backend = new MongoDbWorkflowBackend(new DocumentDbDatabase(role.ConnectionString, database.Name));
        await backend.SubmitAsync(Seam.Start(Seam.Instance()));

        await role.WaitAsync(Token);

        await backend.SubmitAsync(Seam.Start(Seam.Instance()));
    }

    /// <summary>The pool resets nothing. A claim that is lost in a crash is made again; what was acknowledged must not be lost.</summary>
    [Fact]
    public async Task Session_of_a_claim_waits_for_the_disk_again_after_it()
    {
        await using var pools = await OpenPoolsAsync();
        await using (
            var note = pools.Plain.CreateCommand(
                $"""
                create or replace function public.note() returns trigger language plpgsql as $$ begin
                    perform set_config('a_test.of_claim', current_setting('synchronous_commit'), false);
                    return null; end $$;
                create trigger note after insert on {await TableAsync(pools.Plain, Collections.Claims)} for each row
                    execute function public.note()
                """
            )
        )
            await note.ExecuteNonQueryAsync(Token);
        await Backend.StartAsync("go");
        Assert.Equal(["go"], await pools.Backend.TakeAsync());

        Assert.Equal("off", await SettingAsync(pools.Hot, "a_test.of_claim"));
        Assert.Equal("on", await SettingAsync(pools.Hot, "synchronous_commit"));
    }

    [Fact]
    public async Task Sessions_of_a_server_that_has_become_a_standby_are_given_up()
    {
        await using var pools = await OpenPoolsAsync();
        await pools.Backend.TakeCensusAsync(Token);
        foreach (var pool in (NpgsqlDataSource[])[pools.Hot, pools.Plain])
        {
            await using var demote = pool.CreateCommand("set default_transaction_read_only = on");
            await demote.ExecuteNonQueryAsync(Token);
            Assert.Equal("on", await SettingAsync(pool, "default_transaction_read_only"));
        }

        var error = await BackendFails(() => pools.Backend.SubmitAsync(Seam.Start(Seam.Instance())));
        await pools.Backend.SubmitAsync(Seam.Start(Seam.Instance()));

        Assert.True(error.IsTransient, error.Message);
        Assert.Equal("off", await SettingAsync(pools.Plain, "default_transaction_read_only"));
    }

    [Fact]
    public async Task Transaction_that_the_server_has_undone_for_a_conflict_is_tried_again()
    {
        await using var pools = await OpenPoolsAsync();
        await using (
            var conflict = pools.Plain.CreateCommand(
                $"""
                create sequence public.met;
                create function public.meet() returns trigger language plpgsql as $$ begin
                    if nextval('public.met') = 1 then raise exception 'met' using errcode = '40001'; end if;
                    return null; end $$;
                create constraint trigger meet after insert on {await TableAsync(pools.Plain, Collections.Instances)}
                    deferrable initially deferred for each row execute function public.meet()
                """
            )
        )
            await conflict.ExecuteNonQueryAsync(Token);

        await pools.Backend.SubmitAsync(Seam.Start(Seam.Instance()));

        Assert.Equal(1, pools.Backend.Retries);
    }

    [Fact]
    public async Task Extension_does_not_wait_behind_writes()
    {
        await using var pools = await OpenPoolsAsync();
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var lease = Seam.Lease(instance.Id, token: 1, FromMinutes(5));
        await pools.Backend.SubmitAsync(Seam.Start(instance, lease));
        await using var taken = await pools.Hot.OpenConnectionAsync(Token);

        Assert.Empty(await pools.Backend.ExtendLeasesAsync([new(instance.Id, lease.Id, 1)], FromMinutes(5), Token));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Places_of_two_thousand_that_were_taken_are_freed(bool areMessages)
    {
        const int Count = 2_000;
        var queue = (IMessageQueue)Backend;
        var instance = await Backend.StartAsync();
        await Backend.MaintainAsync(Token);
        if (areMessages)
            await queue.SendAsync([.. Range(0, Count).Select(_ => new Message { Id = Guid.CreateVersion7() })], Token);
        else
            await Backend.SubmitAsync([.. Range(0, Count).Select(_ => Seam.Publish(instance.Id))]);
        for (var taken = 0; taken < Count;)
        {
            var outcome = areMessages
                ? await queue.ReceiveAsync(Count, static _ => { }, Token)
                : await Backend.ProcessAsync(Count, Seam.Count, Token);
            taken += outcome.Signals;
        }

        await Backend.MaintainAsync(Token);

        await using var source = NpgsqlDataSource.Create(Schema.ConnectionString!);
        var signals = await TableAsync(source, Collections.Signals);
        await using var count = source.CreateCommand($"select pg_stat_get_vacuum_count('{signals}'::regclass)");
        Assert.Equal(1L, await count.ExecuteScalarAsync(Token));
    }

    /// <summary>Has the server raise an error for each old document of this instance that a statement meets.</summary>
    private async Task RefuseAsync(string operation, string collection, Guid instanceId)
    {
        await using var source = NpgsqlDataSource.Create(Schema.ConnectionString!);
        await using var trigger = source.CreateCommand(
            $"""
            create or replace function public.refuse() returns trigger language plpgsql as $$ begin
                raise exception 'no more of this'; end $$;
            create trigger refuse before {operation} on {await TableAsync(source, collection)} for each row
                when (position('\x{Convert.ToHexString(instanceId.ToByteArray(bigEndian: true))}'::bytea
                    in documentdb_core.bson_to_bytea(old.document)) > 0)
                execute function public.refuse()
            """
        );
        await trigger.ExecuteNonQueryAsync(Token);
    }

    private async Task<Pools> OpenPoolsAsync()
    {
        await using var database = Schema.Open();
        return new(Schema.ConnectionString!, database.Name);
    }

    private async Task<string> TableAsync(NpgsqlDataSource source, string collection)
    {
        await using var database = Schema.Open();
        await using var find = source.CreateCommand(
            "select collection_id from documentdb_api_catalog.collections where database_name = $1 and collection_name = $2"
        );
        find.Parameters.Add(new() { Value = database.Name });
        find.Parameters.Add(new() { Value = collection });
        return $"documentdb_data.documents_{await find.ExecuteScalarAsync(Token)}";
    }

    private static async Task<string> SettingAsync(NpgsqlDataSource pool, string name)
    {
        await using var show = pool.CreateCommand($"show {name}");
        return (string)(await show.ExecuteScalarAsync(Token))!;
    }

    private static async Task<bool> IsWaitedForAsync(NpgsqlDataSource source, int process)
    {
        await using var command = source.CreateCommand(
            "select exists (select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))"
        );
        command.Parameters.Add(new() { Value = process });
        return (bool)(await command.ExecuteScalarAsync(Token))!;
    }

    /// <summary>A backend with one connection for claims and writes, and the pools that it uses.</summary>
    private sealed class Pools : IAsyncDisposable
    {
        private readonly ConcurrentDictionary<string, NpgsqlDataSource> _sources = new();

        public Pools(string connectionString, string database) =>
            Backend = new(new DocumentDbDatabase(connectionString, database, OneConnection, connections: 1));

        public MongoDbWorkflowBackend Backend { get; }

        /// <summary>For claims and writes.</summary>
        public NpgsqlDataSource Hot => Of("serdica-perf");

        public NpgsqlDataSource Plain => Of("serdica-perf-admin");

        public async ValueTask DisposeAsync()
        {
            await Backend.DisposeAsync();
            foreach (var source in _sources.Values)
                await source.DisposeAsync();
        }

        private NpgsqlDataSource OneConnection(string text) =>
            _sources.GetOrAdd(text, static text => NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(text) { MaxPoolSize = 1 }));

        /// <summary>Leases have the same name, and more connections.</summary>
        private NpgsqlDataSource Of(string name) =>
            _sources
                .Select(static entry => (Settings: new NpgsqlConnectionStringBuilder(entry.Key), Source: entry.Value))
                .Where(pool => pool.Settings.ApplicationName == name)
                .MinBy(static pool => pool.Settings.MaxPoolSize)
                .Source;
    }
}
