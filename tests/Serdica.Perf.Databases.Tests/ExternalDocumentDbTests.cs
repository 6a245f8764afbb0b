namespace Serdica.Perf.Databases.Tests;

public sealed class ExternalDocumentDbTests(SharedDocumentDb shared)
{
    [Fact]
    public async Task Server_with_the_extension_is_described_and_left_running()
    {
        var server = await shared.ServerAsync();

        var outcome = await ProvisionAsync(server.ConnectionString);
        var external = Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server;
        await external.DisposeAsync();

        Assert.Equal(DatabaseSourceKind.External, external.Description.Source);
        Assert.Equal(
            (server.Description.Product, server.Description.Version),
            (external.Description.Product, external.Description.Version)
        );
        Assert.Equal(DurabilityClass.Durable, external.Description.Durability);
        Assert.Equal(1, await LocalServer.ScalarAsync<int>(server, "select 1"));
    }

    [Fact]
    public async Task User_without_the_privileges_is_told_which_role_he_needs()
    {
        var server = await shared.ServerAsync();
        await LocalServer.ScalarAsync<int>(server, "create role guest login password 'hunter2-secret'; select 1");
        var guest = new NpgsqlConnectionStringBuilder(server.ConnectionString) { Username = "guest", Password = "hunter2-secret" };

        var reason = await ReasonAsync(guest.ConnectionString);

        Assert.Contains("lacks the role documentdb_admin_role", reason);
        Assert.DoesNotContain("guest", reason);
        Assert.DoesNotContain("hunter2", reason);
    }

    [Fact]
    public async Task PostgreSQL_without_the_extension_is_refused()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString);

        var reason = await ReasonAsync(server.ConnectionString);

        Assert.Contains($"{settings.Host}:{settings.Port}/postgres has no extension 'documentdb'", reason);
        Assert.Contains("SERDICA_PERF_DOCUMENTDB", reason);
    }

    [Fact]
    public async Task Bad_connection_string_names_the_variable()
    {
        var reason = await ReasonAsync("mongodb://alice-account:hunter2-secret@127.0.0.1/perf");

        Assert.Contains("SERDICA_PERF_DOCUMENTDB is not an Npgsql connection string", reason);
        Assert.DoesNotContain("hunter2", reason);
    }

    /// <summary>Other tests have left collections of theirs on the shared server.</summary>
    private static Task<ProvisionOutcome> ProvisionAsync(string connectionString) =>
        LocalServer.ProvisionAsync(
            DatabaseEnvironment.DocumentDb,
            new DatabaseRequest { ConnectionString = connectionString, AcceptsForeignData = true },
            Token
        );

    private static async Task<string> ReasonAsync(string connectionString) =>
        Assert.IsType<ProvisionOutcome.Unavailable>(await ProvisionAsync(connectionString)).Reason;
}
