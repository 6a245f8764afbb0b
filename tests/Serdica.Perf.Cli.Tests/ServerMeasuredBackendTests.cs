namespace Serdica.Perf.Cli.Tests;

public sealed class ServerMeasuredBackendTests
{
    private const int Process = 4711;

    /// <summary>A generator inherits the user's variables; the file is for a server that has to be started.</summary>
    [Fact]
    public async Task Another_process_uses_the_server_whatever_settings_the_user_has_for_one()
    {
        await using var backend = new ServerMeasuredBackend(DatabaseEnvironment.PostgreSql, new FakeServer(Process), (_, _) =>
            throw new NotSupportedException()
        );
        var variables = new Dictionary<string, string>
        {
            [DatabaseEnvironment.SettingsVariable(DatabaseEnvironment.PostgreSql)] = "mine.conf",
        };
        foreach (var (name, value) in backend.VariablesForOthers)
            variables[name] = value;

        Assert.True(
            new DatabaseEnvironment(variables.GetValueOrDefault).TryReadRequest(
                DatabaseEnvironment.PostgreSql,
                out var request,
                out var problem
            ),
            problem
        );

        Assert.Equal(
            (DatabaseSourceKind.External, "Host=db", Process),
            (request.Source, request.ConnectionString, request.ExternalProcessId)
        );
        Assert.Empty(request.ServerSettings);
    }

    [Theory]
    [InlineData("4711", Process)]
    [InlineData("", Process, Process)]
    public void Process_of_one_node_is_not_that_of_a_cluster(string handedOver, params int[] processes) =>
        Assert.Equal(handedOver, DatabaseEnvironment.HandOver("postgresql", new FakeServer(processes))["SERDICA_PERF_POSTGRESQL_PROCESS"]);
}
