namespace Serdica.Perf.Faults.Tests.Proxy;

/// <summary>Each rule does what it says to a real connection, and is counted.</summary>
public sealed class FaultProxyTests(SharedPostgreSql postgreSql)
{
    [Fact]
    public async Task Without_rules_all_bytes_go_through()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        await using var connection = await OpenAsync(server, proxy);
        await using var command = new NpgsqlCommand("select string_agg(i::text, ',') from generate_series(1, 300000) i", connection);

        var text = (string)(await command.ExecuteScalarAsync(Token))!;

        Assert.Equal(string.Join(',', Range(1, 300_000)), text);
        Assert.Equal((1, 0, 0, 0), (proxy.Counts.Opened, proxy.Counts.Cut, proxy.Counts.Delayed, proxy.Counts.Held));
    }

    [Fact]
    public async Task Latency_holds_in_both_directions()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        await using var connection = await OpenAsync(server, proxy);
        proxy.Rules = new() { Latency = FromMilliseconds(60), Jitter = FromMilliseconds(1) };

        var began = Stopwatch.GetTimestamp();
        await Sql.ExecuteAsync(connection, "select 1");

        Assert.InRange(Stopwatch.GetElapsedTime(began), FromMilliseconds(120), TimeSpan.MaxValue);
        Assert.InRange(proxy.Counts.Delayed, 1, long.MaxValue);
    }

    [Fact]
    public async Task Bandwidth_bounds_the_bytes_a_second()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        await using var connection = await OpenAsync(server, proxy);
        proxy.Rules = new() { BytesPerSecond = 1_000_000 };

        var began = Stopwatch.GetTimestamp();
        await Sql.ExecuteAsync(connection, "select repeat('x', 200000)");

        Assert.InRange(Stopwatch.GetElapsedTime(began), FromMilliseconds(200), TimeSpan.MaxValue);
    }

    [Fact]
    public async Task Reset_cuts_connections_and_new_ones_are_served()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        await using var connection = await OpenAsync(server, proxy);

        Assert.Equal(1, proxy.ResetAll());

        await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.ExecuteAsync(connection, "select 1"));
        await using var next = await OpenAsync(server, proxy);
        await Sql.ExecuteAsync(next, "select 1");
        Assert.Equal((2, 1), (proxy.Counts.Opened, proxy.Counts.Cut));
    }

    [Fact]
    public async Task What_is_held_goes_on_when_the_partition_ends()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        var table = await Sql.MakeTableAsync(server);
        await using var connection = await OpenAsync(server, proxy);
        proxy.Rules = new() { HoldsRequests = true, HoldsAnswers = true };

        var insert = Sql.ExecuteAsync(connection, $"insert into {table} values (1)");
        await Sql.UntilAsync(() => Task.FromResult(proxy.Counts.Held > 0));
        var other = OpenAsync(server, proxy);
        await Sql.UntilAsync(() => Task.FromResult(proxy.Counts.Held > 1));

        Assert.Equal(0, await Sql.CountAsync(server, table));
        Assert.Equal((false, false), (insert.IsCompleted, other.IsCompleted));
        proxy.Rules = new();
        await insert;
        await (await other).DisposeAsync();
        Assert.Equal(1, await Sql.CountAsync(server, table));
    }

    [Fact]
    public async Task Half_open_connection_reaches_the_server_and_has_no_answer()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        var table = await Sql.MakeTableAsync(server);
        await using var connection = await OpenAsync(server, proxy);
        proxy.Rules = new() { HoldsAnswers = true };

        var insert = Sql.ExecuteAsync(connection, $"insert into {table} values (1)");
        await Sql.UntilAsync(async () => await Sql.CountAsync(server, table) == 1);

        Assert.False(insert.IsCompleted);
        proxy.Rules = new();
        await insert;
    }

    [Fact]
    public async Task Rules_strike_no_connection_beyond_their_share()
    {
        var server = await postgreSql.ServerAsync();
        await using var proxy = Before(server);
        proxy.Rules = new() { Share = 0, HoldsRequests = true, Latency = FromMinutes(1), CutCommits = 1 };
        var table = await Sql.MakeTableAsync(server);
        await using var connection = await OpenAsync(server, proxy);

        await Sql.ExecuteAsync(connection, $"insert into {table} values (1)");

        Assert.Equal((1, 0), (proxy.Counts.Commits, proxy.Counts.CommitsCut));
    }

    [Fact]
    public async Task Connections_end_with_the_proxy()
    {
        var server = await postgreSql.ServerAsync();
        var proxy = Before(server);
        await using var connection = await OpenAsync(server, proxy);
        proxy.Rules = new() { HoldsRequests = true };
        var query = Sql.ExecuteAsync(connection, "select 1");
        await Sql.UntilAsync(() => Task.FromResult(proxy.Counts.Held > 0));

        await proxy.DisposeAsync();

        await Assert.ThrowsAnyAsync<NpgsqlException>(() => query);
    }

    [Fact]
    public void Server_elsewhere_is_refused() =>
        Assert.Contains(
            "is not on the loopback address",
            Assert.Throws<FaultImpossibleException>(() => new FaultProxy(() => "Host=192.0.2.1", 1)).Message
        );

    private static FaultProxy Before(DatabaseServer server) => new(() => server.ConnectionString, seed: 1);

    private static Task<NpgsqlConnection> OpenAsync(DatabaseServer server, FaultProxy proxy) =>
        Sql.OpenAsync(proxy.Through(server.ConnectionString));
}
