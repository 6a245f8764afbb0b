namespace Serdica.Perf.Compliance;

/// <summary>Direct signals of a backend that holds instances while it decides them.</summary>
public abstract class DirectLockingCompliance(IBackendFixture fixture) : DirectCompliance(fixture)
{
    /// <summary>One with a stored signal that comes first is not held: it is left to the workers.</summary>
    [Fact]
    public async Task Instance_that_is_being_decided_is_passed_over_by_workers_and_by_other_callers()
    {
        var instance = await Backend.StartAsync();
        var left = await Backend.StartAsync("first");
        var second = Seam.Publish(left.Id, "second");
        var direct = Seam.Publish(instance.Id, "direct");
        var other = Seam.Publish(instance.Id, "other");
        List<string> claimed = ["none asked"];

        await Backend.SubmitAsync(
            [direct, second],
            new DirectTurns(async batch =>
            {
                var elsewhere = Connect();
                await elsewhere.SubmitDirectAsync(other);
                await elsewhere.SubmitAsync(Seam.Publish(instance.Id, "stored"));
                claimed = await elsewhere.TakeAsync();
                return Seam.Count(batch);
            }),
            Token
        );

        Assert.Equal(["first"], claimed);
        Assert.Equal((true, false, false), (direct.IsDecided, other.IsDecided, second.IsDecided));
        Assert.Equal(1, await VersionOf(instance.Id));
        var taken = await Backend.TakeAsync();
        Assert.Equal(["other", "stored"], taken.Except(["second"]));
        Assert.Contains("second", taken);
    }

    [Fact]
    public async Task Signal_that_workers_passed_over_while_its_instance_was_being_decided_is_looked_for_again()
    {
        using var mayEnd = new ManualResetEventSlim();
        var entered = new TaskCompletionSource(RunContinuationsAsynchronously);
        var definition = Workflow
            .Define<Ledger>("slow")
            .WaitFor<int>("append", (ledger, number, _) =>
            {
                ledger.Entries.Add(number);
                if (number == 1)
                {
                    entered.TrySetResult();
                    mayEnd.Wait(FromSeconds(30), CancellationToken.None);
                }

                return Next.Stay;
            })
            .Build();
        var options = Quick with { MaxPollInterval = FromMinutes(30), DecideTimeout = FromMinutes(1) };
        var (host, started) = await StartedAsync(options, definition);
        var direct = host.Client.SendAsync(started.Id, "append", 1);
        await entered.Task.InTime();

        // Its hint reaches the host, where there are hints between processes, and the look finds nothing.
        var looks = host.Counters.EmptyClaims;
        await Client(definition).SendAsync(started.Id, "append", 2);
        if (Backend.Capabilities.CrossProcessHints)
            await Eventually(() => Task.FromResult(host.Counters.EmptyClaims > looks), "a worker has looked");
        mayEnd.Set();
        await direct;

        await Eventually(async () => await VersionOf(started.Id) == 2, "the stored signal is handled");
        Assert.Equal([1, 2], await EntriesOf(host.Client, started.Id));
    }
}
