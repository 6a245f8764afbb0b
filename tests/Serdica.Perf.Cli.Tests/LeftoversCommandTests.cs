namespace Serdica.Perf.Cli.Tests;

/// <summary>What a killed run leaves on an external server is found by its marker and dropped; nothing else ever is.</summary>
public sealed class LeftoversCommandTests : CliTests
{
    [Fact]
    public async Task The_store_of_a_killed_run_is_dropped_when_it_is_older_than_a_day()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var process = await KillRunAsync(server, Cli.Folder);
        var store = Assert.Single(await WholeProgram.SchemasAsync(server));

        var young = await RunAsync(server, FromHours(23), "--delete");
        Assert.Equal((ExitCodes.Success, ""), (young.ExitCode, young.Error));
        Assert.Contains(store, young.Output);
        Assert.Contains($"by process {process} on {Environment.MachineName}", young.Output);
        Assert.Contains($"for the run {Path.GetFileName(Cli.RunFolder)}", young.Output);
        Assert.Contains("dropped 0 of 0 stores that killed runs left; 1 store is kept.", young.Output);

        var listed = await RunAsync(server, FromHours(25));
        Assert.Equal(ExitCodes.Success, listed.ExitCode);
        Assert.Contains("postgresql: 1 store, 1 left by killed runs. Drop them with --delete.", listed.Output);
        Assert.Equal([store], await WholeProgram.SchemasAsync(server));

