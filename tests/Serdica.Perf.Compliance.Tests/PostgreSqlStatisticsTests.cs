namespace Serdica.Perf.Compliance;

/// <summary>What is done to a server is what its statistics tell.</summary>
public sealed class PostgreSqlStatisticsTests(PostgreSqlCountedServer fixture) : IClassFixture<PostgreSqlCountedServer>, IAsyncLifetime
{
    private PostgreSqlTestDatabase _database = null!;
    private PostgreSqlStatistics _statistics = null!;

    public async ValueTask InitializeAsync()
    {
        _database = await PostgreSqlTestDatabase.CreateAsync(fixture, Token);
        _statistics = new PostgreSqlStatistics(_database.Options);
    }

    public async ValueTask DisposeAsync()
    {
        // Both are there unless the test was skipped for want of a server.
        if (_statistics is not null)
            await _statistics.DisposeAsync();
        if (_database is not null)
            await _database.DisposeAsync();
    }

    [Fact]
    public async Task A_known_number_of_rows_and_transactions_is_told_exactly()
    {
        SkipBeforeExactReports();
        await using var connection = await _database.OpenAsync("a-test");
        await ExecuteAsync(connection, $"create schema {_database.Options.Schema}");
        await ExecuteAsync(
            connection,
            $"create table {_database.Options.Schema}.item (id int primary key, text text) with (fillfactor = 50, autovacuum_enabled = off)"
        );
        await ReportAsync(connection);
        var before = await FullAsync();

        for (var i = 0; i < 7; i++)
            await ExecuteAsync(
                connection,
                $"insert into {_database.Options.Schema}.item select g, 'old' from generate_series({i * 10}, {i * 10 + 9}) g"
            );
        await ExecuteAsync(connection, $"update {_database.Options.Schema}.item set text = 'new' where id < 5");
        await ExecuteAsync(connection, $"delete from {_database.Options.Schema}.item where id >= 67");
        for (var i = 0; i < 4; i++)
            await ExecuteAsync(connection, "begin; select 1; rollback");
        await ReportAsync(connection);

        var since = (await FullAsync()).Since(before);
        Assert.Equal(
            (70, 5, 3, 78, 5),
            (
                Value(since, "rowsInserted"),
                Value(since, "rowsUpdated"),
                Value(since, "rowsDeleted"),
                Value(since, "rowsTouched"),
                Value(since, "rowsHotUpdated")
            )
        );
        Assert.Equal((8, 62 + 5), (Value(since, "deadRows"), Value(since, "liveRows")));

        // Nine statements that wrote and the one that had the counts handed over; nothing of the statistics' own.
        Assert.Equal((10, 4), (Value(since, "commits"), Value(since, "rollbacks")));
        Assert.InRange(Value(since, "writingCommits"), 9, double.MaxValue);
        Assert.InRange(Value(since, "walBytes"), 78 * 30, double.MaxValue);
        Assert.InRange(Value(since, "logicalReads"), 78, double.MaxValue);
        Assert.InRange(Value(since, "tableBytes"), 8_192, double.MaxValue);
        Assert.InRange(Value(since, "indexBytes"), 8_192, double.MaxValue);
    }

    [Fact]
    public async Task The_log_since_the_last_checkpoint_grows_with_writes_and_shrinks_with_a_checkpoint()
    {
        await using var connection = await _database.OpenAsync("a-test");
        await ExecuteAsync(connection, $"create schema {_database.Options.Schema}");
        await ExecuteAsync(connection, $"create table {_database.Options.Schema}.item (id int, text text)");
        await ExecuteAsync(connection, "checkpoint");
        var before = (await FullAsync()).Values["walSinceCheckpoint"];

        await ExecuteAsync(
            connection,
            $"insert into {_database.Options.Schema}.item select g, repeat('x', 100) from generate_series(1, 10000) g"
        );
        var written = (await FullAsync()).Values["walSinceCheckpoint"];
        await ExecuteAsync(connection, "checkpoint");
        var after = (await FullAsync()).Values["walSinceCheckpoint"];

        Assert.Equal(("bytes", true), (written.Unit, written.IsGauge));
        Assert.True(written.Value - before.Value >= 10_000 * 100, $"{before.Value} bytes became {written.Value}.");
        Assert.True(after.Value < written.Value - (10_000 * 100), $"{written.Value} bytes became {after.Value}.");
    }

