namespace Serdica.Perf.Compliance;

/// <summary>One instance that makes every claim with it fail, and the others, which must not notice.</summary>
public abstract class IsolationCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private const int Bystanders = 40;

    [Fact]
    public async Task Instance_that_cannot_be_written_is_put_off_its_bystanders_close_and_its_signal_is_given_up()
    {
        var client = Client(Definitions.Appending);
        var (culprit, bystanders) = await StartAsync(client);

        var backend = new RefusesInstance(Connect(), culprit, static _ => true);
        var host = await HostAsync(backend, Quick with { Workers = 2, ClaimBatch = 16 }, Definitions.Appending);

        foreach (var bystander in bystanders)
            await Completes(client, bystander);
        await Eventually(async () => (await DeadLetters()).Count == 1, "the culprit's signal is given up");
        var letter = Assert.Single(await DeadLetters());
        Assert.Equal((culprit, DeadLetterReason.Refused), (letter.Signal.InstanceId, letter.Reason));
        Assert.Contains("The disk does not like it", letter.Detail);
        Assert.Equal((InstanceStatus.Waiting, 0L), (await StatusOf(culprit), await VersionOf(culprit)));

        // What is mended goes on with what was given up.
        await host.StopAsync(Token);
        await HostAsync(Definitions.Appending);
        Assert.Equal(1, await Backend.RequeueDeadLettersAsync([letter.Signal.Id], Token));
        await Completes(client, culprit);
        await Quiescence();
    }

    /// <param name="delayMs">For how long. The shorter one is over before all of them are put off.</param>
    /// <param name="busyMs">The host is busy for that long between the second of these claims and its decision.</param>
    [Theory]
    [InlineData(256, 1, 20, 0)]
    [InlineData(2, 3, 20, 0)]
    [InlineData(2, 3, 2000, 300)]
    public async Task Signals_that_were_put_off_are_not_overtaken_by_those_that_came_meanwhile(
        int claimBatch,
        int claims,
        int delayMs,
        int busyMs
    )
    {
        var client = Client(Definitions.Appending);
        var instance = (await client.StartAsync(Definitions.Appending)).Id;
        for (var i = 0; i < 5; i++)
            await client.SendAsync(instance, "append", i);
        var backend = new PausesAfterPuttingOff(Connect(), failures: 2, claims, FromMilliseconds(busyMs));
        var options = Quick with
        {
            Workers = 1,
            ClaimBatch = claimBatch,
            InstanceRetry = new RetryPolicy { MaxAttempts = 3, FirstDelay = FromMilliseconds(delayMs) },
        };
        var host = await HostAsync(backend, options, Definitions.Appending);

        // They are due again before the host looks again, and what comes now is due earlier than that.
        await backend.PutOffAsync().InTime();
        await client.SendAsync(instance, "append", Definitions.Last);
        await Eventually(async () => (await Census()).SignalsDue == 6, "what was put off is due again");
        backend.Continue();

        Assert.Equal(6, (await CloseOf(client, instance)).Version);
        Assert.Equal(Range(0, 5), await EntriesOf(client, instance));
        await CountedAsync(host);
        Assert.Equal(2, host.Counters.BackendFailures);
    }

    [Fact]
    public async Task Instance_that_cannot_be_written_faults_where_nothing_else_would_move_it()
    {
        var definition = Workflow
            .Define<Ledger>("napping")
            .Delay("nap", (_, _) => Due.After(FromMilliseconds(1)))
            .WaitFor<int>("end", (_, _) => { })
            .Build();
        var client = Client(Definitions.Appending, definition);
        var culprit = (await client.StartAsync(definition)).Id;
        var (_, bystanders) = await StartAsync(client);

        var backend = new RefusesInstance(Connect(), culprit, static record => !record.Status.IsClosed());
        await HostAsync(backend, Quick with { ClaimBatch = 16 }, Definitions.Appending, definition);

        foreach (var bystander in bystanders)
            await Completes(client, bystander);

        // Whether it is the instance or the database that fails is seen by others that come after its first failure.
        await Eventually(
            async () =>
            {
                var later = await client.StartAsync(Definitions.Appending);
                await client.SendAsync(later.Id, "append", Definitions.Last);
                await CloseOf(client, later.Id);
                return (await RecordOf(culprit)).Status.IsClosed();
            },
            "the culprit is given up"
        );
        var record = await RecordOf(culprit);
        Assert.Equal(InstanceStatus.Faulted, record.Status);
        Assert.Contains("The disk does not like it", record.Error);
        await Quiescence();
    }

    [Fact]
    public async Task Instance_that_cannot_be_written_at_all_does_not_hold_up_what_comes_later()
    {
        var client = Client(Definitions.Appending);
        var (culprit, bystanders) = await StartAsync(client);
        var backend = new RefusesInstance(Connect(), culprit, static _ => true, refusesLetters: true);
        var host = await HostAsync(backend, Quick with { ClaimBatch = 16 }, Definitions.Appending);
        await Task.WhenAll(bystanders.Select(bystander => CloseOf(client, bystander)));

        for (var round = 0; round < 3; round++)
        {
            var later = await client.StartAsync(Definitions.Appending);
            await client.SendAsync(later.Id, "append", Definitions.Last);
            await Completes(client, later.Id);
        }

        Assert.Equal(InstanceStatus.Waiting, await StatusOf(culprit));
        Assert.True(host.Counters.Deferred > 0, "Nothing was put off: the test has shown nothing.");
    }

    /// <summary>A timeout or a lost connection may be the fault of the database as well, whatever others could write meanwhile.</summary>
    [Fact]
    public async Task Instance_whose_failures_could_pass_is_kept_from_the_others_and_never_given_up()
    {
        var client = Client(Definitions.Appending);
        var (culprit, bystanders) = await StartAsync(client);
        var backend = new RefusesInstance(Connect(), culprit, static _ => true) { IsTransient = true };
        var host = await HostAsync(backend, Quick with { Workers = 1, ClaimBatch = 16 }, Definitions.Appending);

        foreach (var bystander in bystanders)
            await Completes(client, bystander);
        await Eventually(() => host.Counters.BackendFailures > 12, "the culprit has used up its tries");
        Assert.Empty(await DeadLetters());
        backend.IsMended = true;

        await Completes(client, culprit);
        await Quiescence();
    }

    /// <param name="period">One in this many claims is written all the same; 0: none.</param>
    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 0)]
    [InlineData(true, 3)]
    public async Task Outage_that_refuses_everything_faults_and_buries_nothing(bool isTransient, int period)
    {
        var client = Client(Definitions.Appending);
        var (first, others) = await StartAsync(client);
        var backend = new RefusesInstance(Connect(), null, static _ => true) { IsTransient = isTransient, Period = period };
        var host = await HostAsync(backend, Quick with { ClaimBatch = 16 }, Definitions.Appending);
        await Eventually(() => host.Counters.BackendFailures > 8, "the outage has lasted");

        backend.IsMended = true;

        foreach (var instance in others.Append(first))
            await Completes(client, instance);
        Assert.Empty(await DeadLetters());
        await Quiescence();
    }

    [Fact]
    public async Task Handler_that_does_not_end_frees_its_batch_and_is_given_up()
    {
        using var release = new ManualResetEventSlim();
        var hanging = Workflow.Define<Ledger>("hanging").WaitFor<int>("go", (_, _) => release.Wait(CancellationToken.None)).Build();
        var client = Client(hanging, Definitions.Appending);
        var culprit = await client.StartAsync(hanging);
        await client.SendAsync(culprit.Id, "go", 1);
        var (_, bystanders) = await StartAsync(client);
        var options = Quick with { Workers = 1, DecideTimeout = FromSeconds(2) };
        try
        {
            var host = await HostAsync(options, hanging, Definitions.Appending);

            foreach (var bystander in bystanders)
                await Completes(client, bystander);

            // Each of its tries may hold the instance until the limit of a claim has passed.
            await Eventually(async () => (await DeadLetters()).Count == 1, "the signal is given up");
            var letter = Assert.Single(await DeadLetters());
            Assert.Equal((culprit.Id, DeadLetterReason.AttemptsExhausted), (letter.Signal.InstanceId, letter.Reason));
            Assert.Contains("DecideTimeout", letter.Detail);

            // Where the handler started late in its batch, the first try counts for the batch and not for the handler.
            Assert.InRange(host.Counters.HandlerFailures, Quick.InstanceRetry.MaxAttempts - 1, Quick.InstanceRetry.MaxAttempts);
            Assert.Equal(0, host.Counters.BackendFailures);
            Assert.Equal((InstanceStatus.Waiting, 0L), (await StatusOf(culprit.Id), await VersionOf(culprit.Id)));
        }
        finally
        {
            release.Set();
        }
    }

    /// <summary>No handler takes long: they do together, of one instance and of many.</summary>
    [Fact]
    public async Task Backlog_that_takes_longer_than_the_limit_of_a_claim_is_handled_in_order()
    {
        const int Signals = 100;
        var slow = Workflow
            .Define<Ledger>("slow")
            .WaitFor<int>("append", (ledger, number, _) =>
            {
                Thread.Sleep(10);
                ledger.Entries.Add(number);
                return ledger.Entries.Count < Signals ? Next.Stay : Next.Complete;
            })
            .Build();
        var client = Client(slow);
        var started = await StartAsync(client, slow, 3);
        for (var i = 0; i < Signals; i++)
            await Task.WhenAll(started.Select(instance => client.SendAsync(instance.Id, "append", i)));

        var host = await HostAsync(Quick with { DecideTimeout = FromMilliseconds(800) }, slow);

        foreach (var instance in started)
        {
            Assert.Equal(Signals, (await CloseOf(client, instance.Id)).Version);
            Assert.Equal(Range(0, Signals), await EntriesOf(client, instance.Id));
        }

        await CountedAsync(host);
        Assert.Equal(3 * Signals, host.Counters.Signals);
        Assert.Empty(await DeadLetters());
        await Quiescence();
    }

    /// <summary>Instances with a signal each that completes them; the first one's is the oldest.</summary>
    private async Task<(Guid First, List<Guid> Others)> StartAsync(WorkflowClient client)
    {
        var started = new List<Guid>();
        for (var i = 0; i <= Bystanders; i++)
            started.Add((await client.StartAsync(Definitions.Appending)).Id);
        foreach (var id in started)
            await client.SendAsync(id, "append", Definitions.Last);
        return (started[0], started[1..]);
    }

    /// <summary>Fails each commit that would write the instance (all of them: null) in a state that is refused.</summary>
    private sealed class RefusesInstance(
        IWorkflowBackend inner,
        Guid? instanceId,
        Func<InstanceRecord, bool> refuses,
        bool refusesLetters = false
    ) : BackendDecorator(inner)
    {
        private int _claims;

        public volatile bool IsMended;

        public bool IsTransient { get; init; }

        public int Period { get; init; }

        protected override void Decided(IReadOnlyList<Decision> decisions)
        {
            if (IsMended || !decisions.Any(Refuses) || (Period > 0 && Interlocked.Increment(ref _claims) % Period == 0))
                return;
            throw IsTransient
                ? new WorkflowBackendException("The disk is busy.", isTransient: true) { Failure = BackendFailure.Timeout }
                : new InvalidTimeZoneException("The disk does not like it.");
        }

        private bool Refuses(Decision decision) =>
            (decision.Instance is { } record && (instanceId is null || record.Id == instanceId) && refuses(record))
            || (refusesLetters && decision.DeadLetters?.Exists(letter => letter.Signal.InstanceId == instanceId) == true)
            || (instanceId is null && decision.Sent is not null);
    }

    /// <summary>Fails the first claims, lets the next ones put the signals off, and waits before the one after them.</summary>
    private sealed class PausesAfterPuttingOff(IWorkflowBackend inner, int failures, int claims, TimeSpan busy) : BackendDecorator(inner)
    {
        private readonly TaskCompletionSource _putOff = new(RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _continue = new(RunContinuationsAsynchronously);
        private int _claims;

        public Task PutOffAsync() => _putOff.Task;

        public void Continue() => _continue.SetResult();

        public override async Task<ProcessOutcome> ProcessAsync(
            ClaimRequest request,
            DecideBatch decide,
            CancellationToken cancellationToken
        )
        {
            if (_claims >= failures + claims)
            {
                _putOff.TrySetResult();
                await _continue.Task.WaitAsync(cancellationToken);
            }

            return await base.ProcessAsync(request, batch => DecideAsync(batch, decide), cancellationToken);
        }

        private async Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch, DecideBatch decide)
        {
            if (_claims == failures + 1)
                await Task.Delay(busy);
            var decisions = await decide(batch);
            return ++_claims > failures ? decisions : throw new InvalidTimeZoneException("The row cannot be written.");
        }
    }
}
