using Serdica.Perf.Databases.Tests.Containers;

namespace Serdica.Perf.Faults.Tests.Actuators;

public sealed class ContainerActuatorTests : ScratchTests
{
    [Fact]
    public async Task Paused_container_runs_again_when_the_fault_is_cancelled()
    {
        var engine = ProcessEngine.OrSkip(Root.Path);
        await using var server = await StartAsync(engine);
        await using var connection = await Sql.OpenAsync(server.ConnectionString);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);

        var fault = new ContainerActuator(server).PauseAsync(FromHours(1), stop.Token);
        await Sql.UntilAsync(() => Task.FromResult(engine.Started[0].IsPaused || fault.IsCompleted));
        Assert.True(ProcessTree.IsStopped(connection.ProcessID));
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => fault);
        Assert.False(engine.Started[0].IsPaused);
        await Sql.ExecuteAsync(connection, "select 1");
    }

    /// <summary>PostgreSQL on a stand-in for a container engine.</summary>
    internal static async Task<ContainerServer> StartAsync(ProcessEngine engine, bool keep = false)
    {
        var outcome = await ProcessEngine
            .Source(_ => engine, ProcessEngine.Found())
            .ProvisionAsync(new() { Container = new() { Keep = keep } }, NullLogger.Instance, Token);
        return Assert.IsType<ContainerServer>(Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server);
    }
}
