namespace Serdica.Perf.Compliance;

/// <summary>Direct signals where nothing is locked: what others do between the read and the write of one that is decided.</summary>
public abstract class DirectDocumentCompliance(IBackendFixture fixture) : DirectCompliance(fixture)
{
    /// <summary>It may come from a server that is the primary no more.</summary>
    [Fact]
    public async Task Signal_that_the_read_did_not_see_comes_first()
    {
        var instance = await Backend.StartAsync();
        var late = Hooked(() =>
            Backend.SubmitAsync(Seam.Publish(instance.Id, "stored", Due.AtTime(DateTimeOffset.UtcNow - FromMinutes(1))))
        );
        var direct = Seam.Publish(instance.Id, "direct");

        await late.SubmitDirectAsync(direct);

        Assert.False(direct.IsDecided, "It has overtaken a signal that was stored before.");
        Assert.Equal(["stored", "direct"], await Backend.TakeAsync());
        Assert.Equal(2, (await RecordOf(instance.Id)).Version);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Signal_of_an_instance_that_changes_before_the_write_is_stored_and_the_others_are_decided_again(bool byWorker)
    {
        var (contested, other) = (Seam.Instance(), Seam.Instance());
        await Backend.SubmitAsync(Seam.Start(contested), Seam.Start(other));
        var late = Hooked(async () =>
        {
            if (!byWorker)
            {
                await Backend.SubmitDirectAsync(Seam.Publish(contested.Id));
                return;
            }

            await Backend.SubmitAsync(Seam.Publish(contested.Id, "first"));
            Assert.Equal(["first"], await Backend.TakeAsync());
        });
        SignalSubmission[] batch = [Seam.Publish(contested.Id, "late"), new(Seam.Signal(other.Id), dedupKey: "once")];
        var decided = new List<int>();

        await late.SubmitDirectAsync(
            claimed =>
            {
                decided.Add(claimed.Instances.Count);
                return Seam.Count(claimed);
            },
            batch
        );

        Assert.Equal([2, 1], decided);
        Assert.Equal([false, true], batch.Select(static item => item.IsDecided));
        Assert.All(batch, static item => Assert.Equal(PublishOutcome.Accepted, item.Outcome));
        Assert.Equal((1L, 1L), ((await RecordOf(contested.Id)).Version, (await RecordOf(other.Id)).Version));
        Assert.Equal(["late"], await Backend.TakeAsync());
        Assert.Equal(2, (await RecordOf(contested.Id)).Version);
    }

    [Fact]
    public async Task Turn_of_a_worker_that_is_held_while_its_instance_is_decided_directly_is_undone_and_comes_again()
    {
        var instance = await Backend.StartAsync();
        using var turn = new HeldTurns();
        var read = default(DateTimeOffset);
        Task<ProcessOutcome>? held = null;
        var quick = Hooked(async () =>
        {
            // What is stored in the same millisecond comes first.
            await using var database = Schema.Open();
            var clock = new ServerClock(database);
            await Eventually(async () => await clock.ReadAsync(Token) > read, "the server's clock goes on");
            await Backend.SubmitAsync(Seam.Publish(instance.Id, "stored"));
            held = Backend.ProcessAsync(new ClaimRequest(10), turn.DecideAsync, Token);
            await turn.Begun.WaitAsync(Token);
        });
        var direct = Seam.Publish(instance.Id, "direct");

        await quick.SubmitDirectAsync(Seam.CountAfter(batch => read = batch.Now), direct);
        turn.MayGoOn.SetResult();

        Assert.True(direct.IsDecided);
        var outcome = await held!;
        Assert.Equal((0, true), (outcome.Signals, outcome.Conflict));
        Assert.Equal(1, (await RecordOf(instance.Id)).Version);
        Assert.Equal(["stored"], await Backend.TakeAsync());
        Assert.Equal(2, (await RecordOf(instance.Id)).Version);
    }

    [Fact]
    public async Task Instance_that_others_change_each_time_gets_its_signal_stored_in_the_end()
    {
        var instances = await Backend.StartManyAsync(5);
        var batch = instances.ConvertAll(static instance => Seam.Publish(instance.Id));
        var tries = 0;

        // Each time one of them is decided by somebody else.
        await Backend.SubmitAsync(
            batch,
            new DirectTurns(async claimed =>
            {
                await Connect().SubmitDirectAsync(Seam.Publish(claimed.Instances[0].Instance.Id));
                tries++;
                return Seam.Count(claimed);
            }),
            Token
        );

        Assert.Equal(3, tries);
        Assert.All(batch, static item => Assert.Equal((PublishOutcome.Accepted, false), (item.Outcome, item.IsDecided)));
        Assert.Equal(5, (await Backend.TakeAsync()).Count);
        var versions = await VersionsAsync(instances);
        Assert.Equal(8, versions.Sum());
    }

    [Fact]
    public Task Instance_whose_state_is_larger_than_its_share_is_left_to_the_workers() => Backend.DecidesNoneThatIsLargerThanItsShare();

    [Fact]
    public async Task Instances_that_one_reply_has_no_room_for_are_left_to_the_workers()
    {
        var instances = Range(0, 10).Select(static _ => Seam.Instance() with { State = new byte[2_000_000] }).ToList();
        foreach (var instance in instances)
            await Backend.SubmitAsync(Seam.Start(instance));
        List<SignalSubmission> batch = [.. instances.Select(static instance => Seam.Publish(instance.Id)), Seam.Publish(Guid.NewGuid())];

        await Backend.SubmitAsync(
            batch,
            new DirectTurns(static claimed => Task.FromResult(Seam.Count(claimed))) { MaxBytes = 1L << 30 },
            Token
        );

        Assert.Equal(
            [.. instances.Select(static _ => PublishOutcome.Accepted), PublishOutcome.UnknownInstance],
            batch.Select(static item => item.Outcome)
        );
        var decided = batch.Count(static item => item.IsDecided);
        Assert.InRange(decided, 1, 9);
        Assert.Equal(10 - decided, (await Census()).SignalsDue);
    }

    /// <summary>What is read of the stored signals is bounded: the instance with most of them hides the others.</summary>
    [Fact]
    public async Task Instance_with_many_stored_signals_does_not_let_others_be_overtaken()
    {
        var instances = await Backend.StartManyAsync(3);
        Submission[] stored =
        [
            .. Range(0, 50).Select(_ => Seam.Publish(instances[0].Id, "stored")),
            Seam.Publish(instances[1].Id, "stored"),
        ];
        await Backend.SubmitAsync(stored, Token);
        var batch = instances.ConvertAll(static instance => Seam.Publish(instance.Id, "direct"));

        await Backend.SubmitDirectAsync([.. batch]);

        Assert.Equal([false, false, true], batch.Select(static item => item.IsDecided));
        await Backend.TakeAsync();
        var versions = await VersionsAsync(instances);
        Assert.Equal([51, 2, 1], versions);
    }

    private Task<long[]> VersionsAsync(List<InstanceRecord> instances) =>
        Task.WhenAll(instances.Select(async instance => (await RecordOf(instance.Id)).Version));

    private DocumentTestSchema Schema => (DocumentTestSchema)TestSchema;

    /// <summary>A process to which something happens between its first read and its first write.</summary>
    private MongoDbWorkflowBackend Hooked(Func<Task> beforeWrite) =>
        Own(new MongoDbWorkflowBackend(DatabaseWithHook.Over(Schema.Open(), beforeWrite: beforeWrite).Database));
}
