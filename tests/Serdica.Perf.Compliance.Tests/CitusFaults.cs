namespace Serdica.Perf.Compliance;

/// <summary>What happens to a distributed schema when a worker node dies, what two sessions do to each other, and how it commits.</summary>
public sealed class CitusFaults(CitusFaults.OwnCluster cluster)
    : WorkflowBackendCompliance(cluster.Fixture),
        IClassFixture<CitusFaults.OwnCluster>
{
    private const int Signals = 30;

    [Fact]
    public Task Nothing_is_lost_or_doubled_when_a_worker_node_crashes_and_comes_back() =>
        ProveAsync(async (nodes, _) => await CrashAsync(nodes.Workers[0]));

    /// <summary>Calls that have sessions on the workers need no coordinator.</summary>
    [Fact]
    public Task Work_goes_on_without_the_coordinator_and_nothing_is_lost_or_doubled() =>
        ProveAsync(
            async (nodes, acknowledged) =>
            {
                var coordinator = (LocalPostgreSqlServer)nodes.Nodes[0];
                await coordinator.Cluster.StopAsync(immediate: true, Token);
                var before = acknowledged();
                await Eventually(() => Task.FromResult(acknowledged() > before + Signals), "signals are accepted meanwhile");
                await coordinator.Cluster.StartAgainAsync(Token);
            }
        );

    [Fact]
    public Task Nothing_is_lost_or_doubled_when_shards_move_to_another_node() =>
        ProveAsync(
            async (nodes, _) =>
            {
                var schema = ((PostgreSqlTestSchema)TestSchema).Options.Schema;
                var (from, to) = (PortOf(nodes.Workers[0]), PortOf(nodes.Workers[1]));
                await using var source = NpgsqlDataSource.Create(nodes.ConnectionString);
                var moves = await ReadAsync(
                    source,
                    $"""
                    select format('select citus_move_shard_placement(%s, %L, {from}, %L, {to})', s.shardid, n.nodename, n.nodename)
                    from pg_dist_shard s
                    join pg_dist_placement p on p.shardid = s.shardid
                    join pg_dist_node n on n.groupid = p.groupid
                    where s.logicalrelid = '{schema}.instance'::regclass and n.nodeport = {from}
                    """
                );
                Assert.NotEmpty(moves);
                foreach (var move in moves)
                    await ReadAsync(source, move);
            }
        );

    /// <summary>Has callers append to instances, does something to the cluster when half is done, and checks each of them.</summary>
    /// <param name="strikeAsync">Gets the cluster, and how many signals have been acknowledged so far.</param>
    private async Task ProveAsync(Func<LocalCitusCluster, Func<int>, Task> strikeAsync)
    {
        var nodes = await cluster.Fixture.ClusterAsync(Token);
        Assert.SkipWhen(nodes is null, "This cluster is somebody else's or in containers: only local servers are struck.");
        var host = await HostAsync(Quick with { Workers = 4 }, Definitions.Appending);
        var started = await StartAsync(host.Client, Definitions.Appending, 24);
        var (half, struck, acknowledged) = (new TaskCompletionSource(), new TaskCompletionSource(), 0);

        var publishing = Task.WhenAll(
            started.Select(instance =>
                Task.Run(
                    () => PublishAsync(host.Client, instance.Id, half, struck.Task, () => Interlocked.Increment(ref acknowledged)),
                    Token
                )
            )
        );
        await half.Task;
        try
        {
            await strikeAsync(nodes!, () => Volatile.Read(ref acknowledged));
        }
        finally
        {
            struck.SetResult();
        }

        var published = await publishing;

        await Eventually(NothingIsLeftAsync, "all are handled");
        foreach (var (instance, signals) in started.Zip(published))
        {
            var read = (await host.Client.GetAsync<Ledger>(instance.Id, Token))!;
            Assert.Equal(Range(0, signals), read.State.Entries);
            Assert.Equal(signals, read.Record.Version);
        }
    }

    private async Task<bool> NothingIsLeftAsync()
    {
        try
        {
            return await Census() is { SignalsDue: 0, SignalsLater: 0 };
        }
        catch (WorkflowBackendException e) when (e.IsTransient)
        {
            // A connection that the crash has broken.
            return false;
        }
    }

    private static int PortOf(LocalPostgreSqlServer node) => new NpgsqlConnectionStringBuilder(node.ConnectionString).Port;

    private static async Task<List<string>> ReadAsync(NpgsqlDataSource source, string sql)
    {
        var rows = new List<string>();
        await using var command = source.CreateCommand(sql);
        command.CommandTimeout = 120;
        await using var reader = await command.ExecuteReaderAsync(Token);
        while (await reader.ReadAsync(Token))
            rows.Add($"{reader.GetValue(0)}");
        return rows;
    }

    /// <summary>Sessions enter the cluster at the coordinator or at the worker that has the shard.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Signal_that_is_committed_after_its_instance_was_purged_is_no_orphan(bool atWorker)
    {
        var workers = await cluster.Fixture.WorkersAsync(Token);
        Assert.SkipWhen(atWorker && workers is null, "This cluster is somebody else's: its workers are not known here.");
        var closed = Seam.Closed();
        await Backend.SubmitAsync(Seam.Start(closed));
        var options = ((PostgreSqlTestSchema)TestSchema).Options;
        await using var source = NpgsqlDataSource.Create(atWorker ? workers![0].ConnectionString : options.ConnectionString);
        await using var connection = await source.OpenConnectionAsync(Token);
        await using var writing = await connection.BeginTransactionAsync(Token);
        await using var write = new NpgsqlCommand(
            $"insert into {options.Schema}.signal (bucket, instance_id, id, due_at, attempt, kind, name, payload) values "
                + $"({new Buckets(options.Buckets).Of(closed.Id)}, '{closed.Id}', '{Guid.CreateVersion7()}', now(), 0, 0, 'go', '')",
            connection
        );
        await write.ExecuteNonQueryAsync(Token);
        await using var patient = new PostgreSqlWorkflowBackend(options with { ClaimTimeout = FromMinutes(2) });

        var purging = patient.PurgeAsync(TimeSpan.Zero, Token);
        await Eventually(async () => await Backend.FindAsync(closed.Id, Token) is null, "the instance is gone");
        await writing.CommitAsync(Token);

        Assert.Equal(1, await purging);
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Work_that_the_engine_does_commits_in_one_phase(bool direct)
    {
        var workers = await cluster.Fixture.WorkersAsync(Token);
        Assert.SkipWhen(workers is null, "This cluster is somebody else's: only one that the tests start is asked for its statements.");
        var child = Workflow
            .Define<Ledger>("child")
            .Activity("work", static (_, _) => Task.CompletedTask)
            .Delay("rest", FromMilliseconds(20))
            .Build();
        var parent = Workflow
            .Define<Ledger>("parent")
            .WaitFor<int>("go", static (ledger, number) => ledger.Entries.Add(number))
            .Children("children", child, static _ => [new Ledger(), new Ledger(), new Ledger()], static (_, _, _) => Next.Step)
            .Build();
        var host = await HostAsync(Quick with { Workers = 4, DirectSignals = direct }, parent, child);
        var before = await CountTwoPhaseAsync(workers!);

        var started = await Task.WhenAll(Range(0, 40).Select(i => host.Client.StartAsync(parent, i % 2 == 0 ? null : $"key-{i}")));
        var once = new PublishOptions { DedupKey = "once" };
        await Task.WhenAll(started.Select(one => host.Client.SignalAsync(one.Id, "go", 1, once, Token)));
        foreach (var one in started)
            await Completes(host.Client, one.Id);
        await Quiescence();

        Assert.Equal(before, await CountTwoPhaseAsync(workers!));
    }

    [Fact]
    public async Task Sessions_enter_at_the_workers_and_leave_the_coordinator_alone()
    {
        var workers = await cluster.Fixture.WorkersAsync(Token);
        Assert.SkipWhen(workers is null, "This cluster is somebody else's: its workers are not known here.");
        var host = await HostAsync(Quick, Definitions.Appending);
        var started = await StartAsync(host.Client, Definitions.Appending, 32);
        foreach (var instance in started)
            Assert.NotNull(await host.Client.GetAsync<Ledger>(instance.Id, Token));

        var coordinator = ((PostgreSqlTestSchema)TestSchema).Options.ConnectionString;
        Assert.Equal(0, await CountSessionsAsync(coordinator, PostgreSqlConnections.HotName));
        foreach (var worker in workers!)
        {
            Assert.NotEqual(0, await CountSessionsAsync(worker.ConnectionString, PostgreSqlConnections.HotName));
            Assert.NotEqual(0, await CountSessionsAsync(worker.ConnectionString, PostgreSqlConnections.PlainName));
        }
    }

    [Fact]
    public async Task Schema_is_used_as_it_was_made()
    {
        var options = ((PostgreSqlTestSchema)TestSchema).Options;
        await using var plain = new PostgreSqlWorkflowBackend(options with { Distribution = PostgreSqlDistribution.None });

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => plain.InitializeAsync(Token));

        Assert.Contains("was made with PostgreSqlBackendOptions.Distribution = Citus", error.Message);
    }

    [Fact]
    public async Task Schema_keeps_its_number_of_buckets()
    {
        var options = ((PostgreSqlTestSchema)TestSchema).Options;
        await using var other = new PostgreSqlWorkflowBackend(options with { Buckets = 2 * options.Buckets });

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => other.InitializeAsync(Token));

        Assert.StartsWith(
            $"Schema '{options.Schema}' was made with PostgreSqlBackendOptions.Buckets = {options.Buckets}, and here it is",
            error.Message
        );
        Assert.Equal(options.Buckets, PostgreSqlSchema.CountBuckets(options));
        Assert.Null(PostgreSqlSchema.CountBuckets(options with { Schema = PostgreSqlTestSchema.NewName() }));
    }

    /// <summary>
    /// Signals an instance until the cluster was struck, and a little longer. A call whose outcome is not known is repeated with its
    /// dedup key, as the documentation says.
    /// </summary>
    /// <returns>How many signals were acknowledged.</returns>
    private static async Task<int> PublishAsync(
        WorkflowClient client,
        Guid instanceId,
        TaskCompletionSource half,
        Task struck,
        Action acknowledged
    )
    {
        var number = 0;
        for (var last = int.MaxValue; number < last;)
        {
            try
            {
                await client.SignalAsync(instanceId, "append", number, new PublishOptions { DedupKey = $"{number}" }, Token);
                acknowledged();
                if (++number == Signals / 2)
                    half.TrySetResult();
                if (struck.IsCompleted && last == int.MaxValue)
                    last = number + Signals / 2;
            }
            catch (WorkflowBackendException e) when (e.IsTransient)
            {
                await Task.Delay(50, Token);
            }
        }

        return number;
    }

    private static async Task<long> CountTwoPhaseAsync(IReadOnlyList<DatabaseServer> workers)
    {
        var calls = 0L;
        foreach (var worker in workers)
        {
            await using var source = NpgsqlDataSource.Create(worker.ConnectionString);
            await using var count = source.CreateCommand(
                "select coalesce(sum(calls), 0)::bigint from pg_stat_statements where query ilike 'prepare transaction%'"
            );
            calls += (long)(await count.ExecuteScalarAsync(Token))!;
        }

        return calls;
    }

    private static async Task<long> CountSessionsAsync(string connectionString, string application)
    {
        await using var source = NpgsqlDataSource.Create(connectionString);
        await using var count = source.CreateCommand($"select count(*) from pg_stat_activity where application_name = '{application}'");
        return (long)(await count.ExecuteScalarAsync(Token))!;
    }

    private static async Task CrashAsync(LocalPostgreSqlServer worker)
    {
        await worker.Cluster.StopAsync(immediate: true, Token);
        await worker.Cluster.StartAgainAsync(Token);
    }

    /// <summary>A cluster that no other test uses.</summary>
    public sealed class OwnCluster : IAsyncDisposable
    {
        public CitusFixture Fixture { get; } = new();

        public ValueTask DisposeAsync() => Fixture.DisposeAsync();
    }
}
