using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows.Tests;

public sealed class LeaseHoldTests
{
    private static readonly WorkflowOptions Options = new() { ActivityLease = TimeSpan.FromSeconds(10) };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>The database counts from when it wrote the lease: another host may have it while this one still counts.</summary>
    [Fact]
    public async Task Lease_is_counted_from_before_the_commit_that_wrote_it()
    {
        var clock = new ManualTimeProvider();
        var begun = new TaskCompletionSource();
        var cut = new TaskCompletionSource();
        var definition = Workflow
            .Define<Tally>("slow")
            .Activity<int>("work", (_, context) => WorkAsync(begun, cut, context.CancellationToken), static (_, _) => { })
            .Build();
        await using var backend = new InMemoryWorkflowBackend(clock);
        await using var client = new WorkflowClient(backend, new WorkflowRegistry([definition]), Options, clock);
        await using var runner = new ActivityRunner(backend, client, Options, new CounterSet(), clock, NullLogger.Instance);
        var lease = new ActivityLease(Guid.CreateVersion7(), Guid.CreateVersion7(), 1);
        var leasedAt = clock.GetTimestamp();
        clock.Advance(TimeSpan.FromSeconds(6));

        Assert.True(runner.TryReserve());
        runner.Run(new LeasedActivity(lease, definition, "work", null) { State = "{}"u8.ToArray() }, leasedAt);
        try
        {
            await begun.Task.WaitAsync(TimeSpan.FromSeconds(20), Token);
            Assert.False(cut.Task.IsCompleted);
            clock.Advance(TimeSpan.FromSeconds(3));
            await cut.Task.WaitAsync(TimeSpan.FromSeconds(20), Token);
        }
        finally
        {
            // However it ends, the runner must not wait for a clock that stands still.
            clock.Advance(TimeSpan.FromMinutes(1));
        }
    }

    private static async Task<int> WorkAsync(TaskCompletionSource begun, TaskCompletionSource cut, CancellationToken cancellation)
    {
        await using var registration = cancellation.Register(cut.SetResult);
        begun.SetResult();
        await Task.Delay(Timeout.Infinite, cancellation);
        return 1;
    }
}
