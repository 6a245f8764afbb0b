namespace Serdica.Perf.Compliance;

/// <summary>Claims on the seam: exclusive, ordered, bounded, whole or not at all.</summary>
public abstract class ClaimingCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    /// <summary>Two hosts of one process may share a backend object: one is full, or lacks a definition, and the other is not.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_one_claim_leaves_alone_is_not_hidden_from_the_next_one_of_the_same_object(bool skipsActivities)
    {
        Assert.SkipUnless(skipsActivities || Backend.Capabilities.FiltersDefinitions, "This backend does not filter definitions.");
        var now = DateTimeOffset.UtcNow;
        var left = Seam.Instance() with { Definition = "left-alone" };
        var passed = Seam.Signal(left.Id, "passed", Due.AtTime(now.AddMinutes(-10))) with { Kind = SignalKind.Activity };
        InstanceRecord[] others =
        [
            Seam.Instance(),
            Seam.Instance(),
            Seam.Instance() with
            {
                Definition = left.Definition,
                DefinitionVersion = left.DefinitionVersion + 1,
            },
        ];
        await Backend.SubmitAsync(
            [
                Seam.Start(left, passed),
                .. others.Select(other => Seam.Start(other, Seam.Signal(other.Id, "taken", Due.AtTime(now.AddMinutes(-1))))),
            ],
            Token
        );
        var request = new ClaimRequest(10);
        var filtered = skipsActivities
            ? request with { SkipActivities = true }
            : request with { Unknown = [new DefinitionVersion(left.Definition, left.DefinitionVersion)] };

        Assert.Equal(3, (await Backend.ProcessAsync(filtered, Decide, Token)).Signals);
        Assert.Equal(1, (await Backend.ProcessAsync(request, Decide, Token)).Signals);

        static Task<IReadOnlyList<Decision>> Decide(ClaimedBatch batch) => Task.FromResult(Seam.Count(batch));
    }

    [Fact]
    public async Task Claim_skips_what_another_worker_holds_and_takes_the_rest()
    {
        var held = Seam.Instance();
        var free = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(held), Seam.Start(free), Seam.Publish(held.Id, "held"));
        using var holds = new SemaphoreSlim(0);
        using var mayCommit = new ManualResetEventSlim();
        var slow = Task.Run(
            () =>
                Backend.ProcessAsync(
                    100,
                    batch =>
                    {
                        holds.Release();
                        mayCommit.Wait(Token);
                        return Seam.Count(batch);
                    },
                    Token
                ),
            Token
        );
        await holds.WaitAsync(Token);

        var other = Connect();
        await other.SubmitAsync(Seam.Publish(held.Id, "later for held"), Seam.Publish(free.Id, "free"));
        var taken = await other.TakeAsync();
        mayCommit.Set();
        var outcome = await slow;

        Assert.Equal(["free"], taken);
        Assert.Equal(1, outcome.Signals);
        Assert.Equal(["later for held"], await other.TakeAsync());
        Assert.Equal(2, await VersionOf(held.Id));
    }

    [Fact]
    public async Task Signals_of_an_instance_come_in_order_of_due_time_then_id()
    {
        var instance = Seam.Instance();
        var together = Due.AtTime(DateTimeOffset.UtcNow.AddMinutes(-1));
        var first = Seam.Publish(instance.Id, "first", together);
        var second = Seam.Publish(instance.Id, "second", together);
        var third = Seam.Publish(instance.Id, "third", together);
        var earlier = Seam.Publish(instance.Id, "earlier", Due.AtTime(DateTimeOffset.UtcNow.AddHours(-1)));
        await Backend.SubmitAsync(Seam.Start(instance));

        await Backend.SubmitAsync(second, third, first, earlier);

        Assert.Equal(["earlier", "first", "second", "third"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Claim_without_activities_takes_the_other_signals_and_leaves_those()
    {
        var busy = Seam.Instance();
        var both = Seam.Instance();
        var ready = Seam.Lease(both.Id, 1, TimeSpan.Zero);
        await Backend.SubmitAsync(
            Seam.Start(busy, Seam.Lease(busy.Id, 1, TimeSpan.Zero)),
            Seam.Start(both, ready),
            Seam.Publish(both.Id, "go")
        );
        var request = new ClaimRequest(10) { SkipActivities = true };

        Assert.Equal([(both.Id, SignalKind.External)], await ClaimAsync(request));
        Assert.Empty(await ClaimAsync(request));

        var left = await ClaimAsync(new ClaimRequest(10));
        Assert.Equal([(busy.Id, SignalKind.Activity), (both.Id, SignalKind.Activity)], left.OrderBy(signal => signal.InstanceId));
    }

    [Fact]
    public async Task Claim_is_bounded_by_bytes_and_always_takes_one_instance()
    {
        var large = new byte[100_000];
        large.AsSpan().Fill((byte)'1');
        var instances = Range(0, 8).Select(_ => Seam.Instance() with { State = large }).ToList();
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token);
        await Backend.SubmitAsync(
            [.. instances.Select(instance => new SignalSubmission(Seam.Signal(instance.Id) with { Payload = large }))],
            Token
        );

        List<Guid> claimed = [];
        while (claimed.Count < instances.Count)
        {
            // Two fit, and the bound may be exceeded by one.
            var more = await ClaimAsync(new ClaimRequest(100) { MaxBytes = 450_000 });
            Assert.InRange(more.Count, 1, 3);
            claimed.AddRange(more.Select(signal => signal.InstanceId));
        }

        Assert.Equal(instances.Select(instance => instance.Id), claimed.Order());
        await Backend.SubmitAsync(Seam.Publish(instances[0].Id));
        Assert.Single(await ClaimAsync(new ClaimRequest(100) { MaxBytes = 1 }));

        // Whoever was left out is to be claimed at once.
        await Backend.SubmitAsync(Seam.Publish(instances[0].Id), Seam.Publish(instances[1].Id));
        var cut = await Backend.ProcessAsync(new ClaimRequest(100) { MaxBytes = 1 }, Seam.Count, Token);
        Assert.Equal((1, TimeSpan.Zero), (cut.Signals, cut.NextDue));
    }

    [Fact]
    public async Task Signals_too_large_for_one_claim_are_not_taken_one_by_one()
    {
        var large = new byte[20_000];
        large.AsSpan().Fill((byte)'1');
        var instances = Range(0, 60).Select(_ => Seam.Instance()).ToList();
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token);
        await Backend.SubmitAsync(
            [.. instances.Select(instance => new SignalSubmission(Seam.Signal(instance.Id) with { Payload = large }))],
            Token
        );

        var claims = 0;
        for (var claimed = 0; claimed < instances.Count; claims++)
            claimed += (await ClaimAsync(new ClaimRequest(100) { MaxBytes = 500_000 })).Count;

        Assert.InRange(claims, 3, 15);

        // Small ones are many in a claim again, a few more with each.
        await Backend.SubmitAsync([.. Range(0, 500).Select(i => Seam.Publish(instances[i % 60].Id))], Token);
        var sizes = new List<int>();
        while (sizes.Sum() < 500)
            sizes.Add((await ClaimAsync(new ClaimRequest(100) { MaxBytes = 500_000 })).Count);
        Assert.InRange(sizes.Max(), 30, 100);
    }

    [Fact]
    public async Task Progress_counts_among_the_bytes_of_a_claim()
    {
        var large = new byte[100_000];
        large.AsSpan().Fill((byte)'1');
        var instances = Range(0, 8).Select(_ => Seam.Instance() with { Progress = large }).ToList();
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance, Seam.Signal(instance.Id)))], Token);

        // Two fit, and the bound may be exceeded by one.
        Assert.InRange((await ClaimAsync(new ClaimRequest(100) { MaxBytes = 250_000 })).Count, 1, 3);
    }

    [Fact]
    public async Task Claim_is_bounded_and_takes_the_first_signals_first()
    {
        var instance = await Backend.StartAsync();
        await Backend.SubmitAsync([.. Range(0, 10).Select(i => Seam.Publish(instance.Id, $"{i}"))], Token);

        var taken = new List<List<string>>();
        while (await Backend.TakeAsync(maxSignals: 4) is { Count: > 0 } some)
            taken.Add(some);

        EachItem.Holds(taken, some => Assert.InRange(some.Count, 1, 4));
        Assert.Equal(Range(0, 10).Select(i => $"{i}"), taken.SelectMany(some => some));
        Assert.Equal(10, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Claimed_signal_carries_all_that_was_published()
    {
        var instance = Seam.Instance("key");
        var signal = Seam.Signal(instance.Id, "ünïcode ✓") with { Payload = [0, 1, 255, 254], Attempt = 3 };
        var due = DateTimeOffset.UtcNow.AddMinutes(-1);
        await Backend.SubmitAsync(Seam.Start(instance));
        await Backend.SubmitAsync(new SignalSubmission(signal with { Due = Due.AtTime(due) }));

        ClaimedBatch? seen = null;
        await Backend.ProcessAsync(10, Seam.CountAfter(batch => seen = batch), Token);

        var claimed = Assert.Single(seen!.Instances);
        var got = Assert.Single(claimed.Signals);
        Assert.Equal(
            (signal.Id, instance.Id, SignalKind.External, "ünïcode ✓", 3),
            (got.Id, got.InstanceId, got.Kind, got.Name, got.Attempt)
        );
        Assert.Equal(signal.Payload, got.Payload);
        Assert.Equal(due, got.Due.At!.Value, FromMilliseconds(1));
        Assert.Equal(("key", 0L), (claimed.Instance.BusinessKey, claimed.Instance.Version));
        Assert.Equal(instance.State, claimed.Instance.State);
        Assert.True(seen.Now >= due);
    }

    [Fact]
    public async Task Claim_whose_decision_throws_has_changed_nothing()
    {
        var instance = await Backend.StartAsync("go");

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
            Backend.ProcessAsync(10, _ => throw new InvalidTimeZoneException("No decision."), Token)
        );

        Assert.Equal(0, await VersionOf(instance.Id));
        Assert.Equal(["go"], await Connect().TakeAsync());
        Assert.Equal(1, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Claim_that_is_cancelled_has_happened_whole_or_not_at_all()
    {
        var instance = await Backend.StartAsync("go");
        using var cancelled = new CancellationTokenSource();

        var handled = 0;
        try
        {
            handled = (await Backend.ProcessAsync(10, Seam.CountAfter(_ => cancelled.Cancel()), cancelled.Token)).Signals;
        }
        catch (OperationCanceledException)
        {
            // Allowed: then nothing must have been written.
        }

        Assert.Equal(handled, await VersionOf(instance.Id));
        Assert.Equal(1 - handled, (await Connect().TakeAsync()).Count);
        Assert.Equal(1, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Decision_on_another_version_is_a_conflict_and_writes_nothing()
    {
        var one = Seam.Instance();
        var other = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(one), Seam.Start(other), Seam.Publish(one.Id), Seam.Publish(other.Id));

        var outcome = await Backend.ProcessAsync(
            10,
            batch =>
            {
                var decisions = Seam.Count(batch);
                decisions[^1].ExpectedVersion = 41;
                decisions[0].Sent = [Seam.Signal(one.Id, "never")];
                return decisions;
            },
            Token
        );

        Assert.True(outcome.Conflict);
        Assert.Equal(0, outcome.Signals);
        Assert.Equal((0, 0), (await VersionOf(one.Id), await VersionOf(other.Id)));
        Assert.Equal(["go", "go"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Decision_is_written_with_all_its_parts()
    {
        var instance = Seam.Instance("parent");
        var timer = Seam.Signal(instance.Id, "withdrawn", Due.After(FromHours(1)));
        var kept = Seam.Signal(instance.Id, "kept", Due.After(FromHours(1)));
        await Backend.SubmitAsync(Seam.Start(instance, timer, kept), Seam.Publish(instance.Id));
        var created = (await RecordOf(instance.Id)).CreatedAt;
        var child = Seam.ChildOf(instance);
        var letter = new DeadLetter(Seam.Signal(instance.Id, "dead") with { Attempt = 7 }, DeadLetterReason.BufferFull, "Full.");

        await Backend.ProcessAsync(
            10,
            batch =>
                [
                    new Decision
                    {
                        Instance = batch.Instances[0].Instance with
                        {
                            Version = 1,
                            Step = "next",
                            Status = InstanceStatus.Running,
                            Waits = WaitKinds.Activity,
                            State = """{"a":1}"""u8.ToArray(),
                            Progress = """{"b":2}"""u8.ToArray(),
                            Error = "None yet.",
                        },
                        ExpectedVersion = 0,
                        Started = [child],
                        Withdrawn = [timer.Id],
                        Sent = [timer with { Name = "sent anew", Due = Due.Now }, Seam.Signal(child.Id, "to the child")],
                        DeadLetters = [letter],
                    },
                ],
            Token
        );

        var record = await RecordOf(instance.Id);
        Assert.Equal(
            (1L, "next", InstanceStatus.Running, WaitKinds.Activity, "None yet.", created),
            (record.Version, record.Step, record.Status, record.Waits, record.Error, record.CreatedAt)
        );
        Assert.Equal("""{"a":1}"""u8.ToArray(), record.State);
        Assert.Equal("""{"b":2}"""u8.ToArray(), record.Progress);
        Assert.Equal(instance.Id, (await RecordOf(child.Id)).ParentId);
        var dead = Assert.Single(await DeadLetters());
        Assert.Equal((letter.Signal.Id, DeadLetterReason.BufferFull, "Full."), (dead.Signal.Id, dead.Reason, dead.Detail));
        Assert.Equal(("dead", 7), (dead.Signal.Name, dead.Signal.Attempt));
        Assert.True(dead.DeadAt > DateTimeOffset.UnixEpoch);
        Assert.Equal(["sent anew", "to the child"], (await Backend.TakeAsync()).Order());
        Assert.Empty(await Backend.TakeAsync());
        Assert.Equal(1, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Nothing_due_tells_when_something_will_be()
    {
        Assert.Equal(0, (await Backend.ProcessAsync(10, Seam.Count, Token)).Signals);
        var instance = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id, due: Due.After(FromMinutes(5))));

        var outcome = await Backend.ProcessAsync(10, Seam.Count, Token);

        Assert.Equal(0, outcome.Signals);
        Assert.InRange(outcome.NextDue!.Value, FromMinutes(4), FromMinutes(5));
    }

    [Fact]
    public async Task Two_hosts_with_sixteen_workers_handle_two_thousand_signals_exactly_once()
    {
        var options = Quick with { Workers = 8, ClaimBatch = 32 };
        var one = await HostAsync(options, Definitions.Appending);
        var two = await HostAsync(options, Definitions.Appending);
        var started = await StartAsync(one.Client, Definitions.Appending, 50);

        await Task.WhenAll(
            started.Select(
                async (instance, i) =>
                {
                    var client = i % 2 == 0 ? one.Client : two.Client;
                    for (var number = 0; number < 40; number++)
                        await client.SendAsync(instance.Id, "append", number);
                }
            )
        );
        await Eventually(async () => (await Census()).SignalsDue == 0, "all signals are handled");

        foreach (var instance in started)
        {
            var read = (await one.Client.GetAsync<Ledger>(instance.Id, Token))!;
            Assert.Equal(Range(0, 40), read.State.Entries);
            Assert.Equal(40, read.Record.Version);
        }

        await CountedAsync(one, two);
        Assert.Equal(2_000, one.Counters.Signals + two.Counters.Signals);
        Assert.Equal(0, one.Counters.DeadLetters + two.Counters.DeadLetters + one.Counters.BackendFailures + two.Counters.BackendFailures);
    }

    [Fact]
    public async Task Version_chain_has_neither_gap_nor_fork_under_racing_claims()
    {
        var instances = Range(0, 5).Select(_ => Seam.Instance()).ToList();
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token);
        await Backend.SubmitAsync([.. Range(0, 200).Select(i => Seam.Publish(instances[i % 5].Id))], Token);
        var steps = new System.Collections.Concurrent.ConcurrentBag<(Guid Id, long From, long To)>();
        var (handled, began) = (0, Stopwatch.GetTimestamp());

        await Task.WhenAll(
            Range(0, 8)
                .Select(worker =>
                    Task.Run(
                        async () =>
                        {
                            var backend = worker % 2 == 0 ? Backend : Connect();
                            while (Volatile.Read(ref handled) < 200)
                            {
                                List<(Guid Id, long From, long To)> decided = [];
                                var outcome = await backend.ProcessAsync(
                                    3,
                                    batch =>
                                    {
                                        decided =
                                        [
                                            .. batch.Instances.Select(claimed =>
                                                (
                                                    claimed.Instance.Id,
                                                    claimed.Instance.Version,
                                                    claimed.Instance.Version + claimed.Signals.Count
                                                )
                                            ),
                                        ];
                                        return Seam.Count(batch);
                                    },
                                    Token
                                );
                                Assert.True(Stopwatch.GetElapsedTime(began) < HangGuard.Limit, $"{handled} of 200 signals were handled.");
                                if (outcome is not { Conflict: false, Signals: > 0 })
                                    continue;
                                decided.ForEach(steps.Add);
                                Interlocked.Add(ref handled, outcome.Signals);
                            }
                        },
                        Token
                    )
                )
        );

        Assert.Equal(0, (await Census()).SignalsDue);
        foreach (var chain in steps.GroupBy(step => step.Id))
        {
            var version = 0L;
            foreach (var step in chain.OrderBy(step => step.From))
            {
                Assert.Equal(version, step.From);
                version = step.To;
            }

            Assert.Equal(40, version);
            Assert.Equal(40, await VersionOf(chain.Key));
        }

        Assert.Equal(5, steps.Select(step => step.Id).Distinct().Count());
    }

    private async Task<List<(Guid InstanceId, SignalKind Kind)>> ClaimAsync(ClaimRequest request)
    {
        List<(Guid, SignalKind)> claimed = [];
        await Backend.ProcessAsync(
            request,
            Seam.CountAfter(batch =>
                claimed = [.. batch.Instances.SelectMany(instance => instance.Signals).Select(signal => (signal.InstanceId, signal.Kind))]
            ),
            Token
        );
        return claimed;
    }
}
