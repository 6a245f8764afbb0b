namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class MessageLedgerTests
{
    [Fact]
    public void What_is_lost_read_twice_or_of_nobody_is_counted()
    {
        using var room = new SemaphoreSlim(0);
        var ledger = new MessageLedger(copies: 2, room);
        for (var message = 0; message < 3; message++)
            ledger.Write(message, due: 0);

        ledger.Read(Read(0, 0, 1));
        ledger.Read(Read(1, 0));
        ledger.Read(Read(1, 0, 99, 1_000_000, -1));
        ledger.Read(QueueReadTests.Read(1, [MessagePayload.Of(1, 4), [], [.. MessagePayload.Of(1, 63), 7]]));

        // Three of six copies were read once: message 0 by both, message 1 by the first, message 2 by nobody.
        Assert.Equal((3, 1), (ledger.CopiesRead, ledger.MessagesRead));
        // Three more came with another payload than was written.
        Assert.Equal((1, 3, 3, 3), (ledger.Duplicates, ledger.Unknown, ledger.Lost(3), ledger.Altered));
        Assert.Equal(1, room.CurrentCount);
        Assert.Equal(3, ledger.EndToEnd.Snapshot().Count);
    }

    [Fact]
    public void Messages_have_no_bound_and_what_was_let_go_is_still_known()
    {
        const int Messages = 300_000;
        using var room = new SemaphoreSlim(0);
        var ledger = new MessageLedger(copies: 1, room);
        for (var message = 0; message < Messages; message++)
        {
            ledger.Write(message, due: 0);
            if (message != 200_000)
                ledger.Read(Read(0, message));
        }

        ledger.Read(Read(0, 5, Messages - 1));

        Assert.Equal((Messages - 1, 2, 0, 1), (ledger.MessagesRead, ledger.Duplicates, ledger.Unknown, ledger.Lost(Messages)));
        Assert.Equal((0, 1), (ledger.Lost(200_000), ledger.Lost(200_001)));
        Assert.Equal(2, ledger.ChunksHeld);
    }

    [Fact]
    public void The_last_read_is_the_latest_whatever_is_reported_last()
    {
        using var room = new SemaphoreSlim(0);
        var ledger = new MessageLedger(copies: 1, room);
        for (var message = 0; message < 3; message++)
            ledger.Write(message, due: 0);

        foreach (var (message, at) in new[] { (0, 20), (1, 30), (2, 10) })
            ledger.Read(Read(0, message) with { At = at });

        Assert.Equal((30, 3), (ledger.LastRead, ledger.MessagesRead));
    }

    private static QueueRead Read(int copy, params int[] messages) =>
        QueueReadTests.Read(copy, messages.Select(message => MessagePayload.Of(message, QueueReadTests.PayloadBytes)));
}
