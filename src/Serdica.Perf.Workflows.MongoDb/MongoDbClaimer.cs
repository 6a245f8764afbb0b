namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Finds due signals and claims their instances. A claim is a document whose unique key lets one process have the
/// instance; the workers of this process are kept apart by memory.
/// </summary>
internal sealed class MongoDbClaimer(IDocumentDatabase database, ServerClock clock, int slotsPerLook) : IDisposable
{
    /// <summary>After this time any process may remove a claim: its owner must be dead. It has to outlast a decision and a commit.</summary>
    private static readonly TimeSpan Lifetime = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(1);

    /// <summary>After this time due signals of instances that others hold are polled again.</summary>
    private static readonly TimeSpan HeldPause = TimeSpan.FromMilliseconds(20);

    private const int MaxPages = 8;

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly SlotWindow _window = new(slotsPerLook);
    private readonly Lock _gate = new();
    private readonly HashSet<Guid> _held = [];
    private int _heldSignals;
    private long _lastSweep;

    /// <summary>One at a time in this process: each finds what the one before has left.</summary>
    public async Task<Claim> ClaimAsync(ClaimRequest request, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        var claim = new Claim(request);
        try
        {
            for (var covered = 0; covered < Slots.Count && !claim.IsFull;)
            {
                var slots = _window.Next();
                covered += slots?.Length ?? Slots.Count;
                await FillAsync(claim, slots, cancellationToken).ConfigureAwait(false);
            }

            if (claim.Keys.Count == 0)
                await PostponeAsync(claim, cancellationToken).ConfigureAwait(false);
            lock (_gate)
            {
                _held.UnionWith(claim.Ids);
                _heldSignals += claim.Keys.Count;
            }

            return claim;
        }
        catch
        {
            await ReleaseAsync(claim).ConfigureAwait(false);
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Releases the instances of a claim, which has been written or given up.</summary>
    public async Task ForgetAsync(Claim claim, bool written)
    {
        if (!written)
            await ReleaseAsync(claim).ConfigureAwait(false);
        lock (_gate)
        {
            _held.ExceptWith(claim.Ids);
            _heldSignals -= claim.Keys.Count;
        }
    }

    public void Dispose() => _turn.Dispose();

    private async Task FillAsync(Claim claim, int[]? slots, CancellationToken cancellationToken)
    {
        HashSet<Guid> passedOver;
        int ahead;
        lock (_gate)
        {
            // Copied before the poll: the poll may still return signals of instances that are released while it runs, and
            // they may have been handled by then.
            passedOver = [.. _held];
            ahead = _heldSignals;
        }

        // From the very start: a signal that was committed late must not be overtaken by the next one of its instance.
        var position = DueKey.First(long.MinValue);
        for (var page = 0; page < MaxPages && !claim.IsFull; page++)
        {
            var limit = claim.Request.MaxSignals - claim.Keys.Count + ahead;
            var found = await LookAsync(claim, position, slots, limit, cancellationToken).ConfigureAwait(false);
            var fresh = new List<StoredSignal>();
            var bytes = claim.Bytes;
            foreach (var signal in found)
            {
                if (fresh.Count == claim.Request.MaxSignals - claim.Keys.Count || bytes >= claim.Request.MaxBytes)
                    break;

                // The next page starts behind the last signal that was read, whether its instance was free or not.
                position = signal.Key;
                if (passedOver.Contains(signal.Signal.InstanceId))
                {
                    claim.AnyHeld = true;
                    continue;
                }

                fresh.Add(signal);
                bytes += signal.Signal.Payload.Length;
            }

            if (fresh.Count > 0)
                await TakeAsync(claim, fresh, passedOver, cancellationToken).ConfigureAwait(false);
            if (found.Count < limit)
                break;
        }

        if (!claim.IsFull)
            _window.Widen();
    }

    /// <summary>Nothing could be claimed: says when a poll may find something.</summary>
    private async Task PostponeAsync(Claim claim, CancellationToken cancellationToken)
    {
        if (claim.AnyHeld)
            claim.NextDue = HeldPause;
        else
            claim.NextDue ??= await NextDueAsync(claim.Now, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Due signals from this position on, in order; the answer is served by the index on <c>_id</c>.</summary>
    private async Task<List<StoredSignal>> LookAsync(
        Claim claim, DueKey position, int[]? slots, int limit, CancellationToken cancellationToken)
    {
        var end = DueKey.First(await clock.UpperBoundAsync(cancellationToken).ConfigureAwait(false) + 1);
        var sent = TimeProvider.System.GetTimestamp();
        var replies = await database.RunAsync(
            [
                Commands.ReadClock(),
                Commands.Find(
                    Collections.Signals,
                    filter =>
                    {
                        filter.BeginDocument("_id"u8);
                        filter.Write("$gt"u8, position);
                        filter.Write("$lt"u8, end);
                        filter.End();
                        if (slots is not null)
                            Commands.In(filter, "slot"u8, slots);
                        if (claim.Request.SkipActivities)
                        {
                            filter.BeginDocument("kind"u8);
                            filter.Write("$ne"u8, (int)SignalKind.Activity);
                            filter.End();
                        }
                    },
                    find => InOrder(find, limit),
                    ReadLevel.Latest),
            ],
            cancellationToken).ConfigureAwait(false);

        claim.Now = clock.Read(replies[0], sent);
        var found = new List<StoredSignal>();
        var documents = replies[1].Documents();
        while (documents.Next())
        {
            var signal = SignalDocuments.Read(documents.Document());
            if (signal.Key.Time > claim.Now)
            {
                var wait = signal.Key.Time - claim.Now;
                if (claim.NextDue is not { } soonest || wait < soonest)
                    claim.NextDue = wait;
                break;
            }

            found.Add(signal);
        }

        return found;
    }

    /// <summary>Claims and loads in one round trip, and takes the signals of those instances that no other process holds.</summary>
    private async Task TakeAsync(
        Claim claim, List<StoredSignal> signals, HashSet<Guid> passedOver, CancellationToken cancellationToken)
    {
        var byInstance = signals.ToLookup(static signal => signal.Signal.InstanceId);
        foreach (var signal in signals)
        {
            if (claim.Ids.Contains(signal.Signal.InstanceId))
                claim.Add(signal);
        }

        // All processes claim in the same order: two that wait for claims of each other would be a deadlock.
        var ids = byInstance.Select(static group => group.Key).Where(id => !claim.Ids.Contains(id)).Order().ToList();
        if (ids.Count == 0)
            return;

        // Before the request: if its reply is lost, they are released.
        claim.Ids.UnionWith(ids);
        var replies = await database.RunAsync(
            [Commands.Claim(ids, claim.Token, claim.Now + Lifetime), Commands.FindIds(Collections.Instances, ids, ReadLevel.Latest)],
            cancellationToken).ConfigureAwait(false);
        var lost = Commands.TakenClaims(replies[0]).ConvertAll(index => ids[index]);
        claim.Ids.ExceptWith(lost);
        passedOver.UnionWith(lost);
        await LoadAsync(claim, [.. ids.Where(claim.Ids.Contains)], byInstance, replies[1], cancellationToken).ConfigureAwait(false);
        if (lost.Count == 0)
            return;
        claim.AnyHeld = true;
        await ContendAsync(claim.Now, lost.Count * 2 >= ids.Count, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Instances with their signals. A reply holds 16 MB at most: what is missing is asked for again, until it turns out
    /// not to exist, or until the claim is full; then the rest is given back.
    /// </summary>
    private async Task LoadAsync(
        Claim claim, HashSet<Guid> missing, ILookup<Guid, StoredSignal> signals, DocumentReply reply, CancellationToken cancellationToken)
    {
        while (true)
        {
            var before = missing.Count;
            var documents = reply.Documents();
            while (!claim.IsFull && documents.Next())
            {
                var instance = InstanceDocuments.Read(documents.Document());
                if (!missing.Remove(instance.Id))
                    continue;
                claim.Add(instance);
                foreach (var signal in signals[instance.Id])
                    claim.Add(signal);
            }

            if (missing.Count == 0)
                return;
            if (claim.IsFull)
            {
                await database.RunAsync([Commands.Release(missing, claim.Token)], cancellationToken).ConfigureAwait(false);
                claim.Ids.ExceptWith(missing);
                return;
            }

            if (missing.Count == before)
            {
                foreach (var signal in missing.SelectMany(id => signals[id]))
                    claim.Add(signal);
                return;
            }

            reply = (await database.RunAsync(
                [Commands.FindIds(Collections.Instances, missing, ReadLevel.Latest)], cancellationToken).ConfigureAwait(false))[0];
        }
    }

    /// <summary>Other processes hold claims here: removes those of dead processes.</summary>
    private async Task ContendAsync(DateTimeOffset now, bool much, CancellationToken cancellationToken)
    {
        if (much)
            _window.Narrow();
        if (TimeProvider.System.GetElapsedTime(_lastSweep) < SweepInterval)
            return;
        _lastSweep = TimeProvider.System.GetTimestamp();
        await database.RunAsync([Commands.SweepClaims(now)], cancellationToken).ConfigureAwait(false);
    }

    private async Task<TimeSpan?> NextDueAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        var replies = await database.RunAsync(
            [
                Commands.Find(
                    Collections.Signals,
                    filter =>
                    {
                        filter.BeginDocument("_id"u8);
                        filter.Write("$gte"u8, DueKey.First(now.ToUnixTimeMilliseconds() + 1));
                        filter.End();
                    },
                    static find =>
                    {
                        Commands.Project(find, "_id");
                        InOrder(find, 1);
                    },
                    ReadLevel.Latest),
            ],
            cancellationToken).ConfigureAwait(false);
        var documents = replies[0].Documents();
        return documents.Next() ? SignalDocuments.Read(documents.Document()).Key.Time - now : null;
    }

    private async Task ReleaseAsync(Claim claim)
    {
        if (claim.Ids.Count == 0)
            return;
        try
        {
            await database.RunAsync([Commands.Release(claim.Ids, claim.Token)], CancellationToken.None).ConfigureAwait(false);
        }
        catch (DocumentCommandException)
        {
            // The connection is gone, perhaps for the reason of this release. The claims expire by themselves.
        }
    }

    private static void InOrder(BsonWriter find, int limit)
    {
        find.BeginDocument("sort"u8);
        find.Write("_id"u8, 1);
        find.End();
        find.Write("limit"u8, limit);
    }
}
