namespace Serdica.Perf.Databases.Tests;

public sealed class LocalDocumentDbTests(SharedDocumentDb shared) : ScratchTests
{
    private const string Json = "set documentdb_core.bsonUseEJson to on;";

    [Fact]
    public async Task Server_is_durable_and_leaves_nothing_behind()
    {
        var server = await StartOrSkipAsync();

        await LocalPostgreSqlTests.AssertIsDurableAndLeavesNothingAsync(server, Root.Path);
    }

    [Fact]
    public async Task Description_names_extension_and_PostgreSQL()
    {
        var server = await shared.ServerAsync();
        var description = server.Description;
        var extension = await LocalServer.ScalarAsync<string>(server, "select extversion from pg_extension where extname = 'documentdb'");
        var postgreSql = await LocalServer.ScalarAsync<string>(server, "show server_version");

        Assert.Equal("DocumentDB", description.Product);
        Assert.Equal($"{extension} on PostgreSQL {postgreSql.Split(' ')[0]}", description.Version);
        Assert.Equal(DatabaseSourceKind.Local, description.Source);
        EachItem.Holds(
            ["fsync", "full_page_writes", "synchronous_commit"],
            setting => Assert.Equal("on", description.DurabilitySettings[setting])
        );
        Assert.StartsWith("pg_cron,pg_documentdb_core,pg_documentdb", description.Settings["shared_preload_libraries"]);
    }

    [Fact]
    public async Task Document_written_by_a_command_is_found_by_another()
    {
        var server = await shared.ServerAsync();

        var written = await LocalServer.ScalarAsync<string>(
            server,
            Json
                + """select p_result::text from documentdb_api.insert('perf', """
                + """'{"insert":"jobs","documents":[{"_id":1,"state":"ready"}]}')"""
        );
        var found = await LocalServer.ScalarAsync<string>(
            server,
            Json
                + """select cursorpage::text from documentdb_api.find_cursor_first_page('perf', """
                + """'{"find":"jobs","filter":{"state":"ready"}}')"""
        );

        Assert.Contains(
            """
            "n" : { "$numberInt" : "1" }
            """,
            written
        );
        Assert.Contains(
            """
            { "_id" : { "$numberInt" : "1" }, "state" : "ready" }
            """,
            found
        );
    }

    [Fact]
    public async Task Index_is_built_by_the_jobs_of_the_extension_which_log_in_by_themselves()
    {
        var server = await shared.ServerAsync();
        await LocalServer.ScalarAsync<string>(
            server,
            Json + """select p_result::text from documentdb_api.insert('indexed', '{"insert":"jobs","documents":[{"_id":1,"due":5}]}')"""
        );

        var request = await LocalServer.ScalarAsync<string>(
            server,
            Json
                + """select requests::text from documentdb_api.create_indexes_background('indexed', """
                + """'{"createIndexes":"jobs","indexes":[{"key":{"due":1},"name":"by_due"}]}')"""
        );

        var status = Json + $"select complete and ok from documentdb_api_internal.check_build_index_status('{request}')";
        await HangGuard.UntilAsync(() => LocalServer.ScalarAsync<bool>(server, status), () => "The index was not built");
    }

    [Fact]
    public async Task Log_in_needs_the_password()
    {
        var server = await shared.ServerAsync();
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString) { Password = "guessed", Pooling = false };
        await using var connection = new NpgsqlConnection(settings.ConnectionString);

        var refused = await Assert.ThrowsAsync<PostgresException>(() => connection.OpenAsync(Token));

        Assert.Equal(PostgresErrorCodes.InvalidPassword, refused.SqlState);
    }

    [Fact]
    public async Task Start_without_the_extension_fails_with_the_statement_and_keeps_the_log()
    {
        var settings = new Dictionary<string, string> { ["shared_preload_libraries"] = "" };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => StartOrSkipAsync(settings));

        Assert.Contains("create extension documentdb cascade", failure.Message);
        Assert.Contains(Assert.Single(Directory.EnumerateFileSystemEntries(Root.Path)), failure.Message);
    }

    private Task<DatabaseServer> StartOrSkipAsync(Dictionary<string, string>? settings = null) =>
        LocalServer.StartOrSkipAsync(
            new DatabaseRequest { TemporaryFolder = Root.Path, ServerSettings = settings ?? [] },
            DatabaseEnvironment.DocumentDb
        );
}
