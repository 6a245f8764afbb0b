namespace Serdica.Perf.Compliance;

/// <summary>Handlers that fail: attempts are capped, the reason is kept, bystanders are unharmed.</summary>
public abstract class DeadLetterCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    /// <summary>Appending this one makes the handler of <see cref="Picky"/> throw.</summary>
    private const int Poison = 666;

    [Fact]
    public async Task Poison_is_tried_as_often_as_allowed_then_buried_and_the_next_signals_go_on_in_order()
    {
        var tries = 0;
        var definition = Picky(() => tries++);
        var (host, started) = await StartedAsync(definition);

        foreach (var number in new[] { 1, Poison, 2, 3 })
            await host.Client.SendAsync(started.Id, "append", number);
        await Eventually(async () => (await StateOf(host.Client, started.Id)).Entries.Count == 3, "the other signals are handled");

        Assert.Equal([1, 2, 3], await EntriesOf(host.Client, started.Id));
        var letter = Assert.Single(await host.Client.ListDeadLettersAsync(cancellationToken: Token));
        Assert.Equal(
            (DeadLetterReason.AttemptsExhausted, started.Id, "append"),
            (letter.Reason, letter.Signal.InstanceId, letter.Signal.Name)
        );
        Assert.Equal("666"u8.ToArray(), letter.Signal.Payload);
        Assert.Contains("FormatException: 666 is not to our taste.", letter.Detail);
        await Quiescence();
        await CountedAsync(host);

        // A decision that is undone, because the instance has changed meanwhile, has run the handler too, and is no attempt.
        var undone = host.Counters.Conflicts + MongoDbDirectBatch.MaxTries;
        Assert.InRange(tries, Quick.SignalRetry.MaxAttempts, Quick.SignalRetry.MaxAttempts + undone);
        Assert.Equal((1, Quick.SignalRetry.MaxAttempts), (host.Counters.DeadLetters, host.Counters.HandlerFailures));
    }

    [Fact]
    public async Task Handler_that_fails_and_then_succeeds_leaves_no_trace_of_its_failure()
    {
        var tries = 0;
        var definition = Workflow
            .Define<Ledger>("flaky")
            .WaitFor<int>("append", (ledger, number) =>
            {
                ledger.Entries.Add(number);
                if (++tries < 3)
                    throw new TimeoutException("Once more.");
            })
            .WaitFor<int>("end", (_, _) => { })
            .Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "append", 5);
        await Eventually(async () => (await RecordOf(started.Id)).Step == "end", "the third try succeeds");

        Assert.Equal([5], await EntriesOf(host.Client, started.Id));
        Assert.Empty(await DeadLetters());
        await Quiescence();
    }

    [Fact]
    public async Task Batch_mates_of_poison_are_unharmed()
    {
        var definition = Picky(() => { });
        var client = Client(definition);
        var started = await StartAsync(client, definition, 20);
        await Task.WhenAll(started.Select((instance, i) => client.SendAsync(instance.Id, "append", i == 7 ? Poison : i)));

        var host = await HostAsync(definition);
        await Eventually(
            async () => (await Census()) is { SignalsDue: 0, SignalsLater: 0, DeadLetters: 1 },
            "only the poison is dead-lettered"
        );

        for (var i = 0; i < 20; i++)
            Assert.Equal(i == 7 ? [] : [i], await EntriesOf(host.Client, started[i].Id));
        Assert.Equal(0, host.Counters.BackendFailures);
    }

    [Fact]
    public async Task Error_text_that_no_database_likes_harms_nobody()
    {
        var definition = Workflow
            .Define<Ledger>("babel")
            .WaitFor<int>("append", (_, _, _) => throw new FormatException("nul \0, half a pair \uD83C, " + new string('x', 100_000)))
            .Build();
        var faulting = Workflow.Define<Ledger>("babel-fault").WaitFor<int>("append", (_, _) => Next.Fault("nul \0 \uDC00")).Build();
        var host = await HostAsync(definition, faulting, Definitions.Appending);
        var babel = await host.Client.StartAsync(definition);
        var fault = await host.Client.StartAsync(faulting);
        var cancelled = await host.Client.StartAsync(Definitions.Appending);

        await host.Client.SendAsync(babel.Id, "append", 1);
        await host.Client.SendAsync(fault.Id, "append", 1);
        await host.Client.CancelAsync(cancelled.Id, "nul \0 \uD83C", Token);
        await Eventually(async () => (await DeadLetters()).Count == 1, "the poison is dead-lettered");

        Assert.Contains("nul", (await CloseOf(host.Client, fault.Id)).Error);
        Assert.Contains("nul", (await CloseOf(host.Client, cancelled.Id)).Error);
        var detail = (await DeadLetters())[0].Detail;
        Assert.Contains("half a pair", detail);
        Assert.DoesNotContain('\0', detail);
        Assert.InRange(detail.Length, 1, 10_000);
        Assert.Equal(0, host.Counters.BackendFailures);
    }

    [Fact]
    public async Task Payload_that_is_no_json_is_buried_and_harms_nobody()
    {
        var (host, started) = await StartedAsync(Definitions.Appending);

        await host.Client.SignalJsonAsync(started.Id, "append", [0xFF, 0x00, 0x7B], cancellationToken: Token);
        await host.Client.SignalJsonAsync(started.Id, "append", "\"not a number\""u8.ToArray(), cancellationToken: Token);
        await host.Client.SendAsync(started.Id, "append", 1);
        await Eventually(async () => (await StateOf(host.Client, started.Id)).Entries.Count == 1, "the sound signal is handled");

        var letters = await DeadLetters();
        Assert.Equal(2, letters.Count);
        Assert.Contains(letters, letter => letter.Signal.Payload.SequenceEqual(new byte[] { 0xFF, 0x00, 0x7B }));
        Assert.Equal(0, host.Counters.BackendFailures);
    }

    [Fact]
    public async Task State_that_grows_over_the_limit_buries_the_signal_and_keeps_the_old_state()
    {
        var host = await HostAsync(Quick with { MaxStateBytes = 2_000 }, Definitions.Approval);
        var started = await host.Client.StartAsync(Definitions.Approval, new Ledger { Note = "small" }, cancellationToken: Token);

        await host.Client.SendAsync(started.Id, "approve", new string('x', 3_000));
        await Eventually(async () => (await DeadLetters()).Count == 1, "the signal is dead-lettered");

        Assert.Contains("WorkflowStateException", (await DeadLetters())[0].Detail);
        Assert.Equal("small", (await StateOf(host.Client, started.Id)).Note);
        Assert.Equal(InstanceStatus.Waiting, await StatusOf(started.Id));
    }

    [Fact]
    public async Task Result_handler_that_fails_for_good_faults_the_instance()
    {
        var definition = Workflow
            .Define<Ledger>("bad-result")
            .Activity("call", (_, _) => Task.FromResult(1), (_, _) => throw new FormatException("Cannot take it."))
            .Build();
        var (host, started) = await StartedAsync(definition);

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal(InstanceStatus.Faulted, record.Status);
        Assert.Contains("Cannot take it.", record.Error);
        Assert.Equal(1, host.Counters.ActivityAttempts);
        await Quiescence();
    }

    [Fact]
    public async Task Requeued_dead_letter_is_handled_like_new()
    {
        var poisonous = true;
        var definition = Workflow
            .Define<Ledger>("mended")
            .WaitFor<int>("append", (ledger, number) =>
            {
                if (Volatile.Read(ref poisonous))
                    throw new TimeoutException("The bug is not mended yet.");
                ledger.Entries.Add(number);
            })
            .Build();
        var (host, started) = await StartedAsync(definition);
        await host.Client.SendAsync(started.Id, "append", 9);
        await Eventually(async () => (await DeadLetters()).Count == 1, "the signal is dead-lettered");
        var letter = (await host.Client.ListDeadLettersAsync(cancellationToken: Token))[0];

        Volatile.Write(ref poisonous, false);
        Assert.Equal(1, await host.Client.RequeueDeadLettersAsync([letter.Signal.Id, Guid.CreateVersion7()], Token));

        await Completes(host.Client, started.Id);
        Assert.Equal([9], await EntriesOf(host.Client, started.Id));
        Assert.Empty(await DeadLetters());
        Assert.Equal(0, await host.Client.RequeueDeadLettersAsync([letter.Signal.Id], Token));
    }

    /// <summary>More than 16 MB: as much as a reply of some servers holds.</summary>
    [Fact]
    public async Task Large_dead_letters_are_requeued_by_one_call()
    {
        const int count = 20;
        var instance = Seam.Instance();
        var signals = Range(0, count).Select(_ => Seam.Signal(instance.Id) with { Payload = new byte[1 << 20] }).ToArray();
        await Backend.SubmitAsync(Seam.Start(instance, signals));
        await Eventually(
            async () =>
            {
                await Backend.ProcessAsync(count, batch => [.. batch.Instances.Select(Bury)], Token);
                return (await Census()).DeadLetters == count;
            },
            "all are dead-lettered"
        );

        Assert.Equal(count, await Backend.RequeueDeadLettersAsync([.. signals.Select(signal => signal.Id)], Token));

        var census = await Census();
        Assert.Equal((0, count), (census.DeadLetters, census.SignalsDue));
    }

    [Fact]
    public async Task Dead_letter_of_a_closed_instance_is_not_requeued()
    {
        var (host, started) = await StartedAsync(Definitions.Approval);
        await host.Client.SendAsync(started.Id, "early", 1);
        await host.Client.SendAsync(started.Id, "approve", "yes");
        await CloseOf(host.Client, started.Id);
        var letter = Assert.Single(await DeadLetters());

        Assert.Equal(0, await host.Client.RequeueDeadLettersAsync([letter.Signal.Id], Token));

        Assert.Equal(1, (await Census()).DeadLetters);
    }

    [Fact]
    public async Task Dead_letters_are_listed_oldest_first_up_to_the_limit()
    {
        var instance = await Backend.StartAsync();
        foreach (var name in new[] { "a", "b", "c" })
            await BuryAsync(instance, name);

        Assert.Equal(["a", "b"], (await Backend.ListDeadLettersAsync(2, Token)).Select(letter => letter.Signal.Name));
        Assert.Equal(["a", "b", "c"], (await DeadLetters()).Select(letter => letter.Signal.Name));
    }

    [Fact]
    public async Task Dead_letters_are_read_by_pages_and_none_is_missed_or_comes_twice()
    {
        var instance = await Backend.StartAsync();
        await BuryAsync(instance, [.. Range(0, 7).Select(i => $"letter-{i}")]);
        await BuryAsync(instance, "letter-7", "letter-8");

        var pages = new List<IReadOnlyList<DeadLetter>>();
        for (
            DeadLetterPosition? after = null;
            pages.Count == 0 || pages[^1].Count > 0;
            after = pages[^1] is [.., var last] ? DeadLetterPosition.Of(last) : null
        )
            pages.Add(await Backend.ListDeadLettersAsync(new DeadLetterQuery { Limit = 2, After = after }, Token));

        Assert.Equal([2, 2, 2, 2, 1, 0], pages.Select(page => page.Count));
        Assert.Equal(
            (await Backend.ListDeadLettersAsync(100, Token)).Select(letter => letter.Signal.Id),
            pages.SelectMany(page => page).Select(letter => letter.Signal.Id)
        );
        Assert.Equal(
            Range(0, 9).Select(i => $"letter-{i}"),
            pages.SelectMany(page => page).Select(letter => letter.Signal.Name).Order()
        );
    }

    [Fact]
    public async Task Dead_letters_of_closed_instances_do_not_hide_those_that_can_be_requeued()
    {
        var closed = Seam.Instance();
        var open = Seam.Instance() with { Definition = "other" };
        await Backend.SubmitAsync(Seam.Start(closed), Seam.Start(open));
        await BuryAsync(closed, [.. Range(0, 20).Select(i => "old")]);
        await BuryAsync(open, "paid", "sent");
        await CloseAsync(closed.Id);

        Assert.Equal(["paid", "sent"], await NamesAsync(new() { InstanceIsOpen = true, Limit = 5 }));
        Assert.Equal(Repeat("old", 5), await NamesAsync(new() { InstanceIsOpen = false, Limit = 5 }));
        Assert.Equal(22, (await NamesAsync(new())).Count);
        Assert.Equal(["paid", "sent"], await NamesAsync(new() { InstanceId = open.Id }));
        Assert.Equal(["paid", "sent"], await NamesAsync(new() { Definition = "other" }));
        Assert.Equal(20, (await NamesAsync(new() { Definition = "by-hand", Reason = DeadLetterReason.BufferFull })).Count);
        Assert.Equal(["sent"], await NamesAsync(new() { Name = "sent", InstanceIsOpen = true }));
        Assert.Empty(await NamesAsync(new() { Reason = DeadLetterReason.InstanceClosed }));
        Assert.Empty(await NamesAsync(new() { Definition = "by-hand", InstanceIsOpen = true }));
    }

    [Fact]
    public async Task Early_signal_over_the_bound_is_buried()
    {
        var (host, started) = await StartedAsync(Quick with { MaxBufferedSignals = 3 }, Definitions.Approval);

        for (var i = 0; i < 5; i++)
            await host.Client.SendAsync(started.Id, "early", i);
        await Eventually(async () => await VersionOf(started.Id) == 5, "all are taken in");

        var letters = await DeadLetters();
        Assert.Equal(["3", "4"], letters.Select(letter => System.Text.Encoding.UTF8.GetString(letter.Signal.Payload)).Order());
        EachItem.Holds(letters, letter => Assert.Equal(DeadLetterReason.BufferFull, letter.Reason));
    }

    [Fact]
    public async Task Early_signals_over_the_bound_of_bytes_are_buried_and_the_reason_names_the_limit()
    {
        var (host, started) = await StartedAsync(Quick with { MaxBufferedBytes = 100 }, Definitions.Approval);

        foreach (var length in new[] { 58, 98, 38, 28 })
            await host.Client.SendAsync(started.Id, "early", new string('x', length));
        await host.Client.SendAsync(started.Id, "early", "");
        await Eventually(async () => await VersionOf(started.Id) == 5, "all are taken in");

        var letters = await DeadLetters();
        Assert.Equal([2, 30, 100], letters.Select(letter => letter.Signal.Payload.Length).Order());
        EachItem.Holds(letters, letter => Assert.Equal(DeadLetterReason.BufferFull, letter.Reason));
        EachItem.Holds(letters, letter => Assert.Contains("100 (WorkflowOptions.MaxBufferedBytes)", letter.Detail));

        // What the present step takes is not kept, whatever its size.
        await host.Client.SendAsync(started.Id, "approve", new string('y', 200));
        await Completes(host.Client, started.Id);
        Assert.Equal(0, host.Counters.BackendFailures);
    }

    [Fact]
    public async Task Handler_sees_which_attempt_it_is()
    {
        var definition = Workflow
            .Define<Ledger>("counting")
            .WaitFor<int>("append", (ledger, _, context) =>
            {
                if (context.Attempt < 3)
                    throw new TimeoutException("Once more.");
                ledger.Entries.Add(context.Attempt);
                return Next.Step;
            })
            .WaitFor<int>("append-2", (ledger, _, context) =>
            {
                ledger.Entries.Add(context.Attempt);
                return Next.Step;
            })
            .Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "append", 0);
        await host.Client.SendAsync(started.Id, "append-2", 0);

        await CloseOf(host.Client, started.Id);
        Assert.Equal([3, 1], await EntriesOf(host.Client, started.Id));
    }

    [Fact]
    public async Task Signal_that_the_present_step_takes_is_taken_however_many_others_are_kept()
    {
        var (host, started) = await StartedAsync(Quick with { MaxBufferedSignals = 3 }, Definitions.Approval);
        for (var i = 0; i < 3; i++)
            await host.Client.SendAsync(started.Id, "early", i);
        await Eventually(async () => await VersionOf(started.Id) == 3, "all are kept");

        await host.Client.SendAsync(started.Id, "approve", "good");

        await Eventually(async () => await StatusOf(started.Id) == InstanceStatus.Completed, "the awaited signal is taken");
        Assert.DoesNotContain(await DeadLetters(), letter => letter.Reason == DeadLetterReason.BufferFull);
    }

    [Fact]
    public async Task Burst_that_the_present_step_takes_is_not_counted_as_kept()
    {
        var client = Client(Definitions.Appending);
        var started = await client.StartAsync(Definitions.Appending);
        await Task.WhenAll(Range(0, 50).Select(i => client.SendAsync(started.Id, "append", i)));

        await HostAsync(Quick with { MaxBufferedSignals = 3 }, Definitions.Appending);
        await Eventually(async () => await VersionOf(started.Id) == 50, "all are taken in");

        Assert.Empty(await DeadLetters());
        Assert.Equal(50, (await StateOf(client, started.Id)).Entries.Count);
    }

    private async Task<List<string>> NamesAsync(DeadLetterQuery query) =>
        [.. (await Backend.ListDeadLettersAsync(query, Token)).Select(letter => letter.Signal.Name).Order()];

    /// <summary>Makes dead letters in one commit.</summary>
    private async Task BuryAsync(InstanceRecord instance, params string[] names)
    {
        await Backend.SubmitAsync(Seam.Publish(instance.Id));
        await Backend.DecideAsync(
            (decision, _) =>
                decision.DeadLetters =
                [
                    .. names.Select(name => new DeadLetter(Seam.Signal(instance.Id, name), DeadLetterReason.BufferFull, "Full.")),
                ]
        );
    }

    private async Task CloseAsync(Guid id)
    {
        await Backend.SubmitAsync(Seam.Publish(id));
        await Backend.ProcessAsync(10, Seam.Complete, Token);
    }

    private static WorkflowDefinition<Ledger> Picky(Action onPoison) =>
        Workflow
            .Define<Ledger>("picky")
            .WaitFor<int>("append", (ledger, number) =>
            {
                ledger.Entries.Add(number);
                if (number != Poison)
                    return Next.Stay;
                onPoison();
                throw new FormatException("666 is not to our taste.");
            })
            .Build();

    private static Decision Bury(ClaimedInstance claimed)
    {
        var decision = Seam.Count(claimed);
        decision.DeadLetters = [.. claimed.Signals.Select(signal => new DeadLetter(signal, DeadLetterReason.BufferFull, "by hand"))];
        return decision;
    }
}
