namespace Serdica.Perf.Databases.Tests;

public sealed class PostgreSqlLogFilesTests
{
    private const string Files = "select count(*) from pg_ls_waldir()";
    private const int Wanted = 8;

    [Fact]
    public async Task A_server_whose_files_were_made_ahead_makes_none_while_it_fills_them()
    {
        await using var server = await StartAsync("128MB");
        var untouched = await LocalServer.ScalarAsync<long>(server, Files);

        await MakeAheadAsync(server);
        var made = await LocalServer.ScalarAsync<long>(server, Files);
        await MakeAheadAsync(server);
        await LocalServer.ScalarAsync<long>(
            server,
            $"select count(pg_logical_emit_message(false, '', '')) + count(pg_switch_wal()) from generate_series(1, {Wanted - 2})"
        );

        Assert.True(untouched < Wanted, $"The new server already had {untouched} files.");
        Assert.True(made >= Wanted, $"There are {made} files.");
        Assert.Equal(made, await LocalServer.ScalarAsync<long>(server, Files));
    }

    [Theory]
    [InlineData(0, 2)]
    [InlineData(40 << 20, 4)]
    [InlineData(int.MaxValue, Wanted)]
    public async Task No_more_is_made_than_will_be_filled(int expectedBytes, int files)
    {
        await using var server = await StartAsync("128MB");
        var untouched = await LocalServer.ScalarAsync<long>(server, Files);

        await MakeAheadAsync(server, expectedBytes);

        Assert.Equal(Math.Max(untouched, files), await LocalServer.ScalarAsync<long>(server, Files));
    }

    [Fact]
    public async Task What_is_made_is_logged_before_and_after_it()
    {
        await using var server = await StartAsync("128MB");
        var log = new LogList<object>();

        await PostgreSqlLogFiles.MakeAheadAsync(server, expectedBytes: null, log, Token);
        await PostgreSqlLogFiles.MakeAheadAsync(server, expectedBytes: null, log, Token);

        Assert.Collection(
            log.Lines,
            line => Assert.Matches(@"^Creating log files in advance: \d+ of 16 MiB \.\.\.$", line),
            line => Assert.Matches(@"^Log files created in advance: \d+ of 16 MiB, within \d+ ms", line)
        );
    }

    [Fact]
    public async Task A_server_that_the_suite_did_not_start_is_left_as_it_is()
    {
        await using var server = await StartAsync("128MB");
        var outcome = await DatabaseSources.Of("postgresql").ProvisionAsync(
            new DatabaseRequest { ConnectionString = server.ConnectionString },
            NullLogger.Instance,
            Token
        );
        await using var external = Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server;
        var untouched = await LocalServer.ScalarAsync<long>(server, Files);

        await MakeAheadAsync(external);

        Assert.Equal(untouched, await LocalServer.ScalarAsync<long>(server, Files));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(47 << 20, 0)]
    [InlineData(48 << 20, 1)]
    [InlineData(500L << 20, 10)]
    public void A_third_of_the_free_space_is_filled_at_most(long freeBytes, long files) =>
        Assert.Equal(files, PostgreSqlLogFiles.Affordable(freeBytes, fileBytes: 16 << 20));

    private static Task<DatabaseServer> StartAsync(string kept) =>
        LocalServer.StartOrSkipAsync(new DatabaseRequest { ServerSettings = new Dictionary<string, string> { ["min_wal_size"] = kept } });

    private static Task MakeAheadAsync(DatabaseServer server, long? expectedBytes = null) =>
        PostgreSqlLogFiles.MakeAheadAsync(server, expectedBytes, NullLogger.Instance, Token);
}
