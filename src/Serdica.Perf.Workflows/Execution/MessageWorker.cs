namespace Serdica.Perf.Workflows;

/// <summary>Claims due messages of the bare queue and hands them on when their removal is committed.</summary>
internal sealed class MessageWorker(IMessageQueue queue, Action<HandledMessages> handled, int maxMessages, TimeProvider time) : IWorker
{
    private ReceivedMessages? _received;
    private long _claimedAt;

    public bool WantsMore { get; private set; }

    public int SignalsPutBack => 0;

    public TimeSpan LongestWait { get; private set; }

    public bool LeavesWork => false;

    public async Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken)
    {
        var outcome = await queue.ReceiveAsync(maxMessages, Keep, cancellationToken).ConfigureAwait(false);
        WantsMore = outcome.Waited || outcome.Signals >= maxMessages;
        return outcome;
    }

    public bool Failed(Exception error) => false;

    public void Committed() => handled(new HandledMessages(_received!, time.GetElapsedTime(_claimedAt)));

    public void Forget() => _received = null;

    public void Dispose() { }

    private void Keep(ReceivedMessages messages)
    {
        _claimedAt = time.GetTimestamp();
        LongestWait = messages.Now - messages.Messages[0].Due.Resolve(messages.Now);
        _received = messages;
    }
}
