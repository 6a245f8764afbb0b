using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.LoadTests.Work;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ShapedOperationsTests
{
    [Fact]
    public async Task An_operation_whose_signal_is_refused_leaves_no_watch_behind()
    {
        // The instance completes at its start, so that the event comes too late.
        var definition = ShapedDefinition.Of(new() { Trigger = WorkTrigger.Direct }, static () => { });
        await using var backend = new InMemoryWorkflowBackend();
        await backend.InitializeAsync(TestContext.Current.CancellationToken);
        await using var host = new WorkflowHost(backend, new WorkflowRegistry([definition]), new());
        var operations = new ShapedOperations(
            1, new() { Trigger = WorkTrigger.Event }, backend, host.Client, definition, (_, _) => throw new InvalidOperationException("Nobody watches like that."));

        await Assert.ThrowsAsync<OperationFailedException>(async () => await operations.LaunchAsync(0, TestContext.Current.CancellationToken));

        // A second watch of one instance shares the first one's task, and outlives its end.
        var instance = operations.InstanceToRead(0)!.Value;
        var first = host.Client.WatchClose(instance);
        host.Client.StopWatching(instance);
        Assert.NotSame(first, host.Client.WatchClose(instance));
    }
}
