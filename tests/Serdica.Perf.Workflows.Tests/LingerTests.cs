namespace Serdica.Perf.Workflows.Tests;

/// <summary>Workers that wait for more to come together, on a clock that stands still.</summary>
public sealed class LingerTests
{
    private static readonly TimeSpan Linger = FromMilliseconds(4);

    [Fact]
    public async Task What_comes_within_the_time_after_a_find_is_taken_together_when_it_is_over()
    {
        var clock = new ManualTimeProvider();
        var batches = Channel.CreateUnbounded<(TimeSpan At, string[] Messages)>();
        var begin = clock.GetTimestamp();

        // One worker: a second one's first look may come at any time, and waits for nothing.
        await using var pump = new MessagePump(
            new InMemoryWorkflowBackend(clock),
            handled =>
                batches.Writer.TryWrite(
                    (
                        clock.GetElapsedTime(begin),
                        [.. handled.Received.Messages.Select(message => Encoding.ASCII.GetString(message.Payload))]
                    )
                ),
            new WorkflowOptions { Linger = Linger, Workers = 1 },
            time: clock
        );
        await pump.Sender.SendAsync("first"u8.ToArray(), cancellationToken: Token);
        await pump.Sender.SendAsync("with it"u8.ToArray(), cancellationToken: Token);
        pump.Start();
        var first = await batches.Reader.ReadAsync(Token);

        await pump.Sender.SendAsync("second"u8.ToArray(), cancellationToken: Token);
        await pump.Sender.SendAsync("third"u8.ToArray(), cancellationToken: Token);
        var next = batches.Reader.ReadAsync(Token).AsTask();
        while (!next.IsCompleted)
        {
            // The worker may not have begun its wait yet.
            clock.Advance(FromMilliseconds(1));
            await Task.Yield();
        }

        var second = await next;
        Assert.Equal(TimeSpan.Zero, first.At);
        Assert.Equal(["first", "with it"], first.Messages);
        Assert.Equal(["second", "third"], second.Messages);
        Assert.True(second.At >= Linger, $"They were taken after {second.At.TotalMilliseconds} ms.");
    }

    [Fact]
    public async Task One_alone_is_no_sign_of_more_and_nothing_is_waited_for()
    {
        var batches = Channel.CreateUnbounded<string>();
        var clock = new ManualTimeProvider();
        await using var pump = new MessagePump(
            new InMemoryWorkflowBackend(clock),
            handled => batches.Writer.TryWrite(Encoding.ASCII.GetString(Assert.Single(handled.Received.Messages).Payload)),
            new WorkflowOptions { Linger = Linger },
            time: clock
        );
        pump.Start();

        // The clock stands still: a worker that waited would wait for ever.
        foreach (var message in (string[])["first", "second", "third"])
        {
            await pump.Sender.SendAsync(Encoding.ASCII.GetBytes(message), cancellationToken: Token);
            Assert.Equal(message, await batches.Reader.ReadAsync(Token));
        }
    }

    [Fact]
    public void A_time_below_zero_is_refused() =>
        Assert.Contains(
            "Linger",
            Assert
                .Throws<ArgumentException>(() =>
                    new MessagePump(new InMemoryWorkflowBackend(), static _ => { }, new WorkflowOptions { Linger = -Linger })
                )
                .Message
        );
}
