using Npgsql;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Compliance;

/// <summary>What happens to a distributed schema when a worker node dies, what two sessions do to each other, and how it commits.</summary>
public sealed class CitusFaults(CitusFaults.OwnCluster cluster)
    : WorkflowBackendCompliance(cluster.Fixture),
        IClassFixture<CitusFaults.OwnCluster>
{
    private const int Signals = 30;

    [Fact]
    public async Task Nothing_is_lost_or_doubled_when_a_worker_node_crashes_and_comes_back()
    {
        var workers = await cluster.Fixture.WorkersAsync(Token);
        Assert.SkipWhen(workers is null, "This cluster is somebody else's: only one that the tests start is stopped.");
        var host = await HostAsync(Quick with { Workers = 4 }, Definitions.Appending);
        var started = await Task.WhenAll(
            Enumerable.Range(0, 24).Select(_ => host.Client.StartAsync(Definitions.Appending, new Ledger(), cancellationToken: Token))
        );
        var half = new TaskCompletionSource();

        var publishing = Task.WhenAll(started.Select(instance => Task.Run(() => PublishAsync(host.Client, instance.Id, half), Token)));
        await half.Task;
        await CrashAsync(workers![0]);
        await publishing;

        await Eventually(async () => await Backend.TakeCensusAsync(Token) is { SignalsDue: 0, SignalsLater: 0 }, "all are handled");
        foreach (var instance in started)
        {
            var read = (await host.Client.GetAsync<Ledger>(instance.Id, Token))!;
            Assert.Equal(Enumerable.Range(0, Signals), read.State.Entries);
            Assert.Equal(Signals, read.Record.Version);
        }
    }

    [Fact]
    public async Task Signal_that_is_committed_after_its_instance_was_purged_is_no_orphan()
    {
        var closed = Seam.Instance(waits: WaitKinds.None, status: InstanceStatus.Completed);
        await Backend.SubmitAsync(Seam.Start(closed));
        var options = ((PostgreSqlTestSchema)TestSchema).Options;
        await using var source = NpgsqlDataSource.Create(options.ConnectionString);
        await using var connection = await source.OpenConnectionAsync(Token);
        await using var writing = await connection.BeginTransactionAsync(Token);
        await using var write = new NpgsqlCommand(
            $"insert into {options.Schema}.signal (bucket, instance_id, id, due_at, attempt, kind, name, payload) values "
                + $"({Buckets.Of(closed.Id)}, '{closed.Id}', '{Guid.CreateVersion7()}', now(), 0, 0, 'go', '')",
            connection
        );
        await write.ExecuteNonQueryAsync(Token);
        await using var patient = new PostgreSqlWorkflowBackend(options with { ClaimTimeout = TimeSpan.FromMinutes(2) });

        var purging = patient.PurgeAsync(TimeSpan.Zero, Token);
        await Eventually(async () => await Backend.FindAsync(closed.Id, Token) is null, "the instance is gone");
        await writing.CommitAsync(Token);

        Assert.Equal(1, await purging);
        Assert.Equal(0, (await Backend.TakeCensusAsync(Token)).SignalsDue);
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
            .Delay("rest", TimeSpan.FromMilliseconds(20))
            .Build();
        var parent = Workflow
            .Define<Ledger>("parent")
            .WaitFor<int>("go", static (ledger, number) => ledger.Entries.Add(number))
            .Children("children", child, static _ => [new Ledger(), new Ledger(), new Ledger()], static (_, _, _) => Next.Step)
            .Build();
        var host = await HostAsync(Quick with { Workers = 4, DirectSignals = direct }, parent, child);
        var before = await CountTwoPhaseAsync(workers!);

        var started = await Task.WhenAll(
            Enumerable
                .Range(0, 40)
                .Select(i => host.Client.StartAsync(parent, new Ledger(), i % 2 == 0 ? null : $"key-{i}", cancellationToken: Token))
        );
        var once = new PublishOptions { DedupKey = "once" };
        await Task.WhenAll(started.Select(one => host.Client.SignalAsync(one.Id, "go", 1, once, Token)));
        foreach (var one in started)
            Assert.Equal(InstanceStatus.Completed, (await CloseOf(host.Client, one.Id)).Status);
        await Quiescence();

        Assert.Equal(before, await CountTwoPhaseAsync(workers!));
    }

    [Fact]
    public async Task Schema_is_used_as_it_was_made()
    {
        var options = ((PostgreSqlTestSchema)TestSchema).Options;
        await using var plain = new PostgreSqlWorkflowBackend(options with { Distribution = PostgreSqlDistribution.None });

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => plain.InitializeAsync(Token));

        Assert.Contains("was made with PostgreSqlBackendOptions.Distribution = Citus", error.Message, StringComparison.Ordinal);
    }

    /// <summary>Repeats a call whose outcome is not known, with its dedup key, as the documentation says.</summary>
    private static async Task PublishAsync(WorkflowClient client, Guid instanceId, TaskCompletionSource half)
    {
        for (var number = 0; number < Signals;)
        {
            try
            {
                await client.SignalAsync(instanceId, "append", number, new PublishOptions { DedupKey = $"{number}" }, Token);
                if (++number == Signals / 2)
                    half.TrySetResult();
            }
            catch (WorkflowBackendException e) when (e.IsTransient)
            {
                await Task.Delay(50, Token);
            }
        }
    }

    private static async Task<long> CountTwoPhaseAsync(IReadOnlyList<LocalPostgreSqlServer> workers)
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

    private static async Task CrashAsync(LocalPostgreSqlServer worker)
    {
        await worker.StopAsync(immediate: true, Token);
        await worker.StartAgainAsync(Token);
    }

    /// <summary>A cluster that no other test uses.</summary>
    public sealed class OwnCluster : IAsyncDisposable
    {
        public CitusFixture Fixture { get; } = new();

        public ValueTask DisposeAsync() => Fixture.DisposeAsync();
    }
}
