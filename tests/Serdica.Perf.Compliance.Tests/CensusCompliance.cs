namespace Serdica.Perf.Compliance;

/// <summary>Counts, stuck instances, purge.</summary>
public abstract class CensusCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Empty_schema_counts_nothing()
    {
        var census = await Census();

        Assert.Equal(Enum.GetValues<InstanceStatus>().ToHashSet(), census.Instances.Keys.ToHashSet());
        Assert.Equal(
            (0, 0, 0, 0, 0, 0),
            (census.Total, census.SignalsDue, census.SignalsLater, census.DeadLetters, census.Stuck, census.Messages)
        );
        Assert.Empty(await DeadLetters());
    }

    [Fact]
    public async Task Census_counts_instances_by_status_and_signals_by_time()
    {
        var waiting = Seam.Instance();
        await Backend.SubmitAsync(
            Seam.Start(waiting),
            Seam.Start(Seam.Closed()),
            Seam.Start(Seam.Closed()),
            Seam.Start(Seam.Closed(InstanceStatus.Faulted)),
            Seam.Start(Seam.Closed(InstanceStatus.Cancelled)),
            Seam.Publish(waiting.Id),
            Seam.Publish(waiting.Id, due: Due.After(FromHours(1))),
            Seam.Publish(waiting.Id, due: Due.After(FromHours(2)))
        );

        var census = await Census();

        Assert.Equal(
            (1, 2, 1, 1, 0),
            (
                census.Count(InstanceStatus.Waiting),
                census.Count(InstanceStatus.Completed),
                census.Count(InstanceStatus.Faulted),
                census.Count(InstanceStatus.Cancelled),
                census.Count(InstanceStatus.Running)
            )
        );
        Assert.Equal((5, 1, 1, 2, 0), (census.Total, census.Open, census.SignalsDue, census.SignalsLater, census.Stuck));
        Assert.Equal(1, Assert.Single(census.OpenByDefinition).Value);
    }

    [Theory]
    [InlineData(WaitKinds.Timer, InstanceStatus.Waiting)]
    [InlineData(WaitKinds.Activity, InstanceStatus.Running)]
    [InlineData(WaitKinds.Child, InstanceStatus.Waiting)]
    public async Task Open_instance_that_nothing_will_move_is_stuck(WaitKinds waits, InstanceStatus status)
    {
        var stuck = Seam.Instance(waits: waits, status: status);
        await Backend.SubmitAsync(Seam.Start(stuck), Seam.Start(Seam.Instance()));

        Assert.Equal(1, (await Census()).Stuck);

        await Backend.SubmitAsync(Seam.Publish(stuck.Id, due: Due.After(FromHours(1))));
        Assert.Equal(0, (await Census()).Stuck);
    }

    [Fact]
    public async Task Parent_is_stuck_when_no_open_child_and_no_report_is_left()
    {
        var parent = Seam.Instance(waits: WaitKinds.Child);
        var child = Seam.ChildOf(parent);
        await Backend.SubmitAsync(Seam.Start(parent), Seam.Start(child), Seam.Publish(child.Id));
        Assert.Equal(0, (await Census()).Stuck);

        await Backend.ProcessAsync(10, Seam.Complete, Token);

        Assert.Equal(1, (await Census()).Stuck);
    }

    [Fact]
    public async Task Purge_takes_closed_instances_of_that_age_with_all_that_is_theirs()
    {
        var host = await HostAsync(Definitions.Approval);
        var old = await host.Client.StartAsync(Definitions.Approval, "old");
        await host.Client.SignalAsync(old.Id, "early", 1, new PublishOptions { DedupKey = "k" }, Token);
        await host.Client.SendAsync(old.Id, "approve", "yes");
        await CloseOf(host.Client, old.Id);
        var open = await host.Client.StartAsync(Definitions.Approval, "open");
        Assert.Equal(1, (await Census()).DeadLetters);

        Assert.Equal(0, await host.Client.PurgeAsync(FromHours(1), Token));
        await Eventually(async () => await host.Client.PurgeAsync(TimeSpan.Zero, Token) == 1, "the closed one is purged");

        Assert.Null(await Backend.FindAsync(old.Id, Token));
        Assert.Null(await Backend.FindByKeyAsync("old", Token));
        Assert.NotNull(await Backend.FindAsync(open.Id, Token));
        Assert.Equal((1, 0), ((await Census()).Total, (await Census()).DeadLetters));
        Assert.True((await host.Client.StartAsync(Definitions.Approval, "old")).IsNew);
        Assert.Equal(0, await host.Client.PurgeAsync(TimeSpan.Zero, Token));
    }

    [Fact]
    public async Task Purge_takes_all_that_have_closed_and_none_that_has_not_however_many_there_are()
    {
        InstanceRecord[] closed = [.. Range(0, 2_500).Select(number => Seam.Closed(InstanceStatus.Completed + (number % 3)))];
        InstanceRecord[] open = [.. Range(0, 5).Select(_ => Seam.Instance())];
        foreach (var batch in closed.Concat(open).OrderBy(instance => instance.Id.GetHashCode()).Chunk(250))
            await Backend.SubmitAsync([.. batch.Select(instance => Seam.Start(instance))], Token);

        var purged = 0;
        await Eventually(
            async () => (purged += await Backend.PurgeAsync(TimeSpan.Zero, Token)) >= closed.Length,
            "the closed ones are purged"
        );

        Assert.Equal(closed.Length, purged);
        Assert.Equal(open.Length, (await Census()).Total);
    }

    [Fact]
    public async Task Purge_leaves_signals_dedup_keys_and_dead_letters_of_instances_that_stay()
    {
        var open = Seam.Instance();
        SignalSubmission Once(Due due) => new(Seam.Signal(open.Id, due: due), dedupKey: "once");
        await Backend.SubmitAsync(Seam.Start(open, Seam.Signal(open.Id)));
        await Backend.DecideAsync(
            (decision, claimed) => decision.DeadLetters = [new DeadLetter(claimed.Signals[0], DeadLetterReason.BufferFull, "Full.")]
        );
        await Backend.SubmitAsync(Once(Due.After(FromHours(1))));
        await Backend.SubmitAsync(Seam.Start(Seam.Closed()));

        await Eventually(async () => await Backend.PurgeAsync(TimeSpan.Zero, Token) == 1, "the closed one is purged");

        var again = Once(default);
        await Backend.SubmitAsync(again);
        var census = await Census();
        Assert.Equal((PublishOutcome.Duplicate, 1, 1), (again.Outcome, census.SignalsLater, census.DeadLetters));
    }

    [Fact]
    public async Task Signal_of_a_purged_instance_is_never_claimed()
    {
        var instance = Seam.Closed();
        await Backend.SubmitAsync(Seam.Start(instance, Seam.Signal(instance.Id)));

        await Eventually(async () => await Backend.PurgeAsync(TimeSpan.Zero, Token) == 1, "the closed one is purged");

        Assert.Empty(await Backend.TakeAsync());
        Assert.Equal(0, (await Census()).SignalsDue);
    }
}
