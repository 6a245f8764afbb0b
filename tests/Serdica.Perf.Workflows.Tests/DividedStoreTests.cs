namespace Serdica.Perf.Workflows.Tests;

/// <summary>What the engine does for a backend whose store is divided into parts.</summary>
public sealed class DividedStoreTests
{
    private const int Parts = 4;

    [Fact]
    public async Task Commits_and_claims_are_of_one_part()
    {
        var family = Workflow
            .Define<Tally>("parent")
            .Children("children", Child(), static _ => [new Tally(), new Tally()], static (_, _, _) => Next.Step)
            .Build();
        var backend = new Divided();
        await using var host = new WorkflowHost(backend, new([family, Child()]));
        await host.StartAsync(Token);

        var started = await Task.WhenAll(
            Range(0, 100).Select(i => host.Client.StartAsync(family, new Tally(), i % 2 == 0 ? null : $"key-{i}", cancellationToken: Token))
        );
        await Task.WhenAll(started.Select(parent => host.Client.CancelAsync(parent.Id, "No more.", cancellationToken: Token)));
        foreach (var parent in started)
            Assert.Equal(InstanceStatus.Cancelled, (await host.Client.WaitForCloseAsync(parent.Id, Token)).Status);

        EachItem.Holds(backend.Batches, batch => Assert.Single(batch.Select(PartOf).Distinct()));
        Assert.Equal(Parts, backend.Batches.SelectMany(batch => batch).Select(PartOf).Distinct().Count());
        Assert.False(backend.ClaimedFromAll);
    }

    private static WorkflowDefinition<Tally> Child() => Workflow.Define<Tally>("child").WaitFor<int>("go", static (_, _) => { }).Build();

    private static int PartOf(Guid id) => SortableId.SlotOf(id) % Parts;

    /// <summary>Notes which instances each commit wrote to.</summary>
    private sealed class Divided() : BackendDecorator(new InMemoryWorkflowBackend())
    {
        public ConcurrentBag<List<Guid>> Batches { get; } = [];

        public volatile bool ClaimedFromAll;

        public override BackendCapabilities Capabilities => base.Capabilities with { Parts = Parts };

        public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            Batches.Add([.. batch.SelectMany(Instances)]);
            return base.SubmitAsync(batch, cancellationToken);
        }

        public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
        {
            ClaimedFromAll |= !request.OnePart;
            return base.ProcessAsync(request, decide, cancellationToken);
        }

        private static IEnumerable<Guid> Instances(Submission submission) =>
            submission is StartSubmission { Decision: var start }
                ? (start.Started ?? []).Select(static child => child.Id).Prepend(start.Instance!.Id)
                : [((SignalSubmission)submission).Signal.InstanceId];
    }
}
