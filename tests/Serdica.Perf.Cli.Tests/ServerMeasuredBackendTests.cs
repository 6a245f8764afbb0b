using Serdica.Perf.Backends;

namespace Serdica.Perf.Cli.Tests;

public sealed class ServerMeasuredBackendTests
{
    /// <summary>A generator inherits the user's variables; the file is for a server that has to be started.</summary>
    [Fact]
    public async Task Another_process_uses_the_server_whatever_settings_the_user_has_for_one()
    {
        await using var backend = new ServerMeasuredBackend(
            DatabaseEnvironment.PostgreSql,
            new RunningServer(),
            (_, _) => throw new NotSupportedException()
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

        Assert.Equal((DatabaseSourceKind.External, "Host=db", 4711), (request.Source, request.ConnectionString, request.ExternalProcessId));
        Assert.Empty(request.ServerSettings);
    }

    [Theory]
    [InlineData(1, "4711")]
    [InlineData(2, "")]
    public void Process_of_one_node_is_not_that_of_a_cluster(int nodes, string handedOver) =>
        Assert.Equal(
            handedOver,
            DatabaseEnvironment.HandOver("postgresql", new RunningServer(nodes))["SERDICA_PERF_POSTGRESQL_PROCESS"]
        );

    private sealed class RunningServer(int nodes = 1) : DatabaseServer
    {
        public override IReadOnlyList<DatabaseServer> Nodes => [.. Enumerable.Repeat(this, nodes)];

        public override string ConnectionString => "Host=db";

        public override int? ProcessId => 4711;

        public override ServerDescription Description { get; } =
            new()
            {
                Product = "PostgreSQL",
                Version = "15.18",
                Source = DatabaseSourceKind.Local,
                Durability = DurabilityClass.Durable,
                DurabilitySettings = new Dictionary<string, string>(),
                Settings = new Dictionary<string, string>(),
            };

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