    [Fact]
    public async Task The_sessions_of_a_watched_backend_hand_over_what_they_have_done()
    {
        SkipBeforeExactReports();
        await using var backend = new PostgreSqlWorkflowBackend(_database.Options);
        await backend.InitializeAsync(Token);
        _statistics.Watch(backend);
        await backend.SubmitAsync(Seam.Start(Seam.Instance()));
        var before = await FullAsync();

        for (var i = 0; i < 20; i++)
        {
            var instance = await backend.StartAsync("go");
        }

        // All signals in one claim: 20 instances are updated and 20 signals deleted.
        await backend.ProcessAsync(100, Seam.Count, Token);
        var after = await FullAsync();
        var since = after.Since(before);

        Assert.Equal((40, 20, 20), (Value(since, "rowsInserted"), Value(since, "rowsUpdated"), Value(since, "rowsDeleted")));
        Assert.Equal(TimeSpan.Zero, after.Values["rowsInserted"].Lag);

        // Twenty submissions and the claim; what the statistics asked the backend's sessions is not among them.
        Assert.Equal(21, Value(since, "commits"));

        // The claim takes two.
        Assert.Equal(22, Value(since, "roundTrips"));
    }

    [Theory]
    [InlineData(32 << 20, 1)]
    [InlineData(0, 2)]
    public async Task A_signal_to_a_known_instance_takes_one_round_trip_and_another_two(int knownBytes, int expected)
    {
        await using var backend = new PostgreSqlWorkflowBackend(_database.Options with { KnownInstanceBytes = knownBytes });
        await backend.InitializeAsync(Token);
        var instance = await backend.StartAsync();
        await backend.SubmitDirectAsync(Seam.Publish(instance.Id));
        using var roundTrips = new PostgreSqlRoundTrips(_database.Options.ConnectionString);
        using var others = new PostgreSqlRoundTrips($"{_database.Options.ConnectionString};Database=another");

        await backend.SubmitDirectAsync(Seam.Publish(instance.Id));

        Assert.Equal((expected, 0), (roundTrips.Count, others.Count));
        Assert.Equal(2, (await backend.FindAsync(instance.Id, Token))!.Version);
    }

    [Fact]
    public async Task A_watched_backend_that_is_disposed_has_handed_over()
    {
        var backend = new PostgreSqlWorkflowBackend(_database.Options);
        await backend.InitializeAsync(Token);
        _statistics.Watch(backend);
        var before = await FullAsync();
        await backend.SubmitAsync(Seam.Start(Seam.Instance()));
        await backend.DisposeAsync();

        var after = await FullAsync();

        // Where a session cannot be made to report, nobody knows when ended sessions reported their counts.
        Assert.Equal(_database.MajorVersion < 15 ? FromSeconds(1) : TimeSpan.Zero, after.Values["rowsInserted"].Lag);
        Assert.InRange(Value(after.Since(before), "writingCommits"), 1, double.MaxValue);
    }

    [Fact]
    public async Task What_nobody_hands_over_lags()
    {
        var snapshot = await FullAsync();

        Assert.Equal(FromSeconds(1), snapshot.Values["commits"].Lag);
        Assert.Equal(TimeSpan.Zero, snapshot.Values["walBytes"].Lag);
    }

    [Fact]
    public async Task The_statistics_own_commits_and_sessions_are_left_out()
    {
        SkipBeforeExactReports();
        var before = await FullAsync();
        for (var i = 0; i < 10; i++)
            await _statistics.TakeSnapshotAsync(SnapshotDepth.Sample, Token);

        var since = (await FullAsync()).Since(before);

        Assert.Equal((0, 0), (Value(since, "commits"), Value(since, "rollbacks")));
        Assert.Equal((0, 0), (Value(since, "connections"), Value(since, "roundTrips")));
        Assert.InRange(Value(since, "collectorTime"), double.Epsilon, double.MaxValue);
        if (OperatingSystem.IsLinux())
            Assert.InRange(Value(since, "collectorCpu"), 0, double.MaxValue);
    }

