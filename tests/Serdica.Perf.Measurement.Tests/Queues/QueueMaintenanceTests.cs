namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueMaintenanceTests
{
    [Fact]
    public async Task A_failure_ends_neither_the_round_nor_the_maintenance_and_is_told_once()
    {
        var rounds = new int[2];
        var maintenance = new QueueMaintenance([
            _ => ++rounds[0] < 3 ? throw new WorkflowBackendException($"deadlock {rounds[0]}", isTransient: true) : Task.CompletedTask,
            _ => Task.FromResult(++rounds[1]),
        ]);

        Assert.Null(maintenance.Warning);
        for (var round = 0; round < 4; round++)
            await maintenance.RoundAsync(Token);

        Assert.Equal([4, 4], rounds);
        Assert.Equal(
            "Maintenance of the queue's tables failed 2 times, so dead rows may have stayed longer than usual. The first failure: "
                + "deadlock 1",
            maintenance.Warning
        );
    }
}
