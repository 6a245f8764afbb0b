using System.Net;
using System.Net.Sockets;

namespace Serdica.Perf.Databases.Tests;

public sealed class ExternalPostgreSqlTests
{
    private const string Secrets = "Username=alice-account;Password=hunter2-secret";

    private static DatabaseSources PostgreSql => DatabaseSources.Of(DatabaseEnvironment.PostgreSql);

    [Fact]
    public async Task Server_that_is_not_there_is_named_without_its_secrets()
    {
        var port = UnusedPort();

        var reason = await ReasonAsync($"Host=127.0.0.1;Port={port};Database=perf;{Secrets}");

        Assert.Contains($"127.0.0.1:{port}/perf", reason);
        Assert.Contains("SERDICA_PERF_POSTGRESQL", reason);
        AssertNoSecrets(reason);
    }

    [Fact]
    public async Task Missing_database_does_not_fall_back_to_the_name_of_the_user()
    {
        var reason = await ReasonAsync($"Host=127.0.0.1;Port={UnusedPort()};{Secrets}");

        AssertNoSecrets(reason);
    }

    [Theory]
    [InlineData("postgres://alice-account:hunter2-secret@127.0.0.1/perf")]
    [InlineData($"Host=127.0.0.1;Port=many;{Secrets}")]
    [InlineData($"Hots=127.0.0.1;{Secrets}")]
    [InlineData(Secrets)]
    public async Task Bad_connection_string_is_not_quoted(string connectionString)
    {
        var reason = await ReasonAsync(connectionString);

        Assert.Contains("SERDICA_PERF_POSTGRESQL is not an Npgsql connection string", reason);
        AssertNoSecrets(reason);
    }

    [Fact]
    public async Task Refused_log_in_does_not_quote_the_user()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var settings = new Npgsql.NpgsqlConnectionStringBuilder(server.ConnectionString)
        {
            Username = "alice-account",
            Password = "hunter2-secret",
        };

        var reason = await ReasonAsync(settings.ConnectionString);

