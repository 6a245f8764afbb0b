namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The bare queue. The messages of one send are in one slot, and a receive claims whole slots: one claim for many
/// messages.
/// </summary>
internal sealed class MongoDbMessages(IDocumentDatabase database, ServerClock clock, ClaimSweep sweep) : IDisposable
{
    /// <summary>Slots that others hold are looked at again after this.</summary>
    private static readonly TimeSpan HeldPause = FromMilliseconds(5);

    /// <summary>All that a look needs: messages are read whole when their slots are claimed.</summary>
    private static readonly BsonDocument Places = Queries.Fields("_id", "slot");

    private const string Messages = Collections.Messages;

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly LookStart _start = new(TimeProvider.System);
    private readonly Lock _gate = new();
    private readonly HashSet<int> _held = [];
    private int _nextSlot = Random.Shared.Next(Slots.Count);

    public async Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        var now = await clock.ReadAsync(cancellationToken).ConfigureAwait(false);
        var slot = (int)((uint)Interlocked.Increment(ref _nextSlot) % Slots.Count);
        if (messages.Count == 0)
            return;
        var documents = messages.Select(message => SignalDocuments.Of(message, slot, now)).ToList();
        if (!await database.WriteAsync([new InsertDocuments(Messages, documents)], cancellationToken).ConfigureAwait(false))
            throw new WorkflowBackendException(
                $"A batch of {messages.Count} messages was refused: one of them has been sent before.",
                isTransient: false
            );
    }

    public async Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken)
    {
        var token = Guid.NewGuid();
        var slots = new HashSet<int>();
        var written = false;
        try
        {
            var received = await TakeAsync(maxMessages, token, slots, cancellationToken).ConfigureAwait(false);
            if (received.Messages.Count == 0)
                return new ProcessOutcome(0, NextDue: received.NextDue);
            handle(new ReceivedMessages(received.Now, received.Messages));
            var keys = received.Messages.ConvertAll(static message => DueKey.At(message.Due.At!.Value, message.Id));
            DocumentWrite[] writes = [ClaimDocuments.Fence([.. slots.Select(ClaimId)], token), SignalDocuments.Delete(Messages, keys)];
            written = await database.WriteAsync(writes, CancellationToken.None).ConfigureAwait(false);
            return written ? new ProcessOutcome(received.Messages.Count) : new ProcessOutcome(0, Conflict: true);
        }
        finally
        {
            if (!written)
                await ClaimDocuments.ReleaseAsync(database, [.. slots.Select(ClaimId)], token).ConfigureAwait(false);
            lock (_gate)
                _held.ExceptWith(slots);
        }
    }

    public void Dispose() => _turn.Dispose();

    /// <summary>What is claimed for a slot: no instance has such an id, for it is no UUIDv7.</summary>
    public static Guid ClaimId(int slot) => new(slot, 0, 0, new byte[8]);

    private async Task<Taken> TakeAsync(int maxMessages, Guid token, HashSet<int> slots, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            int[] free;
            lock (_gate)
                free = [.. Slots.All.Where(slot => !_held.Contains(slot))];
            while (free.Length > 0)
            {
                var (now, found, nextDue) = await LookAsync(free, maxMessages, cancellationToken).ConfigureAwait(false);
                if (found.Count == 0)
                {
                    nextDue = free.Length < Slots.Count ? HeldPause : nextDue;
                    return new(now, [], nextDue ?? await NextDueAsync(now, cancellationToken).ConfigureAwait(false));
                }

                List<int> asked = [.. found.Select(static message => message.Slot).Distinct().Order()];
                slots.UnionWith(asked);
                var sent = Stopwatch.GetTimestamp();

                // Looked at again once they are ours: what was there before may be gone.
                var ticks = Queries.Clock();
                var again = SignalQuery.Look(Messages, DueKey.First(found[0].Key.Milliseconds - 1), found[^1].Key, asked, maxMessages);
                var until = now + MongoDbClaimer.Lifetime;
                var claims = asked.ConvertAll(slot => ClaimDocuments.Claim(ClaimId(slot), token, until));
                var taken = await database.ClaimAsync(claims, [ticks, again], cancellationToken).ConfigureAwait(false);
                slots.ExceptWith(taken.Select(place => asked[place]));
                if (taken.Count > 0)
                    sweep.Begin(now);
                if (slots.Count > 0)
                {
                    now = clock.Learn(ticks, sent);
                    var messages = again.Until(now, out _).FindAll(message => slots.Contains(message.Slot)).ConvertAll(MessageOf);
                    lock (_gate)
                        _held.UnionWith(slots);
                    return new(now, messages, HeldPause);
                }

                // Somebody else holds them all, and their messages hide those of the other slots.
                free = [.. free.Except(asked)];
            }

            return new(default, [], HeldPause);
        }
        finally
        {
            _turn.Release();
        }
    }

    private async Task<(DateTimeOffset Now, List<StoredSignal> Found, TimeSpan? NextDue)> LookAsync(
        int[] slots,
        int limit,
        CancellationToken cancellationToken
    )
    {
        var from = _start.Of(slots);
        var to = DueKey.First(await clock.UpperBoundAsync(cancellationToken).ConfigureAwait(false) + 1);
        var look = SignalQuery.Look(Messages, from, to, slots.Length == Slots.Count ? null : slots, limit, Places);
        var now = await clock.ReadAsync([look], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
        var found = look.Until(now, out var nextDue);
        _start.Learn(slots, found is [var first, ..] ? first.Key.Time : now);
        return (now, found, nextDue);
    }

    private async Task<TimeSpan?> NextDueAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        var look = SignalQuery.Look(Messages, DueKey.After(now), DueKey.Last, slots: null, limit: 1, Places);
        await database.FindAsync(look, cancellationToken).ConfigureAwait(false);
        look.Until(now, out var nextDue);
        return nextDue;
    }

    private static Message MessageOf(StoredSignal stored) =>
        new() { Id = stored.Key.Id, Due = Due.AtTime(stored.Key.Time), Payload = stored.Payload };

    private readonly record struct Taken(DateTimeOffset Now, List<Message> Messages, TimeSpan? NextDue);
}
