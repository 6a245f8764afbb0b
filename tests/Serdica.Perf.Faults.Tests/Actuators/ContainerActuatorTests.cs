using Npgsql;
using Serdica.Perf.Databases.Tests;
using Serdica.Perf.Databases.Tests.Containers;
using Serdica.Perf.Faults.Actuators;
using Serdica.Perf.Faults.Plans;
using Serdica.Perf.Faults.Proxy;

namespace Serdica.Perf.Faults.Tests.Actuators;

/// <summary>What is done to a container happens, as its engine reports it, and what was committed before is there afterwards.</summary>
public sealed class ContainerActuatorTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Container_that_was_killed_or_stopped_has_its_data_on_another_port_to_which_the_proxy_leads()
    {
        var engine = ProcessEngine.OrSkip(_folder.Path);
        await using var server = await StandInContainer.StartAsync(engine, _folder.Path);
        var actuator = new ContainerActuator(server);
        await using var proxy = FaultProxy.Before(() => server.ConnectionString, seed: 1);
        var throughProxy = proxy.Through(server.ConnectionString);
        var table = await Sql.MakeTableAsync(server);
        (FaultKind Kind, int Code, string Log)[] ends =
        [
            (FaultKind.KillDatabase, 137, "database system was not properly shut down"),
            (FaultKind.CrashDatabase, 0, "received immediate shutdown request"),
            (FaultKind.RestartDatabase, 0, "received fast shutdown request"),
        ];
        for (var n = 0; n < ends.Length; n++)
        {
            var port = server.Container.Port;
            await using var open = await Sql.OpenAsync(throughProxy);
            await Sql.ExecuteAsync(open, $"insert into {table} values ({n})");

            var evidence = await actuator.RestartAsync(ends[n].Kind, TimeSpan.Zero, Token);

            Assert.Equal(1, evidence.Value);
            Assert.Matches($"^the container ran since .*, ended with code {ends[n].Code} and was started at ", evidence.Sentence);
            Assert.Contains(ends[n].Log, await server.Container.ReadLogAsync(Token), StringComparison.Ordinal);
            Assert.NotEqual(port, server.Container.Port);
            await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.ExecuteAsync(open, "select 1"));
            await using var again = await Sql.OpenAsync(throughProxy);
            await Sql.ExecuteAsync(again, "select 1");
            Assert.Equal(n + 1, await Sql.CountAsync(server, table));
        }
    }

    [Fact]
    public async Task Paused_container_runs_again_when_the_fault_is_cancelled()
    {
        var engine = ProcessEngine.OrSkip(_folder.Path);
        await using var server = await StandInContainer.StartAsync(engine, _folder.Path);
        await using var connection = await Sql.OpenAsync(server.ConnectionString);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);

        var fault = new ContainerActuator(server).PauseAsync(TimeSpan.FromHours(1), stop.Token);
        await Sql.UntilAsync(() => Task.FromResult(engine.Started[0].IsPaused || fault.IsCompleted));
        var query = Sql.ExecuteAsync(connection, "select 1");
        Assert.True(ProcessTree.IsStopped(connection.ProcessID));
        Assert.False(query.IsCompleted);
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => fault);
        Assert.False((await server.Container.InspectAsync(Token)).IsPaused);
        await query;
    }

    [Fact]
    public async Task Container_that_is_paused_at_the_end_is_removed()
    {
        var engine = ProcessEngine.OrSkip(_folder.Path);
        var server = await StandInContainer.StartAsync(engine, _folder.Path);

        await server.Container.PauseAsync(Token);
        await server.DisposeAsync();

        Assert.Empty(engine.Started);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder.Path));
    }
}
