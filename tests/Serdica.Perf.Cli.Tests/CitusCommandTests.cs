namespace Serdica.Perf.Cli.Tests;

/// <summary>The backend <c>citus</c> on a cluster of the tests' own, as an external one.</summary>
public sealed class CitusCommandTests(CitusCommandTests.Cluster cluster) : IClassFixture<CitusCommandTests.Cluster>
{
    private const int Operations = 200;

    [Fact]
    public async Task Run_measures_a_cluster_and_counts_what_all_nodes_did()
    {
        using var cli = await CliAsync();
        var before = await LogPositionAsync();

        var exitCode = await cli.MeasureAsync(
            $"run --backend citus --scenario signal-roundtrip-throughput-parallel --operations {Operations} --warmup 0"
        );

        Assert.True(exitCode == ExitCodes.Success, cli.Error + cli.Output);
        var result = BaselineReader.Read(cli.RunFolder);
        var scenario = result.Scenarios.Single(static one => one.Name == "citus-signal-roundtrip-throughput-parallel");
        Assert.Equal((Operations, 0), (scenario.Counts.Completed, scenario.Counts.SignalsLeft));
        Assert.Equal("2", result.Databases.Single(static one => one.Backend == "citus").Settings["citus.workers"]);

        // The coordinator alone logs next to nothing, and an instance with its state takes some hundred bytes.
        Assert.InRange(scenario.DatabaseMetrics[MetricNames.WalBytes].Value!.Value, 400 * Operations, (await LogPositionAsync()) - before);
        Assert.True(scenario.DatabaseMetrics[MetricNames.WritingCommits].Value >= Operations / 10);
        Assert.Equal(0L, await CountStoresAsync());
    }

    [Fact]
    public async Task Hosts_in_processes_of_their_own_find_the_store_with_its_buckets()
    {
        using var cli = await CliAsync();

        var exitCode = await cli.MeasureAsync(
            $"load --backend citus --users 8 --operations {Operations} --duration 10m --warmup 0s --delay 40ms --slots 2 --hosts 2"
        );

        Assert.True(exitCode == ExitCodes.Success, cli.Error + cli.Output);
        var step = Assert.Single(LoadResultReader.Read(cli.RunFolder).Steps);
        Assert.Equal(Operations, step.Counts.Completed);
        Assert.Null(step.Unverified);
        Assert.Empty(step.FailedChecks);
        Assert.Equal(2, step.Hosts.Count(static host => host.Counters.Signals > 0));
    }

    [Fact]
    public async Task Doctor_shows_the_cluster_and_the_command_to_type_next()
    {
        using var cli = await CliAsync();

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("doctor", "--backend", "citus"));

        Assert.Contains("citus can be measured: serdica-perf quick --backend citus", cli.Output);
        Assert.Contains("citus.workers=2", cli.Output.ReplaceLineEndings(""));
    }

    private async Task<Cli> CliAsync() => new() { Variables = { ["SERDICA_PERF_CITUS"] = (await cluster.ServerAsync()).ConnectionString } };

    /// <summary>Bytes of log of all nodes.</summary>
    private async Task<double> LogPositionAsync()
    {
        var bytes = 0.0;
        foreach (var node in (await cluster.ServerAsync()).Nodes)
            bytes += await LocalServer.ScalarAsync<double>(node, "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8");
        return bytes;
    }

    private async Task<long> CountStoresAsync() =>
        await LocalServer.ScalarAsync<long>(
            await cluster.ServerAsync(),
            "select count(*) from pg_namespace where nspname ~ '^serdica_perf_'"
        );

    /// <summary>Begun by the first test that asks.</summary>
    public sealed class Cluster() : SharedServer(DatabaseEnvironment.Citus);
}
