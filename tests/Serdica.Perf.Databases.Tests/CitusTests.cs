namespace Serdica.Perf.Databases.Tests;

public sealed class CitusTests
{
    [Fact]
    public async Task Local_cluster_has_two_workers_and_goes_with_its_object()
    {
        await using var cluster = await ClusterAsync();

        Assert.Equal("Citus", cluster.Description.Product);
        Assert.Matches(@"^[0-9.-]+ on PostgreSQL [0-9.]+$", cluster.Description.Version);
        Assert.Equal("2", cluster.Description.Settings["citus.workers"]);
        Assert.Equal(DurabilityClass.Durable, cluster.Description.Durability);
        Assert.Equal(3, cluster.Nodes.Select(static node => node.ProcessId).OfType<int>().Distinct().Count());
        Assert.Equal(2L, await LocalServer.ScalarAsync<long>(cluster, "select count(*) from citus_get_active_worker_nodes()"));
        var folders = cluster.Nodes.Select(static node => node.DataFolder!).ToList();

        await cluster.DisposeAsync();

        EachItem.Holds(folders, folder => Assert.False(Directory.Exists(folder), folder));
    }

    [Fact]
    public async Task External_cluster_is_described_by_its_worst_node_and_left_running()
    {
        await using var cluster = await ClusterAsync();
        await LocalServer.ScalarAsync<bool>(
            cluster.Workers[^1],
            "set citus.enable_ddl_propagation = off; alter database postgres set synchronous_commit = off; select true"
        );

        var external = Assert.IsType<ProvisionOutcome.Provisioned>(await ProvisionAsync(cluster.ConnectionString)).Server;
        await external.DisposeAsync();

        Assert.Equal(DatabaseSourceKind.External, external.Description.Source);
        Assert.Equal(cluster.Description.Version, external.Description.Version);
        Assert.Equal(DurabilityClass.LossOnCrash, external.Description.Durability);
        Assert.Contains("synchronous_commit=off", external.Description.Settings["citus.least_durable_worker"]);
        Assert.Equal("on", external.Description.DurabilitySettings["synchronous_commit"]);
        Assert.Equal(1, await LocalServer.ScalarAsync<int>(cluster, "select 1"));
    }

    [Fact]
    public async Task Transactions_in_doubt_are_counted_until_they_are_decided()
    {
        const string InDoubt = "citus.transactions_in_doubt";
        await using var cluster = await ClusterAsync();
        await using var worker = NpgsqlDataSource.Create(cluster.Workers[0].ConnectionString);
        await ExecuteAsync("begin; prepare transaction 'of an application'");

        // As of a node that has died, and is not there to decide it.
        await ExecuteAsync("begin; prepare transaction 'citus_77_1_1_0'");

        using var patience = new CancellationTokenSource(HangGuard.Limit);
        string? count;
        while (!(await SettingsAsync()).TryGetValue(InDoubt, out count))
            patience.Token.ThrowIfCancellationRequested();
        Assert.Equal("1", count);
        await ExecuteAsync("rollback prepared 'citus_77_1_1_0'");

        Assert.DoesNotContain(InDoubt, await SettingsAsync());

        async Task<IReadOnlyDictionary<string, string>> SettingsAsync()
        {
            var external = Assert.IsType<ProvisionOutcome.Provisioned>(await ProvisionAsync(cluster.ConnectionString)).Server;
            await external.DisposeAsync();
            return external.Description.Settings;
        }

        async Task ExecuteAsync(string sql)
        {
            await using var command = worker.CreateCommand(sql);
            await command.ExecuteNonQueryAsync(Token);
        }
    }

    [Fact]
    public async Task Cluster_that_cannot_be_measured_is_refused_with_what_to_do()
    {
        await using var cluster = await ClusterAsync();

        Assert.Contains(
            "is a worker of Citus: point SERDICA_PERF_CITUS at the coordinator",
            await ReasonAsync(cluster.Workers[0].ConnectionString)
        );

        await cluster.Workers[0].Cluster.StopAsync(immediate: true, Token);
        Assert.Contains("does not reach its worker", await ReasonAsync(cluster.ConnectionString));

        await LocalServer.ScalarAsync<bool>(
            cluster,
            "select true from pg_dist_node, citus_remove_node(nodename, nodeport) where groupid > 0"
        );
        Assert.Contains("has no worker: add each with", await ReasonAsync(cluster.ConnectionString));
    }

    [Fact]
    public async Task PostgreSQL_without_the_extension_is_refused()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString);

        var reason = await ReasonAsync(server.ConnectionString);

        Assert.Contains($"{settings.Host}:{settings.Port}/postgres has no extension 'citus'", reason);
        Assert.Contains("SERDICA_PERF_CITUS", reason);
    }

    private static async Task<LocalCitusCluster> ClusterAsync() =>
        (LocalCitusCluster)await LocalServer.StartOrSkipAsync(backend: DatabaseEnvironment.Citus);

    private static Task<ProvisionOutcome> ProvisionAsync(string connectionString) =>
        LocalServer.ProvisionAsync(DatabaseEnvironment.Citus, new DatabaseRequest { ConnectionString = connectionString }, Token);

    private static async Task<string> ReasonAsync(string connectionString) =>
        Assert.IsType<ProvisionOutcome.Unavailable>(await ProvisionAsync(connectionString)).Reason;
}
