namespace Serdica.Perf.Compliance;

/// <summary>Vacuums of a busy schema, on a server that makes none itself.</summary>
public sealed class PostgreSqlHousekeepingTests(PostgreSqlCountedServer fixture) : IClassFixture<PostgreSqlCountedServer>, IAsyncLifetime
{
    private readonly ManualTimeProvider _clock = new();
    private readonly LogList<PostgreSqlWorkflowBackend> _log = new();
    private PostgreSqlTestDatabase _database = null!;
    private PostgreSqlWorkflowBackend _backend = null!;
    private InstanceRecord _instance = null!;

    public async ValueTask InitializeAsync()
    {
        _database = await PostgreSqlTestDatabase.CreateAsync(fixture, Token);
        _backend = new PostgreSqlWorkflowBackend(_database.Options, _log, _clock);
        await _backend.InitializeAsync(Token);
        _instance = Seam.Instance();
        await _backend.SubmitAsync(Seam.Start(_instance));
    }

    public async ValueTask DisposeAsync()
    {
        if (_backend is not null)
            await _backend.DisposeAsync();
        if (_database is not null)
            await _database.DisposeAsync();
    }

    [Fact]
    public async Task Vacuum_runs_after_two_thousand_signals_and_not_before()
    {
        await HandleAsync(1_999);
        await _backend.MaintainAsync(Token);
        Assert.Equal(0, await VacuumsAsync());

        await HandleAsync(1);
        await _backend.MaintainAsync(Token);

        Assert.Equal((1, 1), (await VacuumsAsync(), await VacuumsAsync("message")));
    }

    [Fact]
    public async Task Vacuum_pauses_while_an_old_snapshot_makes_it_useless()
    {
        // More than half of what was taken is left.
        await HandleAsync(800);
        await using var holder = await HoldSnapshotAsync();
        await HandleAsync(1_200);
        await using var younger = await HoldSnapshotAsync();
        await _backend.MaintainAsync(Token);
        Assert.Equal(1, await VacuumsAsync());
        Assert.Matches($"has left 1200 dead rows: .* that of session {holder.ProcessID};", Assert.Single(_log.Lines));
        await younger.DisposeAsync();

        await HandleAsync(2_000);
        Assert.Equal(1, await WithoutEffectAsync());
        _clock.Advance(FromSeconds(4));
        await _backend.MaintainAsync(Token);
        Assert.Equal(1, await VacuumsAsync());

        _clock.Advance(FromSeconds(1));
        await _backend.MaintainAsync(Token);
        Assert.Equal(2, await VacuumsAsync());

        // Twice as long now, and no pause any more once the snapshot is gone.
        await HandleAsync(2_000);
        _clock.Advance(FromSeconds(9));
        await _backend.MaintainAsync(Token);
        Assert.Equal(2, await VacuumsAsync());
        await using (var release = new NpgsqlCommand("commit", holder))
            await release.ExecuteNonQueryAsync(Token);
        _clock.Advance(FromSeconds(1));
        await _backend.MaintainAsync(Token);
        Assert.Equal(3, await VacuumsAsync());
        await HandleAsync(2_000);
        await _backend.MaintainAsync(Token);
        Assert.Equal(4, await VacuumsAsync());
        Assert.Equal(2, await WithoutEffectAsync());
        Assert.Single(_log.Lines);

        // Another session is reported as well.
        await using var another = await HoldSnapshotAsync();
        await HandleAsync(2_000);
        await _backend.MaintainAsync(Token);
        Assert.Equal(2, _log.Lines.Count);
    }

    [Fact]
    public async Task Vacuum_that_another_one_keeps_from_the_signals_is_not_judged_and_comes_again()
    {
        await using var other = await _database.OpenAsync("a-test");
        await using (
            var hold = new NpgsqlCommand($"begin; lock table {_database.Options.Schema}.signal in share update exclusive mode", other)
        )
            await hold.ExecuteNonQueryAsync(Token);
        await HandleAsync(2_000);
        if (_database.MajorVersion >= PostgreSqlStatisticsSession.CanForceReports)
            await _backend.ReportStatisticsAsync(Token);
        await _backend.MaintainAsync(Token);
        Assert.Equal(0, await VacuumsAsync());
        Assert.Equal(0, await WithoutEffectAsync());
        await using (var release = new NpgsqlCommand("commit", other))
            await release.ExecuteNonQueryAsync(Token);

        await _backend.MaintainAsync(Token);

        Assert.Equal(1, await VacuumsAsync());
    }

    [Fact]
    public async Task Vacuum_pauses_for_a_multiple_of_the_time_that_it_took()
    {
        // A clock that moves on by three seconds each time that it is asked: that long a vacuum takes, at the least.
        var slow = new SlowClock(_clock);
        await using var backend = new PostgreSqlWorkflowBackend(_database.Options, NullLogger.Instance, slow);
        await HandleAsync(2_000, backend);
        slow.Step = FromSeconds(3);
        await backend.MaintainAsync(Token);
        slow.Step = TimeSpan.Zero;
        Assert.Equal(1, await VacuumsAsync());

        await HandleAsync(2_000, backend);
        _clock.Advance(FromSeconds(59));
        await backend.MaintainAsync(Token);
        Assert.Equal(1, await VacuumsAsync());

        _clock.Advance(FromMinutes(5));
        await backend.MaintainAsync(Token);
        Assert.Equal(2, await VacuumsAsync());
    }

    private async Task<NpgsqlConnection> HoldSnapshotAsync()
    {
        var holder = await _database.OpenAsync("a-test");
        await using var hold = new NpgsqlCommand("begin isolation level repeatable read; select count(*) from pg_class", holder);
        await hold.ExecuteNonQueryAsync(Token);
        return holder;
    }

    private async Task HandleAsync(int signals, PostgreSqlWorkflowBackend? by = null)
    {
        await _backend.SubmitAsync([.. Range(0, signals).Select(_ => Seam.Publish(_instance.Id))]);
        Assert.Equal(signals, (await (by ?? _backend).TakeAsync(signals)).Count);
    }

    /// <summary>As a run's report shows it.</summary>
    private async Task<double?> WithoutEffectAsync()
    {
        await using var statistics = new PostgreSqlStatistics(_database.Options);
        statistics.Watch(_backend);
        return (await statistics.TakeSnapshotAsync(SnapshotDepth.Sample, Token)).Values["vacuumsWithoutEffect"].Value;
    }

    private async Task<long> VacuumsAsync(string table = "signal")
    {
        await using var connection = await _database.OpenAsync("a-test");
        await using var command = new NpgsqlCommand(
            $"select pg_stat_get_vacuum_count('{_database.Options.Schema}.{table}'::regclass)",
            connection
        );
        return (long)(await command.ExecuteScalarAsync(Token))!;
    }

    private sealed class SlowClock(ManualTimeProvider clock) : TimeProvider
    {
        public TimeSpan Step { get; set; }

        public override long TimestampFrequency => clock.TimestampFrequency;

        public override long GetTimestamp()
        {
            clock.Advance(Step);
            return clock.GetTimestamp();
        }
    }
}
