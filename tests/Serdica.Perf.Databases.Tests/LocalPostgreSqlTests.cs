namespace Serdica.Perf.Databases.Tests;

public sealed class LocalPostgreSqlTests : ScratchTests
{
    [Fact]
    public async Task Server_answers_is_durable_and_leaves_nothing_behind()
    {
        var server = await StartOrSkipAsync();

        await AssertIsDurableAndLeavesNothingAsync(server, Root.Path);
    }

    internal static async Task AssertIsDurableAndLeavesNothingAsync(DatabaseServer server, string folder)
    {
        var processId = server.ProcessId!.Value;

        await LocalServer.AssertDurableAsync(server);
        Assert.Equal(server.DataFolder, await LocalServer.ScalarAsync<string>(server, "show data_directory"));
        Assert.True(ServerProcess.IsRunning(processId));

        await server.DisposeAsync();
        await server.DisposeAsync();

        Assert.False(ServerProcess.IsRunning(processId), $"Process {processId} still runs after the server was disposed.");
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder));
    }

    [Fact]
    public async Task Start_is_logged_before_and_after_it()
    {
        var log = new LogList<object>();
        await using var server = await LocalServer.StartOrSkipAsync(
            new DatabaseRequest { TemporaryFolder = Root.Path },
            DatabaseEnvironment.PostgreSql,
            log
        );

        List<string> lines = [.. log.Lines];
        var before = lines.FindIndex(line => line.StartsWith("Starting PostgreSQL "));
        var after = lines.FindIndex(line => line.StartsWith("Started PostgreSQL "));
        Assert.InRange(before, 0, after - 1);
        Assert.Matches(@"^Starting PostgreSQL \d[\d.]* from .+ \.\.\.$", lines[before]);
        Assert.EndsWith(" ms", lines[after]);
    }

    [Fact]
    public async Task Description_is_what_the_server_says()
    {
        await using var server = await LocalServer.StartOrSkipAsync(
            new DatabaseRequest
            {
                TemporaryFolder = Root.Path,
                ServerSettings = new Dictionary<string, string> { ["work_mem"] = "7MB", ["cluster_name"] = "hunter2-secret" },
            }
        );
        var description = server.Description;

        Assert.Equal("PostgreSQL", description.Product);
        Assert.StartsWith(description.Version, await LocalServer.ScalarAsync<string>(server, "show server_version"));
        Assert.Equal(DatabaseSourceKind.Local, description.Source);
        Assert.Equal(FileSystems.Of(Root.Path), description.FileSystem);
        Assert.Equal(
            ["data_checksums", "fsync", "full_page_writes", "synchronous_commit", "wal_sync_method"],
            description.DurabilitySettings.Keys
        );
        Assert.Equal("7MB", description.Settings["work_mem"]);
        Assert.Equal("4GB", description.Settings["max_wal_size"]);
        Assert.DoesNotContain("port", description.Settings.Keys);
        Assert.DoesNotContain("hunter2-secret", description.Settings.Values);
    }

    [Fact]
    public async Task Log_in_needs_the_password()
    {
        await using var server = await StartOrSkipAsync();
        var settings = new Npgsql.NpgsqlConnectionStringBuilder(server.ConnectionString) { Password = "guessed", Pooling = false };
        await using var connection = new Npgsql.NpgsqlConnection(settings.ConnectionString);

        var refused = await Assert.ThrowsAsync<Npgsql.PostgresException>(() => connection.OpenAsync(Token));

        Assert.Equal(Npgsql.PostgresErrorCodes.InvalidPassword, refused.SqlState);
    }

    [Fact]
    public async Task Server_stores_the_password_in_no_readable_form()
    {
        await using var server = await StartOrSkipAsync();
        var settings = new Npgsql.NpgsqlConnectionStringBuilder(server.ConnectionString) { Pooling = false };
        await using var connection = new Npgsql.NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(Token);
        await using var command = new Npgsql.NpgsqlCommand("select rolpassword from pg_authid where rolname = current_user", connection);

        var stored = (string?)await command.ExecuteScalarAsync(Token);

        Assert.StartsWith("SCRAM-SHA-256$1:", stored);
    }

    [Fact]
    public async Task Failed_start_quotes_the_log_and_keeps_it()
    {
        var request = new DatabaseRequest
        {
            TemporaryFolder = Root.Path,
            ServerSettings = new Dictionary<string, string> { ["shared_preload_libraries"] = "no_such_library" },
        };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => LocalServer.StartOrSkipAsync(request));

        var kept = Assert.Single(Directory.EnumerateFileSystemEntries(Root.Path));
        Assert.EndsWith(".log", kept);
        Assert.Contains(kept, failure.Message);
        Assert.Contains("no_such_library", failure.Message);
        Assert.Contains("no_such_library", await File.ReadAllTextAsync(kept, Token));
    }

    [Fact]
    public async Task Server_that_is_not_durable_is_refused()
    {
        var request = new DatabaseRequest
        {
            TemporaryFolder = Root.Path,
            ServerSettings = new Dictionary<string, string> { ["synchronous_commit"] = "off" },
        };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => LocalServer.StartOrSkipAsync(request));

        Assert.Contains("synchronous_commit = off", failure.Message);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Root.Path));
    }

    [Fact]
    public async Task Cancelled_start_leaves_nothing_behind()
    {
        using var cancelled = new CancellationTokenSource();
        var request = new DatabaseRequest { Source = DatabaseSourceKind.Local, TemporaryFolder = Root.Path };
        var start = DatabaseSources.Of("postgresql").ProvisionAsync(
            request,
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance,
            cancelled.Token
        );
        await HangGuard.UntilAsync(
            () => start.IsCompleted || Directory.EnumerateDirectories(Root.Path, "data", SearchOption.AllDirectories).Any(),
            () => "The start made no data folder"
        );

        await cancelled.CancelAsync();

        if (start.IsCompletedSuccessfully && await start is ProvisionOutcome.Unavailable(var reason))
            Assert.Skip(reason);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => start);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Root.Path));
    }
}
