namespace Serdica.Perf.Compliance;

/// <summary>Leases on a store of several parts, one of which does not answer.</summary>
public sealed class LeasePartTests
{
    [Fact]
    public async Task Part_that_is_lost_ends_no_activity_of_another_part()
    {
        var attempts = new ConcurrentDictionary<Guid, int>();
        var end = new TaskCompletionSource();
        var definition = Workflow
            .Define<Ledger>("long")
            .Activity(
                "call",
                async (_, context) =>
                {
                    attempts[context.InstanceId] = context.Attempt;
                    await end.Task.WaitAsync(context.CancellationToken);
                    return context.Attempt;
                },
                (ledger, number) => ledger.Entries.Add(number)
            )
            .Build();
        await using var backend = new InMemoryWorkflowBackend();
        await using var host = new WorkflowHost(
            new LosesOnePart(backend),
            new WorkflowRegistry([definition]),
            new WorkflowOptions { ActivityLease = FromSeconds(15), MaxPollInterval = FromMilliseconds(50) }
        );
        await host.StartAsync(Token);
        var (lost, others) = (new List<Guid>(), new List<Guid>());
        while (lost.Count == 0 || others.Count == 0)
        {
            var started = await host.Client.StartAsync(definition);
            (LosesOnePart.IsLost(started.Id) ? lost : others).Add(started.Id);
        }

        // The second attempt begins when the lease of the first has ended, and so would the others'.
        await HangGuard.UntilAsync(
            () => lost.TrueForAll(id => attempts.GetValueOrDefault(id) > 1),
            () => "The activities of the lost part were not run again."
        );

        Assert.Equal(others.ConvertAll(_ => 1), others.ConvertAll(id => attempts[id]));
        end.SetResult();
        foreach (var id in others)
            await host.Client.WaitForCloseAsync(id, Token).InTime();
        Assert.Equal(others.ConvertAll(_ => 1), others.ConvertAll(id => attempts[id]));
    }

    /// <summary>Its first part answers all but extensions.</summary>
    private sealed class LosesOnePart(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public override BackendCapabilities Capabilities => base.Capabilities with { Parts = 2 };

        public static bool IsLost(Guid instance) => SortableId.SlotOf(instance) % 2 == 0;

        public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        ) =>
            leases.Any(lease => IsLost(lease.InstanceId))
                ? throw new WorkflowBackendException("The node is lost.", isTransient: true)
                : base.ExtendLeasesAsync(leases, duration, cancellationToken);
    }
}
