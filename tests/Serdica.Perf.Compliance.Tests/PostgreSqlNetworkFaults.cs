namespace Serdica.Perf.Compliance;

/// <summary>Networks that fail between the engine and PostgreSQL: connections that fall silent, and ends without notice.</summary>
public sealed class PostgreSqlNetworkFaults(PostgreSqlFixture fixture) : PostgreSqlSchemaFaults(fixture), IAsyncLifetime
{
    /// <summary>Ends a call that hangs; far beyond the limits that the tests set.</summary>
    private static readonly TimeSpan Hung = FromMinutes(1);

    private FaultProxy _proxy = null!;
    private PostgreSqlWorkflowBackend _proxied = null!;

    async ValueTask IAsyncLifetime.InitializeAsync()
    {
        await InitializeAsync();
        var server = new NpgsqlConnectionStringBuilder(Options.ConnectionString);
        _proxy = new FaultProxy(server.Host!, server.Port);
        _proxied = Proxied();
    }

    async ValueTask IAsyncDisposable.DisposeAsync()
    {
        if (_proxied is not null)
            await _proxied.DisposeAsync();
        if (_proxy is not null)
            await _proxy.DisposeAsync();
        await DisposeAsync();
    }

    [Fact]
    public async Task Write_over_a_silent_connection_fails_in_time_and_the_next_one_goes_through()
    {
        await _proxied.SubmitAsync(Seam.Start(Seam.Instance()));
        Assert.InRange(_proxy.Silence(), 1, int.MaxValue);

        var error = await BackendFails(() => _proxied.SubmitAsync(Seam.Start(Seam.Instance())).WaitAsync(Hung, Token));
        await _proxied.SubmitAsync(Seam.Start(Seam.Instance())).WaitAsync(Hung, Token);

        Assert.True(error.IsTransient, error.Message);
        Assert.Contains(error.GetBaseException().Message, error.Message);
    }

    [Fact]
    public async Task Connecting_to_a_server_that_does_not_answer_fails_in_time()
    {
        _proxy.SilenceAll();

        var error = await BackendFails(() => _proxied.SubmitAsync(Seam.Start(Seam.Instance())).WaitAsync(Hung, Token));
        _proxy.Heal();
        await _proxied.SubmitAsync(Seam.Start(Seam.Instance())).WaitAsync(Hung, Token);

        Assert.True(error is { IsTransient: true, NothingWritten: true }, error.Message);
    }

    /// <summary>A batch that is decided asks for its commit in a second round trip.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Reset_connection_is_named_and_replaced(bool isDirect)
    {
        var instance = Seam.Instance();
        await _proxied.SubmitAsync(Seam.Start(instance));
        _proxy.Reset();
        Task SubmitAsync() =>
            isDirect ? _proxied.SubmitDirectAsync(Seam.Publish(instance.Id)) : _proxied.SubmitAsync(Seam.Publish(instance.Id));

        var error = await BackendFails(SubmitAsync);
        await SubmitAsync();

        Assert.Equal((true, isDirect), (error.IsTransient, error.NothingWritten));
        Assert.Contains(error.GetBaseException().Message, error.Message);
    }

    [Fact]
    public async Task Extension_over_a_silent_connection_fails_while_the_lease_still_holds()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var signal = Seam.Lease(instance.Id, token: 1, FromMinutes(5));
        var lease = new ActivityLease(instance.Id, signal.Id, 1);
        await _proxied.SubmitAsync(Seam.Start(instance, signal));
        Assert.Empty(await ExtendAsync(lease));
        Assert.InRange(_proxy.Silence(), 1, int.MaxValue);

        var error = await BackendFails(() => ExtendAsync(lease));

