namespace Serdica.Perf.Compliance;

/// <summary>The bare queue, for backends that have one.</summary>
public abstract class MessageQueueCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Each_message_reaches_exactly_one_of_four_receivers()
    {
        var sent = Range(0, 400).Select(_ => NewMessage()).ToList();
        var seen = new ConcurrentBag<Guid>();
        foreach (var batch in sent.Chunk(50))
            await Queue(Backend).SendAsync(batch, Token);
        Assert.Equal(400, (await Census()).Messages);
        var began = Stopwatch.GetTimestamp();

        await Task.WhenAll(
            Range(0, 4)
                .Select(_ =>
                    Task.Run(
                        async () =>
                        {
                            var queue = Queue(Connect());
                            while (seen.Count < sent.Count)
                            {
                                List<Guid> received = [];
                                var outcome = await queue.ReceiveAsync(
                                    7,
                                    messages => received = [.. messages.Messages.Select(message => message.Id)],
                                    Token
                                );
                                Assert.InRange(outcome.Signals, 0, 7);
                                received.Take(outcome.Signals).ToList().ForEach(seen.Add);
                                Assert.True(Stopwatch.GetElapsedTime(began) < HangGuard.Limit, $"{seen.Count} messages were received.");
                            }
                        },
                        Token
                    )
                )
        );

        Assert.Equal(sent.Select(message => message.Id).Order(), seen.Order());
        Assert.Equal(0, (await Census()).Messages);
    }

    [Fact]
    public async Task Look_that_finds_nothing_always_tells_when_the_next_message_is_due()
    {
        // Looks go on while the message becomes due, so that some fall just between "not yet" and "already".
        for (var round = 0; round < TestSchema.Rounds; round++)
        {
            await Queue(Backend).SendAsync([NewMessage() with { Due = Due.After(FromMilliseconds(2)) }], Token);
            var outcome = await Queue(Backend).ReceiveAsync(10, _ => { }, Token);
            while (outcome.Signals == 0)
            {
                Assert.NotNull(outcome.NextDue);
                outcome = await Queue(Backend).ReceiveAsync(10, _ => { }, Token);
            }
        }
    }

    [Fact]
    public async Task Messages_carry_their_payload_and_come_in_order()
    {
        var sent = Range(0, 5).Select(i => NewMessage() with { Payload = [(byte)i, 0, 255] }).ToList();
        await Queue(Backend).SendAsync(sent, Token);

        List<byte[]> received = [];
        await Queue(Backend).ReceiveAsync(10, messages => received = [.. messages.Messages.Select(message => message.Payload)], Token);

        Assert.Equal(sent.Select(message => message.Payload), received);
        Assert.Equal(0, (await Census()).Messages);
    }

    [Fact]
    public async Task Receive_that_leaves_due_messages_for_lack_of_room_says_so()
    {
        await Queue(Backend).SendAsync([.. Range(0, 60).Select(_ => NewMessage() with { Payload = new byte[1_024] })], Token);

        for (var left = 60; left > 0;)
        {
            var outcome = await Queue(Backend).ReceiveAsync(256, _ => { }, Token);
            Assert.InRange(outcome.Signals, 1, left);
            left -= outcome.Signals;
            if (left > 0)
                Assert.Equal(TimeSpan.Zero, outcome.NextDue);
        }
    }

    [Fact]
    public async Task Delayed_message_is_not_early_and_announces_itself()
    {
        var delay = FromMilliseconds(100);
        DateTimeOffset? marker = null,
            delayed = null;
        await Queue(Backend).SendAsync([NewMessage()], Token);
        await Queue(Backend).ReceiveAsync(1, messages => marker = messages.Now, Token);
        var asked = Stopwatch.GetTimestamp();
        await Queue(Backend).SendAsync([NewMessage() with { Due = Due.After(delay) }], Token);

        var first = await Queue(Backend).ReceiveAsync(1, messages => delayed = messages.Now, Token);
        if (first is { Signals: 0, NextDue: { } next })
            Assert.InRange(next, FromMilliseconds(-1), delay);
        else
            Assert.True(first.Signals > 0 || Stopwatch.GetElapsedTime(asked) >= delay, "It does not announce itself.");
        await Eventually(
            async () =>
                delayed is not null || (await Queue(Backend).ReceiveAsync(1, messages => delayed = messages.Now, Token)).Signals == 1,
            "the delayed message has come"
        );

        Assert.True(delayed - marker >= delay, $"It came after {delayed - marker}.");
        await Queue(Backend).SendAsync([NewMessage() with { Due = Due.After(FromHours(1)) }], Token);
        Assert.Equal(0, (await Queue(Backend).ReceiveAsync(1, static _ => { }, Token)).Signals);
    }

    [Fact]
    public async Task Messages_whose_handler_throws_come_again()
    {
        var message = NewMessage();
        await Queue(Backend).SendAsync([message], Token);

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
            Queue(Backend).ReceiveAsync(1, _ => throw new InvalidTimeZoneException("No."), Token)
        );

        Guid? again = null;
        await Queue(Connect()).ReceiveAsync(1, messages => again = messages.Messages[0].Id, Token);
        Assert.Equal(message.Id, again);
    }

    [Fact]
    public async Task Messages_count_until_their_handler_has_succeeded()
    {
        await Queue(Backend).SendAsync([NewMessage(), NewMessage()], Token);
        using var entered = new SemaphoreSlim(0);
        using var leave = new SemaphoreSlim(0);
        var failing = Task.Run(
            () =>
                Queue(Backend)
                    .ReceiveAsync(
                        2,
                        _ =>
                        {
                            entered.Release();
                            leave.Wait();
                            throw new InvalidTimeZoneException("No.");
                        },
                        Token
                    ),
            Token
        );

        await entered.WaitAsync(Token);
        var during = (await Connect().TakeCensusAsync(Token)).Messages;
        leave.Release();
        await Assert.ThrowsAsync<InvalidTimeZoneException>(() => failing);

        Assert.Equal((2, 2), (during, (await Census()).Messages));
    }

    private static Message NewMessage() => new() { Id = SortableId.Next(DateTimeOffset.UtcNow) };

    private static IMessageQueue Queue(IWorkflowBackend backend)
    {
        Assert.SkipUnless(backend is IMessageQueue, $"Backend '{backend.Name}' has no bare queue.");
        return (IMessageQueue)backend;
    }
}
