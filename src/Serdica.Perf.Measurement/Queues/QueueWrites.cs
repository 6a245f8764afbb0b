namespace Serdica.Perf.Measurement.Queues;

/// <summary>Writes of messages; an operation ends when its message is durable for every subscriber.</summary>
internal sealed class QueueWrites : OperationSet
{
    private readonly QueuePlan _plan;
    private readonly IReadOnlyList<MessageSender[]> _senders;
    private readonly SemaphoreSlim _room;
    private int _waits;

    public QueueWrites(int count, QueuePlan plan, IReadOnlyList<MessageSender[]> senders)
        : base(count)
    {
        (_plan, _senders, _room) = (plan, senders, new(plan.MaxUnread));
        Ledger = new(plan.Copies, _room);
    }

    public MessageLedger Ledger { get; }

    /// <summary>From the call until it was durable, without the wait for unread messages.</summary>
    public ConcurrentLatencyRecorder WriteTime { get; } = new();

    /// <summary>Writes that had to wait because too many messages were unread.</summary>
    public int Waits => Volatile.Read(ref _waits);

    /// <summary>Messages whose write has started and that are not read by all.</summary>
    public long Unread => _plan.MaxUnread - _room.CurrentCount;

    public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
        LaunchAsync(operation, Stopwatch.GetTimestamp(), cancellationToken);

    /// <summary>The message counts from its intended start: the wait for a writer and that for room are in its times.</summary>
    internal override async ValueTask<Task> LaunchAsync(int operation, long due, CancellationToken cancellationToken)
    {
        if (!_room.Wait(0, CancellationToken.None))
        {
            Interlocked.Increment(ref _waits);
            await _room.WaitAsync(cancellationToken);
        }

        var call = Stopwatch.GetTimestamp();
        Ledger.Write(operation, due);
        var payload = MessagePayload.Of(operation, _plan.PayloadBytes);
        var copies = _senders[operation % _senders.Count];

        // An accepted message is always written, so there is nothing to cancel here.
        await (
            copies.Length == 1
                ? copies[0].SendAsync(payload, default, CancellationToken.None)
                : Task.WhenAll(copies.Select(sender => sender.SendAsync(payload, default, CancellationToken.None)))
        );
        WriteTime.Record(call, Stopwatch.GetTimestamp());
        return Task.CompletedTask;
    }

    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<VerificationCheck>>([
            CensusAudit.Equal("copies of messages never read", 0, Ledger.Lost(launched)),
            CensusAudit.Equal("copies of messages read twice", 0, Ledger.Duplicates),
            CensusAudit.Equal("messages that nobody has written", 0, Ledger.Unknown),
            CensusAudit.Equal("messages with another payload than was written", 0, Ledger.Altered),
        ]);
}