        Assert.True(error.IsTransient, error.Message);
        Assert.Empty(await ExtendAsync(lease));
    }

    [Fact]
    public async Task Extension_does_not_wait_behind_questions()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var signal = Seam.Lease(instance.Id, token: 1, FromMinutes(5));
        await _proxied.SubmitAsync(Seam.Start(instance, signal));
        await using var connection = await OpenAsync();
        await using var hold = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"lock table {Options.Schema}.dead_letter in access exclusive mode");
        var questions = Range(0, 8).Select(_ => _proxied.TakeCensusAsync(Token)).ToArray();
        await Eventually(async () => await WaitingAsync() >= 4, "four questions wait for the table");

        Assert.Empty(await ExtendAsync(new ActivityLease(instance.Id, signal.Id, 1)));

        await hold.CommitAsync(Token);
        await Task.WhenAll(questions);
    }

    [Fact]
    public async Task Listener_whose_connection_fell_silent_tells_so_and_hears_again()
    {
        await HearsAsync();
        Assert.Equal(1, _proxy.Silence(connection => connection.HasSaid("listen compliance_")));

        var error = await BackendFails(async () =>
        {
            // Notifications from before may still be there.
            while (true)
                await _proxied.WaitForWorkAsync(FromMinutes(5), Token).WaitAsync(Hung, Token);
        });

        Assert.True(error.IsTransient, error.Message);
        await HearsAsync();
    }

    /// <summary>Whoever got the failure pauses, and must not find it again.</summary>
    [Fact]
    public async Task Failed_listener_is_replaced_while_nobody_waits()
    {
        await HearsAsync();
        var before = _proxy.Connections;
        _proxy.Reset();
        await BackendFails(async () =>
        {
            while (true)
                await _proxied.WaitForWorkAsync(FromMinutes(5), Token).WaitAsync(Hung, Token);
        });

        await Eventually(() => _proxy.Connections.Except(before).Any(one => one.HasSaid("listen compliance_")), "a new connection listens");

        var wait = () => _proxied.WaitForWorkAsync(FromMilliseconds(50), Token);
        await Eventually(async () => await Record.ExceptionAsync(wait) is null, "the failure ends");
    }

    [Fact]
    public async Task Instance_that_a_worker_holds_too_long_is_taken_by_another()
    {
        var instance = await Backend.StartAsync("go");
        using var taken = new ManualResetEventSlim();
        using var claimed = new ManualResetEventSlim();

        var held = Task.Run(() =>
            _proxied.ProcessAsync(
                10,
                batch =>
                {
                    claimed.Set();
                    Assert.True(taken.Wait(Hung, Token), "Nobody took the instance.");
                    return Seam.Count(batch);
                },
                Token
            )
        );
        Assert.True(claimed.Wait(Hung, Token), "The claim did not come.");
        await Eventually(async () => (await Backend.TakeAsync()).Count > 0, "another worker has taken the instance");
        taken.Set();

        var error = await BackendFails(() => held);
        Assert.True(error.IsTransient, error.Message);
        Assert.Equal(1, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Instance_of_a_worker_whose_connection_falls_silent_is_taken_by_another()
    {
        var instance = await Backend.StartAsync("go");

        var lost = _proxied.ProcessAsync(10, Seam.CountAfter(_ => _proxy.Silence()), Token);

        await BackendFails(() => lost.WaitAsync(Hung, Token));
        await Eventually(async () => (await Backend.TakeAsync()).Count > 0, "another worker has taken the instance");
        Assert.Equal(1, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Session_of_a_server_that_has_become_a_standby_is_given_up()
    {
        await _proxied.SubmitAsync(Seam.Start(Seam.Instance()));
        await ExecuteAsync($"create table {Schema}.demoted as select pid from pg_stat_activity where application_name = 'serdica-perf'");
        await TriggerAsync(
            $"before insert on {Schema}.instance for each row",
            $"if exists (select from {Schema}.demoted d where d.pid = pg_backend_pid()) then "
                + "raise 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; end if"
        );

        var error = await BackendFails(() => _proxied.SubmitAsync(Seam.Start(Seam.Instance())));
        await _proxied.SubmitAsync(Seam.Start(Seam.Instance()));

        Assert.True(error.IsTransient, error.Message);
    }

    [Fact]
    public async Task Sessions_end_with_the_lifetime_of_connections()
    {
        await using var backend = Proxied(";Connection Lifetime=1");
        await backend.SubmitAsync(Seam.Start(Seam.Instance()));
        var first = Assert.Single(_proxy.Connections);

        await Eventually(
            async () =>
            {
                await backend.SubmitAsync(Seam.Start(Seam.Instance()));
                return !_proxy.Connections.Contains(first);
            },
            "the session has been replaced"
        );
    }

    [Fact]
    public async Task Sessions_that_nobody_has_needed_for_five_minutes_are_closed()
    {
        var time = new ManualTimeProvider();
        await using var backend = Proxied(time: time);
        await backend.StartAsync();
        time.Advance(FromSeconds(299));
        await backend.MaintainAsync(Token);
        Assert.Single(_proxy.Connections);

        time.Advance(FromSeconds(1));
        await backend.MaintainAsync(Token);

        await Eventually(() => _proxy.Connections.Count == 0, "the session is closed");
    }

    private PostgreSqlWorkflowBackend Proxied(string more = "", TimeProvider? time = null)
    {
        var settings = new NpgsqlConnectionStringBuilder(Options.ConnectionString) { Host = "127.0.0.1", Port = _proxy.Port };
        return new PostgreSqlWorkflowBackend(
            Options with
            {
                ConnectionString = settings.ConnectionString + more,
                SubmitTimeout = FromSeconds(8),
                ClaimTimeout = FromSeconds(8),
                ListenHeartbeat = FromSeconds(3),
            },
            logger: null,
            time ?? TimeProvider.System
        );
    }

    private Task<IReadOnlyList<ActivityLease>> ExtendAsync(ActivityLease lease) =>
        _proxied.ExtendLeasesAsync([lease], FromMinutes(5), Token).WaitAsync(Hung, Token);

    /// <summary>Notifies until it is heard over the proxy.</summary>
    private async Task HearsAsync()
    {
        var waiting = _proxied.WaitForWorkAsync(FromMinutes(5), Token);
        await Eventually(
            async () =>
            {
                // There may be no connection yet, or not again.
                if (waiting.IsFaulted)
                    waiting = _proxied.WaitForWorkAsync(FromMinutes(5), Token);
                await Backend.NotifyWorkAsync(Token);
                return waiting.IsCompletedSuccessfully;
            },
            "the listener hears"
        );
    }

    private async Task<long> WaitingAsync()
    {
        await using var connection = await OpenAsync();
        return await ScalarAsync<long>(
            connection,
            $"select count(*) from pg_locks where not granted and relation = '{Schema}.dead_letter'::regclass"
        );
    }
}
