namespace Serdica.Perf.Compliance;

/// <summary>Claims that are rolled back from outside, on a backend whose calls do not leave the thread of their caller.</summary>
public sealed class AbandonedClaimTests
{
    [Fact]
    public async Task Claims_after_an_abandoned_one_are_not_abandoned_with_it()
    {
        using var release = new ManualResetEventSlim();
        var hanging = Workflow.Define<Ledger>("hanging").WaitFor<int>("go", (_, _) => release.Wait(CancellationToken.None)).Build();
        var options = new WorkflowOptions
        {
            Workers = 1,
            DecideTimeout = FromSeconds(2),
            InstanceRetry = new RetryPolicy { MaxAttempts = 3, FirstDelay = FromMilliseconds(20) },
        };
        await using var backend = new InMemoryWorkflowBackend();
        await using var host = new WorkflowHost(
            new UndoesOnTheCallersThread(backend),
            new WorkflowRegistry([hanging, Definitions.Appending]),
            options
        );
        await host.StartAsync(Token);
        try
        {
            var culprit = await host.Client.StartAsync(hanging);
            await host.Client.SendAsync(culprit.Id, "go", 1);
            while (host.Counters.DeadLetters == 0)
            {
                // Others must be written for an instance to be given up, and each of them shows that the worker goes on.
                var other = await host.Client.StartAsync(Definitions.Appending);
                await host.Client.SendAsync(other.Id, "append", Definitions.Last);
                await host.Client.WaitForCloseAsync(other.Id, Token).InTime();
            }

            Assert.Equal(DeadLetterReason.AttemptsExhausted, Assert.Single(await backend.ListDeadLettersAsync(10, Token)).Reason);
            Assert.InRange(host.Counters.HandlerFailures, options.InstanceRetry.MaxAttempts - 1, options.InstanceRetry.MaxAttempts);
            Assert.Equal(0, host.Counters.BackendFailures);
        }
        finally
        {
            release.Set();
        }
    }

    private sealed class UndoesOnTheCallersThread(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public override BackendCapabilities Capabilities => base.Capabilities with { UndoesAbandonedClaims = true };
    }
}
