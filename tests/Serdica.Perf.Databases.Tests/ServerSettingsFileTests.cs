namespace Serdica.Perf.Databases.Tests;

/// <summary>Settings of the user's own for servers that the suite starts.</summary>
public sealed class ServerSettingsFileTests : ScratchTests
{
    [Fact]
    public void A_file_is_read_as_the_server_would()
    {
        Assert.True(
            Environment(
                    """
                    # Tuned by hand.
                    work_mem = 64MB          # for sorts
                    Shared_Buffers 1GB
                    fsync = on

                    application_name='it''s # mine'
                    work_mem = 32MB
                    pg_stat_statements.max=2000
                    """
                )
                .TryReadRequest("postgresql", out var request, out _)
        );

        Assert.Equal(
            new Dictionary<string, string>
            {
                ["work_mem"] = "32MB",
                ["shared_buffers"] = "1GB",
                ["fsync"] = "on",
                ["application_name"] = "it's # mine",
                ["pg_stat_statements.max"] = "2000",
            },
            request.ServerSettings
        );
    }

    [Theory]
    [InlineData("work_mem = 1MB\nwork_mem 64 MB", "line 2 is no setting: use a name and a value, such as work_mem = 64MB")]
    [InlineData("work_mem", "line 1 is no setting: use a name and a value, such as work_mem = 64MB")]
    [InlineData("a.b.c = 1", "line 1 is no setting: use a name and a value, such as work_mem = 64MB")]
    [InlineData("größe = 1", "line 1 is no setting: use a name and a value, such as work_mem = 64MB")]
    [InlineData("work_mem = '64MB", "line 1 is no setting: use a name and a value, such as work_mem = 64MB")]
    [InlineData("LISTEN_ADDRESSES = '*'", "line 1 sets listen_addresses, which the suite decides itself: remove it")]
    [InlineData("include 'more.conf'", "line 1 sets include, which the suite decides itself: remove it")]
    [InlineData("fsync = off", "line 1 sets fsync to 'off', and the suite measures only with on: remove it")]
    [InlineData(
        "synchronous_commit = remote_write",
        "line 1 sets synchronous_commit to 'remote_write', and the suite measures only with on: remove it"
    )]
    public void What_can_not_be_used_is_refused_with_its_line(string text, string expected)
    {
        Assert.False(Environment(text).TryReadRequest("postgresql", out _, out var problem));

        Assert.Equal($"SERDICA_PERF_POSTGRESQL_SETTINGS names the file '{File}': {expected}.", problem);
    }

    [Theory]
    [InlineData("listen_addresses")]
    [InlineData("port")]
    [InlineData("unix_socket_directories")]
    [InlineData("data_directory")]
    [InlineData("config_file")]
    [InlineData("hba_file")]
    [InlineData("ident_file")]
    [InlineData("external_pid_file")]
    [InlineData("include")]
    [InlineData("include_if_exists")]
    [InlineData("include_dir")]
    public void Where_a_server_is_and_who_reaches_it_is_not_for_a_file(string name)
    {
        Assert.False(Environment($"{name} = '1'").TryReadRequest("postgresql", out _, out var problem));

        Assert.Contains($"line 1 sets {name}, which the suite decides itself", problem);
    }

    [Fact]
    public void A_file_that_is_not_there_is_refused()
    {
        Assert.False(Named().TryReadRequest("postgresql", out _, out var problem));

        Assert.Equal($"SERDICA_PERF_POSTGRESQL_SETTINGS names the file '{File}': there is no such file.", problem);
    }

    [Fact]
    public async Task They_reach_the_server_and_what_the_suite_needs_stays_loaded()
    {
        Assert.True(
            Environment("work_mem = 9MB\nshared_preload_libraries = 'auto_explain'").TryReadRequest("postgresql", out var request, out _)
        );

        await using var server = await LocalServer.StartOrSkipAsync(request with { TemporaryFolder = Root.Path });

        Assert.Equal("9MB", await LocalServer.ScalarAsync<string>(server, "show work_mem"));
        Assert.Equal("9MB", server.Description.Settings["work_mem"]);
        Assert.EndsWith("auto_explain", server.Description.Settings["shared_preload_libraries"]);
    }

    [Fact]
    public async Task A_server_of_the_users_own_is_not_set()
    {
        var request = new DatabaseRequest
        {
            ConnectionString = "Host=127.0.0.1",
            ServerSettings = new Dictionary<string, string> { ["work_mem"] = "9MB" },
        };

        var outcome = Assert.IsType<ProvisionOutcome.Unavailable>(
            await DatabaseSources.Of("postgresql").ProvisionAsync(request, NullLogger.Instance, Token)
        );

        Assert.Equal(
            "SERDICA_PERF_POSTGRESQL names a server of your own, and SERDICA_PERF_POSTGRESQL_SETTINGS settings for one that the suite "
                + "starts: unset one of the two.",
            outcome.Reason
        );
    }

    private string File => Path.Combine(Root.Path, "tuned.conf");

    private DatabaseEnvironment Environment(string text)
    {
        System.IO.File.WriteAllText(File, text);
        return Named();
    }

    private DatabaseEnvironment Named() => new(name => name == "SERDICA_PERF_POSTGRESQL_SETTINGS" ? File : null);
}
