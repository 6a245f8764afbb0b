namespace Serdica.Perf.Faults.Tests.Workload;

/// <summary>A load ends also when calls of the engine never return.</summary>
public sealed class FaultLoadTests : FolderTests
{
    [Theory]
    [InlineData(false, 1, 1)]
    [InlineData(true, 1, 1)]
    [InlineData(false, 0, 0)]
    [InlineData(true, 0, 0)]
    public async Task Caller_that_waits_after_the_limit_is_recorded_and_one_that_has_to_end_is_not(bool inSubmit, int limit, int expected)
    {
        await using (var history = new HistoryWriter(Root.Path, "clients", "client"))
        {
            await using var backend = new StuckBackend(inSubmit);
            var registry = new WorkflowRegistry(ShapedWorkflow.Definitions(new EffectRecorder(history)));

            // Without a host no instance closes. The engine itself gives up no submission while the test runs.
            await using var client = new WorkflowClient(backend, registry, new() { SubmitTimeout = FromHours(1) });
            var load = new FaultLoad(client, history, "c", 1, TimeSpan.Zero);
            load.Start();
            await backend.Waiting.Task;
            await load.StopAsync(FromMilliseconds(limit));
            backend.Released.SetResult();
        }

        var gaveUp = KeptHistory.Read(Root.Path, "clients").Where(line => line.Kind == HistoryKind.GaveUp);
        Assert.Equal(Repeat(((string?)"c0", inSubmit), expected), gaveUp.Select(line => (line.Client, line.Instance is null)));
    }

    private sealed class StuckBackend(bool inSubmit) : BackendDecorator(new InMemoryWorkflowBackend())
    {
        public TaskCompletionSource Waiting { get; } = new(RunContinuationsAsynchronously);

        public TaskCompletionSource Released { get; } = new(RunContinuationsAsynchronously);

        public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            if (!inSubmit)
                return base.SubmitAsync(batch, cancellationToken);
            Waiting.TrySetResult();
            return Released.Task;
        }

        public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
        {
            Waiting.TrySetResult();
            return base.FindAsync(instanceId, cancellationToken);
        }
    }
}