        var deleted = await RunAsync(server, FromHours(25), "--delete", "--backend", "postgresql");
        Assert.Equal(ExitCodes.Success, deleted.ExitCode);
        Assert.Contains("postgresql: dropped 1 of 1 store that killed runs left.", deleted.Output, Ordinal);
        Assert.Empty(await WholeProgram.SchemasAsync(server));
    }

    /// <summary>Each of these differs from a leftover in one point.</summary>
    [Fact]
    public async Task What_is_not_ours_stays()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        (string Schema, string Change)[] others =
        [
            ("serdica_perf_1", ""),
            ("serdica_perf_2", "comment on schema serdica_perf_2 is 'made by serdica_perf for tests'"),
            ("serdica_perf_3", """comment on schema serdica_perf_3 is '{"madeBy":"Serdica.Perf"}'"""),
            ("serdica_perf_4", $"{Old("serdica_perf_4").Replace("Serdica.Perf", "Another.Perf")}"),
            ("serdica_perf_5", $"{Old("serdica_perf_5")}; create role stranger; alter schema serdica_perf_5 owner to stranger"),
            ("serdica_perf-6", $"{Old("\"serdica_perf-6\"")}"),
            ("orders", Old("orders")),
            ("serdica_workflow", Old("serdica_workflow")),
        ];
        foreach (var (schema, change) in others)
            await ExecuteAsync(server, $"create schema \"{schema}\"; create table \"{schema}\".kept (id int); {change}");
        await ExecuteAsync(server, $"create schema serdica_perf_left; {Old("serdica_perf_left")}");

        var deleted = await RunAsync(server, FromDays(400), "--delete");

        Assert.Equal((ExitCodes.Success, ""), (deleted.ExitCode, deleted.Error));
        Assert.Contains("dropped 1 of 1 store that killed runs left; 5 stores are kept.", deleted.Output, Ordinal);
        Assert.DoesNotContain("serdica_perf_left", await WholeProgram.SchemasAsync(server));
        foreach (var (schema, _) in others)
            await ExecuteAsync(server, $"insert into \"{schema}\".kept values (1)");

        static string Old(string schema) => PostgreSqlStores.Mark(schema, StoreMarker.Of("a run", DateTimeOffset.UnixEpoch));
    }

    /// <summary>A host on another machine may lock tables in another order at this moment.</summary>
    [Fact]
    public async Task A_store_is_dropped_although_the_drop_meets_a_deadlock()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        await ExecuteAsync(server, "create schema serdica_perf_a; create table serdica_perf_a.one (); create table serdica_perf_a.two ()");
        await using var source = NpgsqlDataSource.Create(server.ConnectionString);
        await using var other = await source.OpenConnectionAsync(Token);
        async Task OfOtherAsync(string sql)
        {
            await using var command = new NpgsqlCommand(sql, other);
            await command.ExecuteNonQueryAsync(Token);
        }

        // The drop locks the oldest table first. Only it looks for deadlocks.
        await OfOtherAsync("set deadlock_timeout = '1h'; begin; lock serdica_perf_a.two in row share mode");
        var drop = new PostgreSqlStores(server.ConnectionString).DropAsync("serdica_perf_a", Token);
        await HangGuard.UntilAsync(() => HoldsAsync("one"), () => "The drop does not hold the oldest table.");
        await OfOtherAsync("lock serdica_perf_a.one in row share mode");
        await OfOtherAsync("commit");
        await drop;

        Assert.Empty(await WholeProgram.SchemasAsync(server));

        async Task<bool> HoldsAsync(string table)
        {
            await using var command = source.CreateCommand(
                $"select exists (select from pg_locks where granted and relation = 'serdica_perf_a.{table}'::regclass "
                    + "and mode = 'AccessExclusiveLock')"
            );
            return (bool)(await command.ExecuteScalarAsync(Token))!;
        }
    }

    [Fact]
    public async Task A_store_that_cannot_be_dropped_is_named_and_fails_the_command()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var mark = PostgreSqlStores.Mark("serdica_perf_left", StoreMarker.Of("a run", DateTimeOffset.UnixEpoch));
        await ExecuteAsync(
            server,
            $$"""
            create schema serdica_perf_left; {{mark}};
            create schema serdica_perf_other; {{mark.Replace("serdica_perf_left", "serdica_perf_other", Ordinal)}};
            create function refuse() returns event_trigger language plpgsql as $f$ begin
                if exists (select from pg_event_trigger_dropped_objects() where object_name = 'serdica_perf_left') then
                    raise 'It is protected.';
                end if;
            end $f$;
            create event trigger refuse on sql_drop execute function refuse();
            """
        );

        var deleted = await RunAsync(server, FromDays(400), "--delete");

        Assert.Equal(ExitCodes.Failed, deleted.ExitCode);
        Assert.Contains("The store serdica_perf_left on postgresql is still there: ", deleted.Error);
        Assert.Contains("It is protected.", deleted.Error);
        Assert.Contains("postgresql: dropped 1 of 2 stores that killed runs left.", deleted.Output);
    }

    [Fact]
    public async Task A_store_in_use_renews_its_marker_and_is_never_left()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var stores = new PostgreSqlStores(server.ConnectionString);
        var started = TimeProvider.System.GetUtcNow();
        await using (await HeldStore.MakeAsync(stores, HeldStore.NewName(PostgreSqlStores.Prefix), "a run", FromMilliseconds(20)))
        {
            var seen = await HangGuard.FindAsync(
                async () => (await FindOneAsync(stores)).Marker is { } marker && marker.SeenAt > marker.MadeAt ? marker : null,
                () => "The marker is not renewed."
            );

            Assert.Equal((Environment.ProcessId, "a run"), (seen.ProcessId, seen.Run));
            Assert.InRange(seen.MadeAt, started, seen.SeenAt);
            var store = await FindOneAsync(stores);
            Assert.Equal(StoreState.Recent, store.StateAt(store.Marker!.MadeAt + FoundStore.LeftAfter));
        }

        Assert.Empty(await stores.FindAsync(Token));
    }

    /// <summary>A run that lives, and whose server does not answer now and then, is none of those that were killed.</summary>
    [Fact]
    public void A_store_in_use_may_miss_some_renewals() => Assert.True(4 * HeldStore.Renewal < FoundStore.LeftAfter);

    /// <summary>Somebody may have dropped it by hand; a renewal is no reason to make it again, and no failure of the run.</summary>
    [Fact]
    public async Task A_store_that_was_dropped_meanwhile_does_not_come_back()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var stores = new PostgreSqlStores(server.ConnectionString);
        var tries = new CountingStores(stores);
        await using (var held = await HeldStore.MakeAsync(tries, HeldStore.NewName(PostgreSqlStores.Prefix), "a run", FromMilliseconds(20)))
        {
            await stores.DropAsync(held.Name, Token);
            var before = tries.Renewals;
            await HangGuard.UntilAsync(() => tries.Renewals > before + 2, () => "Renewals have ended.");
            Assert.Empty(await WholeProgram.SchemasAsync(server));
        }
    }

    [Fact]
    public async Task A_renewal_that_fails_is_tried_again_and_the_last_one_ends_before_the_store_is_dropped()
    {
        var stores = new SlowStores();
        var held = await HeldStore.MakeAsync(stores, "held", "a run", FromMilliseconds(1));
        await stores.Renewing.Task.WaitAsync(HangGuard.Limit, Token);

        var disposing = held.DisposeAsync();

        Assert.False(stores.IsDropped);
        stores.MayRenew.SetResult();
        await disposing;
        Assert.True(stores.IsDropped);
    }

    /// <summary>Names of hosts and runs come from outside and stand in a literal of SQL.</summary>
    [Fact]
    public async Task A_marker_is_read_back_whatever_is_in_it()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var stores = new PostgreSqlStores(server.ConnectionString);
        var marker = new StoreMarker(
            @"it's \'a\' run; --",
            "h\\'ost\"\n",
            7,
            DateTimeOffset.UnixEpoch,
            DateTimeOffset.UnixEpoch.AddHours(1)
        );

        await stores.MakeAsync("serdica_perf_quoted", marker);

        Assert.Equal(marker, (await FindOneAsync(stores)).Marker);
    }

    [Fact]
    public async Task Without_a_named_server_the_error_says_which_variable_to_set()
    {
        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("leftovers", "--delete"));
        Assert.Contains("set SERDICA_PERF_POSTGRESQL", Cli.Error);

        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("leftovers", "--backend", "documentdb"));
        Assert.Contains("documentdb: No server is named: set SERDICA_PERF_DOCUMENTDB", Cli.Error);
    }

    /// <summary>What operates an application is never looked at.</summary>
    [Fact]
    public async Task The_variable_of_an_application_is_not_used()
    {
        Cli.Variables["SERDICA_WORKFLOW_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("leftovers"));
    }

    [Fact]
    public async Task A_server_that_does_not_answer_is_an_error_and_its_password_is_not_printed()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1;Username=u;Password=gk7-secret";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("leftovers"));
        Assert.Contains("The stores on postgresql cannot be listed: ", Cli.Error);
        Assert.DoesNotContain("gk7-secret", Cli.Error + Cli.Output);
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("leftovers", "--backend", "postgresql,documentdb"));

        using var unreadable = new Cli();
        unreadable.Variables["SERDICA_PERF_POSTGRESQL"] = "Port=gk7-secret";
        Assert.Equal(ExitCodes.Usage, await unreadable.RunAsync("leftovers"));
        Assert.DoesNotContain("gk7-secret", unreadable.Error + unreadable.Output);
    }

    [Fact]
    public async Task A_connection_string_that_cannot_be_read_hides_no_other_server()
    {
        Cli.Variables["SERDICA_PERF_DOCUMENTDB"] = "Port=gk7-secret";
        Cli.Variables["SERDICA_PERF_MONGODB"] = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100";

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("leftovers"));

        const string Unreadable = "documentdb: its connection string cannot be read.";
        Assert.Matches($"^The stores on mongodb cannot be listed: .*\r?\n{Unreadable}\r?\n$", Cli.Error);
    }

    /// <returns>The number of the process.</returns>
    private static async Task<int> KillRunAsync(DatabaseServer server, string folder)
    {
        using var run = WholeProgram.Start(server, "load", "--rate", "50", "--duration", "1h", "--warmup", "0s", "--output", folder);
        try
        {
            _ = run.StandardOutput.ReadToEndAsync(Token);
            await HangGuard.UntilAsync(
                () =>
                {
                    Assert.False(run.HasExited, "It ended before its load had started.");
                    return Directory.EnumerateFiles(folder, "samples.ndjson", SearchOption.AllDirectories).Any();
                },
                () => "The load has not started."
            );
        }
        finally
        {
            // SIGKILL, where the system has signals.
            run.Kill();
            await run.WaitForExitAsync(Token);
        }

        return run.Id;
    }

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(
        DatabaseServer server,
        TimeSpan later,
        params string[] args
    )
    {
        await using var output = new StringWriter();
        await using var error = new StringWriter();
        var environment = new DatabaseEnvironment(name => name == "SERDICA_PERF_POSTGRESQL" ? server.ConnectionString : null);
        var command = new LeftoversCommand(output, error, environment, new LaterClock(later)).Command;
        var exitCode = await new RootCommand { command }.Parse(["leftovers", .. args]).InvokeAsync(cancellationToken: Token);
        return (exitCode, output.ToString(), error.ToString());
    }

    private static async Task<FoundStore> FindOneAsync(PostgreSqlStores stores) => Assert.Single(await stores.FindAsync(Token));

    private static async Task ExecuteAsync(DatabaseServer server, string sql)
    {
        await using var source = NpgsqlDataSource.Create(server.ConnectionString);
        await using var command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(Token);
    }

    /// <summary>The clock of somebody who looks later.</summary>
    private sealed class LaterClock(TimeSpan later) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => System.GetUtcNow() + later;
    }

    private sealed class CountingStores(IStoreServer stores) : IStoreServer
    {
        private int _renewals;

        public int Renewals => Volatile.Read(ref _renewals);

        public Task MakeAsync(string name, StoreMarker marker) => stores.MakeAsync(name, marker);

        public Task RenewAsync(string name, StoreMarker marker)
        {
            Interlocked.Increment(ref _renewals);
            return stores.RenewAsync(name, marker);
        }

        public Task<IReadOnlyList<FoundStore>> FindAsync(CancellationToken cancellationToken) => stores.FindAsync(cancellationToken);

        public Task DropAsync(string name, CancellationToken cancellationToken) => stores.DropAsync(name, cancellationToken);
    }

    /// <summary>The first renewal fails, and the second waits.</summary>
    private sealed class SlowStores : IStoreServer
    {
        private int _renewals;

        public TaskCompletionSource Renewing { get; } = new(RunContinuationsAsynchronously);

        public TaskCompletionSource MayRenew { get; } = new(RunContinuationsAsynchronously);

        public bool IsDropped { get; private set; }

        public Task MakeAsync(string name, StoreMarker marker) => Task.CompletedTask;

        public Task RenewAsync(string name, StoreMarker marker)
        {
            if (Interlocked.Increment(ref _renewals) == 1)
                throw new WorkflowBackendException("The server starts again.", isTransient: true);
            Renewing.TrySetResult();
            return MayRenew.Task;
        }

        public Task<IReadOnlyList<FoundStore>> FindAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task DropAsync(string name, CancellationToken cancellationToken)
        {
            IsDropped = true;
            return Task.CompletedTask;
        }
    }
}