    [Fact]
    public async Task A_session_that_waits_for_a_row_is_a_lock_wait()
    {
        await using var holder = await _database.OpenAsync("a-test");
        await ExecuteAsync(holder, "create table held (id int)");
        await ExecuteAsync(holder, "insert into held values (1)");
        await FullAsync();
        await ExecuteAsync(holder, "begin");
        await ExecuteAsync(holder, "update held set id = 2");
        await using var waiter = await _database.OpenAsync(PostgreSqlConnections.HotName);
        var waiting = ExecuteAsync(waiter, "update held set id = 3");

        var found = await UntilAsync(
            snapshot => snapshot.Waits.FirstOrDefault(wait => wait.Class == "Lock"),
            "The lock wait was not sampled."
        );
        var during = await FullAsync();
        await ExecuteAsync(holder, "commit");
        await waiting;

        Assert.Equal("transactionid", found.Name);
        Assert.True(found is { Microseconds: > 0, Count: > 0 }, found.ToString());
        Assert.Equal(1, during.Values["sessionsWaitingForLocks"].Value);
        Assert.InRange(during.Values["oldestTransactionAge"].Value!.Value, double.Epsilon, double.MaxValue);
    }

    [Fact]
    public async Task Waits_are_of_the_engines_sessions_and_an_idle_one_does_not_wait()
    {
        await using var idle = await _database.OpenAsync(PostgreSqlConnections.HotName);
        await using var stranger = await _database.OpenAsync("somebody-else");
        var sleeping = ExecuteAsync(stranger, "select pg_sleep(60)");
        await FullAsync();
        var begin = Stopwatch.GetTimestamp();

        var snapshot = await UntilAsync(
            snapshot => snapshot.Values["sessionIdleTime"].Value > 50_000 ? snapshot : null,
            "The idle session was not seen."
        );

        Assert.InRange(
            snapshot.Values["sessionIdleTime"].Value!.Value,
            50_000,
            (Stopwatch.GetElapsedTime(begin) + HangGuard.Limit).TotalMicroseconds
        );
        Assert.Empty(snapshot.Waits);
        Assert.Null(snapshot.WaitsMissing);

        await ExecuteAsync(idle, $"select pg_cancel_backend({stranger.ProcessID})");
        await Assert.ThrowsAsync<PostgresException>(() => sleeping);
    }

    [Fact]
    public async Task Time_between_two_samples_is_what_the_second_stands_for()
    {
        await using var sleeper = await _database.OpenAsync(PostgreSqlConnections.HotName);
        var begin = Stopwatch.GetTimestamp();
        var before = await FullAsync();

        await ExecuteAsync(sleeper, "select pg_sleep(3)");
        var since = (await FullAsync()).Since(before);

        // However late the samples were, they add up to the time the session slept, but for one at each end.
        var slept = Assert.Single(since.Waits, wait => wait.Name == "PgSleep");
        Assert.InRange(slept.Microseconds, 1, Stopwatch.GetElapsedTime(begin).TotalMicroseconds);
        Assert.Equal("Timeout", slept.Class);
    }

    [Fact]
    public async Task That_activities_are_not_tracked_is_said_when_no_session_tells_any()
    {
        await using var silent = await _database.OpenAsync(PostgreSqlConnections.HotName);
        await ExecuteAsync(silent, "set track_activities = off");
        var before = await FullAsync();
        Assert.Contains("track_activities is off", before.WaitsMissing);
        Assert.Empty(before.Waits);

        await using var telling = await _database.OpenAsync(PostgreSqlConnections.HotName);
        await ExecuteAsync(telling, "select pg_sleep(0.1)");

        Assert.Null((await FullAsync()).WaitsMissing);
    }

