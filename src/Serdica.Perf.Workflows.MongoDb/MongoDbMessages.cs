namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The bare queue. The messages of one send are in one slot, and a receive claims whole slots: one claim for many
/// messages.
/// </summary>
internal sealed class MongoDbMessages(IDocumentDatabase database, ServerClock clock) : IDisposable
{
    private static readonly TimeSpan Lifetime = TimeSpan.FromSeconds(10);

    /// <summary>Slots that others hold are looked at again after this.</summary>
    private static readonly TimeSpan HeldPause = TimeSpan.FromMilliseconds(5);

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly Lock _gate = new();
    private readonly HashSet<int> _held = [];
    private int _nextSlot = Random.Shared.Next(Slots.Count);

    public async Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        var now = await clock.ReadAsync(cancellationToken).ConfigureAwait(false);
        var slot = (int)((uint)Interlocked.Increment(ref _nextSlot) % Slots.Count);
        var inserts = new InsertCommands(Collections.Messages);
        foreach (var message in messages)
        {
            SignalDocuments.Write(inserts.BeginDocument(), message, slot, now);
            inserts.EndDocument();
        }

        var commands = new List<DocumentCommand>();
        inserts.AppendTo(commands);
        if (commands.Count > 0 && !await database.WriteAsync(commands, cancellationToken).ConfigureAwait(false))
            throw new WorkflowBackendException($"A batch of {messages.Count} messages was refused: one of them has been sent before.", isTransient: false);
    }

    public async Task<ProcessOutcome> ReceiveAsync(
        int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken)
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
            written = await database.WriteAsync(
                [
                    Commands.Fence([.. slots.Select(ClaimId)], token),
                    Commands.DeleteKeys(
                        Collections.Messages, [.. received.Messages.Select(static message => DueKey.At(message.Due.At!.Value, message.Id))], slots),
                ],
                CancellationToken.None).ConfigureAwait(false);
            return written ? new ProcessOutcome(received.Messages.Count) : new ProcessOutcome(0, Conflict: true);
        }
        finally
        {
            if (!written)
                await ReleaseAsync(slots, token).ConfigureAwait(false);
            lock (_gate)
                _held.ExceptWith(slots);
        }
    }

    public void Dispose() => _turn.Dispose();

    private async Task<Taken> TakeAsync(int maxMessages, Guid token, HashSet<int> slots, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            int[] free;
            lock (_gate)
                free = [.. Enumerable.Range(0, Slots.Count).Where(slot => !_held.Contains(slot))];
            if (free.Length == 0)
                return new(default, [], HeldPause);

            var (now, found, nextDue) = await LookAsync(free, maxMessages, cancellationToken).ConfigureAwait(false);
            if (found.Count == 0)
            {
                return new(now, [], free.Length < Slots.Count
                    ? HeldPause
                    : nextDue ?? await NextDueAsync(now, cancellationToken).ConfigureAwait(false));
            }

            var asked = found.Select(static message => message.Slot).Distinct().ToList();
            slots.UnionWith(asked);
            var sent = TimeProvider.System.GetTimestamp();

            // Looked at again once they are ours: what was there before may be gone.
            var replies = await database.RunAsync(
                [
                    Commands.Claim([.. asked.Select(ClaimId)], token, now + Lifetime),
                    Commands.ReadClock(),
                    Look(DueKey.First(found[0].Key.Milliseconds - 1), found[^1].Key, asked, maxMessages),
                ],
                cancellationToken).ConfigureAwait(false);
            var errors = Commands.TakenClaims(replies[0]);
            foreach (var index in errors)
                slots.Remove(asked[index]);
            if (errors.Count > 0)
                await database.RunAsync([Commands.SweepClaims(now)], cancellationToken).ConfigureAwait(false);
            now = clock.Read(replies[1], sent);
            var messages = Read(replies[2], now, out _).FindAll(message => slots.Contains(message.Slot)).ConvertAll(static message => message.Message);
            lock (_gate)
                _held.UnionWith(slots);
            return new(now, messages, HeldPause);
        }
        finally
        {
            _turn.Release();
        }
    }

    private async Task<(DateTimeOffset Now, List<Found> Found, TimeSpan? NextDue)> LookAsync(
        int[] slots, int limit, CancellationToken cancellationToken)
    {
        var from = DueKey.First(long.MinValue);
        var to = DueKey.First(await clock.UpperBoundAsync(cancellationToken).ConfigureAwait(false) + 1);
        var sent = TimeProvider.System.GetTimestamp();
        var replies = await database.RunAsync(
            [Commands.ReadClock(), Look(from, to, slots.Length == Slots.Count ? null : slots, limit)], cancellationToken).ConfigureAwait(false);
        var now = clock.Read(replies[0], sent);
        var found = Read(replies[1], now, out var nextDue);
        return (now, found, nextDue);
    }

    private async Task<TimeSpan?> NextDueAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        var replies = await database.RunAsync(
            [Look(DueKey.First(now.ToUnixTimeMilliseconds() + 1), DueKey.First(long.MaxValue), slots: null, limit: 1)], cancellationToken).ConfigureAwait(false);
        Read(replies[0], now, out var nextDue);
        return nextDue;
    }

    private async Task ReleaseAsync(HashSet<int> slots, Guid token)
    {
        if (slots.Count == 0)
            return;
        try
        {
            await database.RunAsync([Commands.Release([.. slots.Select(ClaimId)], token)], CancellationToken.None).ConfigureAwait(false);
        }
        catch (DocumentCommandException)
        {
            // The connection is gone, perhaps with the reason of this release: the claims run out by themselves.
        }
    }

    /// <summary>No instance has such an id: it is no UUIDv7.</summary>
    private static Guid ClaimId(int slot) => new(slot, 0, 0, new byte[8]);

    private static DocumentCommand Look(DueKey from, DueKey to, IReadOnlyList<int>? slots, int limit) => Commands.Find(
        Collections.Messages,
        filter =>
        {
            filter.BeginDocument("_id"u8);
            filter.Write("$gte"u8, from);
            filter.Write("$lte"u8, to);
            filter.End();
            if (slots is not null)
                Commands.In(filter, "slot"u8, slots);
        },
        find =>
        {
            find.BeginDocument("sort"u8);
            find.Write("_id"u8, 1);
            find.End();
            find.Write("limit"u8, limit);
        },
        ReadLevel.Latest);

    private static List<Found> Read(DocumentReply reply, DateTimeOffset now, out TimeSpan? nextDue)
    {
        nextDue = null;
        var found = new List<Found>();
        var documents = reply.Documents();
        while (documents.Next())
        {
            var message = Read(documents.Document());
            if (message.Key.Time > now)
            {
                nextDue = message.Key.Time - now;
                break;
            }

            found.Add(message);
        }

        return found;
    }

    private static Found Read(ReadOnlySpan<byte> document)
    {
        var reader = new BsonReader(document);
        DueKey key = default;
        var slot = 0;
        byte[] payload = [];
        while (reader.Next())
        {
            if (reader.Name.SequenceEqual("_id"u8))
                key = reader.DueKey();
            else if (reader.Name.SequenceEqual("slot"u8))
                slot = reader.Int32();
            else if (reader.Name.SequenceEqual("payload"u8))
                payload = reader.Binary().ToArray();
        }

        return new(key, slot, new Message { Id = key.Id, Due = Due.AtTime(key.Time), Payload = payload });
    }

    private readonly record struct Found(DueKey Key, int Slot, Message Message);

    private readonly record struct Taken(DateTimeOffset Now, List<Message> Messages, TimeSpan? NextDue);
}