        Assert.Contains("login was refused", reason);
        AssertNoSecrets(reason);
    }

    [Fact]
    public async Task Server_that_answers_is_described_and_left_running()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var request = new DatabaseRequest { ConnectionString = server.ConnectionString };

        var outcome = await PostgreSql.ProvisionAsync(request, NullLogger.Instance, Token);
        var external = Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server;
        await external.DisposeAsync();

        Assert.Equal(DatabaseSourceKind.External, external.Description.Source);
        Assert.Equal(server.Description.Version, external.Description.Version);
        Assert.Equal(server.Description.Settings, external.Description.Settings);
        Assert.Null(external.ProcessId);
        Assert.Equal(1, await LocalServer.ScalarAsync<int>(server, "select 1"));
    }

    [Theory]
    [InlineData("create database shop", "database shop")]
    [InlineData("create table orders (id int)", "table public.orders")]
    [InlineData("create table parts (id int) partition by range (id)", "table public.parts")]
    [InlineData(
        "create table a (); create table b (); create table c (); create table d ()",
        "table public.a, table public.b, table public.c and 1 more"
    )]
    [InlineData("create materialized view sums as select 1 as sum", "table public.sums")]
    [InlineData(
        "create foreign data wrapper far; create server far foreign data wrapper far; create foreign table far (id int) server far",
        "table public.far"
    )]
    [InlineData("create schema serdica_workflow; create table serdica_workflow.instance (id int)", "table serdica_workflow.instance")]
    public async Task Server_with_foreign_data_is_refused_until_that_is_accepted(string statement, string found)
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        foreach (var part in statement.Split("; "))
            await ExecuteAsync(server, part);
        var request = new DatabaseRequest { ConnectionString = server.ConnectionString };

        var reason = await ReasonAsync(server.ConnectionString);
        var accepted = await PostgreSql.ProvisionAsync(request with { AcceptsForeignData = true }, NullLogger.Instance, Token);

        Assert.Contains($"({found})", reason);
        Assert.Contains("SERDICA_PERF_POSTGRESQL_FOREIGN_DATA=accept", reason);
        Assert.IsType<ProvisionOutcome.Provisioned>(accepted);
    }

    [Fact]
    public async Task Data_of_the_suite_and_of_extensions_are_not_foreign()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        await ExecuteAsync(server, "create schema serdica_perf_0123");
        await ExecuteAsync(server, "create table serdica_perf_0123.instance (id int)");
        await ExecuteAsync(server, "create temporary table mine (id int)");

        var outcome = await PostgreSql.ProvisionAsync(
            new DatabaseRequest { ConnectionString = server.ConnectionString },
            NullLogger.Instance,
            Token
        );

        Assert.IsType<ProvisionOutcome.Provisioned>(outcome);
    }

    [Fact]
    public async Task The_process_of_the_server_is_taken_and_another_one_refused()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells whose process a session is.");
        var request = new DatabaseRequest { ConnectionString = server.ConnectionString, ExternalProcessId = server.ProcessId };

        var own = await PostgreSql.ProvisionAsync(request, NullLogger.Instance, Token);
        var other = await PostgreSql.ProvisionAsync(
            request with
            {
                ExternalProcessId = Environment.ProcessId,
            },
            NullLogger.Instance,
            Token
        );

        Assert.Equal(server.ProcessId, Assert.IsType<ProvisionOutcome.Provisioned>(own).Server.ProcessId);
        Assert.StartsWith(
            $"SERDICA_PERF_POSTGRESQL_PROCESS is {Environment.ProcessId}, and the server at ",
            Assert.IsType<ProvisionOutcome.Unavailable>(other).Reason
        );
    }

    [Fact]
    public async Task Inspection_reports_the_external_server_first()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var request = new DatabaseRequest { ConnectionString = server.ConnectionString };

        var findings = await PostgreSql.InspectAsync(request, Token);

        Assert.Equal(Enum.GetValues<DatabaseSourceKind>(), findings.Select(finding => finding.Source));
        var servers = findings.Where(finding => finding.Source != DatabaseSourceKind.Containers);
        EachItem.Holds(servers, finding => Assert.True(finding.IsAvailable, finding.Detail));
        EachItem.Holds(servers, finding => Assert.Contains(server.Description.Version, finding.Detail));
    }

    [Fact]
    public async Task Source_that_a_database_does_not_have_is_unavailable()
    {
        var request = new DatabaseRequest { Source = DatabaseSourceKind.Local };

        var outcome = await DatabaseSources.Of("mongodb").ProvisionAsync(request, NullLogger.Instance, Token);

        Assert.Equal(
            "MongoDB does not come from 'local' in this build: set SERDICA_PERF_MONGODB_SOURCE to containers.",
            Assert.IsType<ProvisionOutcome.Unavailable>(outcome).Reason
        );
    }

    private static async Task<string> ReasonAsync(string connectionString)
    {
        var request = new DatabaseRequest { ConnectionString = connectionString };
        var outcome = await PostgreSql.ProvisionAsync(request, NullLogger.Instance, Token);
        return Assert.IsType<ProvisionOutcome.Unavailable>(outcome).Reason;
    }

    private static void AssertNoSecrets(string text)
    {
        Assert.DoesNotContain("alice", text, OrdinalIgnoreCase);
        Assert.DoesNotContain("hunter2", text, OrdinalIgnoreCase);
    }

    private static int UnusedPort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static async Task ExecuteAsync(DatabaseServer server, string statement)
    {
        await using var connection = new Npgsql.NpgsqlConnection(
            new Npgsql.NpgsqlConnectionStringBuilder(server.ConnectionString) { Pooling = false }.ConnectionString
        );
        await connection.OpenAsync(Token);
        await using var command = new Npgsql.NpgsqlCommand(statement, connection);
        await command.ExecuteNonQueryAsync(Token);
    }
}