    [Fact]
    public async Task Statements_are_told_where_the_extension_is_and_without_the_statistics_own()
    {
        Assert.Contains("create extension pg_stat_statements", (await FullAsync()).StatementsMissing);
        await CreateStatementsAsync();
        await using var statistics = new PostgreSqlStatistics(_database.Options);
        await using var connection = await _database.OpenAsync("a-test");
        await ExecuteAsync(connection, $"create schema {_database.Options.Schema}");
        await ExecuteAsync(connection, $"create table {_database.Options.Schema}.item (id int)");
        var before = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);

        for (var i = 0; i < 5; i++)
            await ExecuteAsync(connection, $"insert into {_database.Options.Schema}.item\n  values ({i}), (8)");
        var since = (await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token)).Since(before);

        var insert = Assert.Single(since.Statements);
        Assert.Equal("insert into item values ($1), ($2)", insert.Text);
        Assert.Equal((5, 10), (insert.Calls, insert.Rows));
        Assert.True(insert is { Milliseconds: > 0, LogBytes: > 0 }, insert.ToString());
        Assert.Null(since.StatementsMissing);
    }

    [Fact]
    public async Task The_profile_of_pg_wait_sampling_is_used_where_it_is()
    {
        // The extension is not packaged everywhere: a view with its name and columns stands in for it.
        await _database.ExecuteAsync("create table profile (pid int, event_type text, event text, queryid bigint, count bigint)");
        await _database.ExecuteAsync("create view pg_wait_sampling_profile as select * from profile");
        await using var engine = await _database.OpenAsync(PostgreSqlConnections.HotName);
        await ExecuteAsync(
            engine,
            $"insert into profile values ({engine.ProcessID}, 'IO', 'WALSync', 1, 3), ({engine.ProcessID}, 'IO', 'WALSync', 2, 4), "
                + $"({engine.ProcessID}, 'Client', 'ClientRead', 0, 9), (0, 'IO', 'WALSync', 0, 100)"
        );

        var snapshot = await FullAsync();

        Assert.Equal([new WaitTime("IO", "WALSync", 7 * 10_000, 7)], snapshot.Waits);
        Assert.Null(snapshot.WaitsMissing);
    }

    [Fact]
    public async Task A_server_that_ends_the_connection_is_asked_over_another_one_next_time()
    {
        await FullAsync();
        await _database.ExecuteAsync(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = "
                + "'serdica-perf-statistics'"
        );

        await BackendFails(FullAsync);
        var snapshot = await FullAsync();

        Assert.NotNull(snapshot.Values["commits"].Value);
        Assert.StartsWith("PostgreSQL could not sample", snapshot.WaitsMissing);
    }

    private Task<StatisticsSnapshot> FullAsync() => _statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);

    private static double Value(StatisticsSnapshot snapshot, string name) =>
        snapshot.Values[name].Value ?? throw new InvalidOperationException($"{name}: {snapshot.Values[name].Missing}");

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(Token);
    }

    private static Task ReportAsync(NpgsqlConnection connection) =>
        // Nothing is handed over unless a relation was read: a pause of a second before may have had the rest handed over.
        ExecuteAsync(connection, "select pg_stat_force_next_flush() from pg_namespace limit 1");

    private void SkipBeforeExactReports() =>
        Assert.SkipWhen(_database.MajorVersion < 15, "Before version 15 a session cannot be made to report its counts.");

    private async Task CreateStatementsAsync()
    {
        await using var connection = await _database.OpenAsync("a-test");
        await using var command = new NpgsqlCommand("show shared_preload_libraries", connection);
        if (!((string)(await command.ExecuteScalarAsync(Token))!).Contains("pg_stat_statements"))
            Assert.Skip("This server has not loaded pg_stat_statements.");
        await ExecuteAsync(connection, "create extension pg_stat_statements");
    }

    private Task<T> UntilAsync<T>(Func<StatisticsSnapshot, T?> find, string otherwise)
        where T : class => HangGuard.FindAsync(async () => find(await FullAsync()), () => otherwise);
}
