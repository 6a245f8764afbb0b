namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ShapedOperationsTests
{
    [Fact]
    public async Task What_completed_is_verified_beside_operations_that_failed()
    {
        await using var workload = new ShapedWorkload(
            new TestStore(new MutantBackend(Mutation.CorruptState)),
            new() { Trigger = WorkTrigger.Event },
            new WorkflowOptions { Workers = 1 }
        );
        await workload.OpenAsync(Token);
        var operations = workload.CreateOperations(OperationSet.Endless, warmUp: false);
        await await operations.LaunchAsync(0, Token);
        await await operations.LaunchAsync(2, Token);

        var checks = await operations.VerifyCompletedAsync(3, Token);

        // The first lost its state. The second failed before it had an instance, which is not held against the others.
        var wrong = Assert.Single(checks, check => !check.Passed);
        Assert.StartsWith("every state and version as expected (2 of 3 sampled)", wrong.Check);
    }

    public static TheoryData<WorkShape, string> Mutants =>
        new()
        {
            // A correct timer takes an hour, and one that fires early ends the operation.
            {
                new() { Trigger = WorkTrigger.Direct, Timers = 1, TimerDelay = FromHours(1) },
                "FireEarly: .* ms after its start, before its timers were due"
            },
            { new() { Trigger = WorkTrigger.Direct, StateBytes = 1_000 }, "AlterState: .* has an unexpected state" },
            { new() { Trigger = WorkTrigger.Event }, "ApplyTwice: .* has version 2 and not 1" },
        };

    [Theory]
    [MemberData(nameof(Mutants))]
    public async Task What_an_engine_does_wrong_is_in_the_check_of_states_and_versions(WorkShape shape, string problem)
    {
        var mutation = Enum.Parse<Mutation>(problem.Split(':')[0]);
        await using var workload = new ShapedWorkload(
            new TestStore(new MutantBackend(mutation)),
            shape,
            new WorkflowOptions { Workers = 1 }
        );
        await workload.OpenAsync(Token);
        var operations = workload.CreateOperations(OperationSet.Endless, warmUp: false);
        await await operations.LaunchAsync(0, Token);

        var checks = await operations.VerifyAsync(1, Token);

        Assert.Matches(problem, $"{mutation}: {Assert.Single(checks, check => !check.Passed).Actual}");
    }

    [Fact]
    public async Task An_operation_whose_signal_is_refused_leaves_no_watch_behind()
    {
        // The instance completes at its start, so that the event comes too late.
        var definition = ShapedDefinition.Of(new() { Trigger = WorkTrigger.Direct }, static () => { });
        await using var backend = new InMemoryWorkflowBackend();
        await backend.InitializeAsync(Token);
        await using var host = new WorkflowHost(backend, new WorkflowRegistry([definition]), new());
        var operations = new ShapedOperations(
            1,
            new() { Trigger = WorkTrigger.Event },
            backend,
            host.Client,
            definition,
            (_, _) => throw new InvalidOperationException("Nobody watches like that.")
        );

        await Assert.ThrowsAsync<OperationFailedException>(async () => await operations.LaunchAsync(0, Token));

        // A second watch of one instance shares the first one's task, and outlives its end.
        var instance = operations.InstanceToRead(0)!.Value;
        var first = host.Client.WatchClose(instance);
        host.Client.StopWatching(instance, first);
        Assert.NotSame(first, host.Client.WatchClose(instance));
    }
}
