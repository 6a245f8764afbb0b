namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Finds due signals and claims their instances. A claim is a document whose unique key lets one process have the
/// instance; the workers of this process are kept apart by memory.
/// </summary>
internal sealed class MongoDbClaimer(IDocumentDatabase database, ServerClock clock, ClaimSweep sweep, int slotsPerLook) : IDisposable
{
    /// <summary>
    /// After this time any process may remove a claim: its owner must be dead. It has to outlast a decision and a commit.
    /// </summary>
    public static readonly TimeSpan Lifetime = FromSeconds(10);

    /// <summary>After this time due signals of instances that others hold are polled again.</summary>
    private static readonly TimeSpan HeldPause = FromMilliseconds(20);

    private const int MaxPages = 8;

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly SlotWindow _window = new(slotsPerLook);
    private readonly LookStart _start = new(TimeProvider.System);

    /// <summary>What these looks pass over would lie before their start, and be hidden from the others.</summary>
    private readonly LookStart _startWithoutActivities = new(TimeProvider.System);
    private readonly Lock _gate = new();
    private readonly HashSet<Guid> _held = [];
    private int _heldSignals;
    private bool _wasInVain;

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

            _wasInVain = claim.IsEmpty;
            if (_wasInVain)
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
            passedOver = [.. _held, .. claim.Ids];
            ahead = _heldSignals;
        }

        var start = claim.Request.SkipActivities ? _startWithoutActivities : _start;
        var looked = slots ?? Slots.All;
        var position = start.Of(looked, claim.Request.FullPoll);
        var hidden = new HashSet<Guid>();

        // Pages on which all is held do not count: however much of it there is, something that is free comes behind.
        for (var page = 0; (page < MaxPages || claim.IsEmpty) && !claim.IsFull; page++)
        {
            var limit = claim.Request.MaxSignals - claim.Keys.Count + ahead;
            var found = await LookAsync(claim, position, slots, hidden, limit, cancellationToken).ConfigureAwait(false);
            if (page == 0)
                start.Learn(looked, found is [var first, ..] ? first.Key.Time : claim.Now);
            var fresh = 0;
            var ids = new SortedSet<Guid>();
            foreach (var signal in found)
            {
                if (fresh == claim.Request.MaxSignals - claim.Keys.Count)
                    break;

                // The next page starts behind the last signal that was read, whether its instance was free or not.
                position = signal.Key;
                if (passedOver.Contains(signal.Instance))
                {
                    // Left out of the next page: one instance with thousands of signals must not hide the others.
                    hidden.Add(signal.Instance);
                    claim.AnyHeld |= !claim.Ids.Contains(signal.Instance);
                    continue;
                }

                ids.Add(signal.Instance);
                fresh++;
            }

            if (ids.Count > 0)
            {
                await TakeAsync(claim, [.. ids], position, passedOver, cancellationToken).ConfigureAwait(false);
                hidden.UnionWith(ids.Where(id => !claim.Ids.Contains(id)));
            }

            if (found.Count < limit)
                break;
        }

        if (!claim.IsFull)
            _window.Widen();
    }

    private async Task PostponeAsync(Claim claim, CancellationToken cancellationToken)
    {
        if (claim.AnyHeld)
            claim.NextDue = HeldPause;
        else if (claim.NextDue is null && !claim.KnowsNextDue)
            claim.LearnNextDue(await database.FindAsync(First(DueKey.After(claim.Now)), cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Whose signals are due from this position on, in order; the answer is served by the index on <c>_id</c>.</summary>
    private async Task<List<StoredSignal>> LookAsync(
        Claim claim,
        DueKey position,
        int[]? slots,
        HashSet<Guid> hidden,
        int limit,
        CancellationToken cancellationToken
    )
    {
        var end = DueKey.First(await clock.UpperBoundAsync(cancellationToken).ConfigureAwait(false) + 1);
        var query = SignalQuery.Look(Collections.Signals, position, end, slots, limit, Queries.Fields("_id", "instance"));
        if (hidden.Count > 0)
            query.Filter.Add("instance", new BsonDocument("$nin", new BsonArray(hidden.Select(Queries.Id))));
        SkipActivities(query.Filter, claim.Request);

        // Probably in vain again: in the same round trip it asks for what follows, provided that it leaves out nothing before that.
        var leavesOut = slots is not null || hidden.Count > 0 || claim.Request.SkipActivities;
        var next = _wasInVain && !leavesOut ? First(end) : null;
        claim.Now = await clock
            .ReadAsync(next is null ? [query] : [query, next], ReadLevel.Latest, cancellationToken)
            .ConfigureAwait(false);
        if (next is not null && query.Found.Count < limit)
            claim.LearnNextDue(next.Found);
        var due = query.Until(claim.Now, out var wait);
        claim.Await(wait);
        return due;
    }

    /// <summary>
    /// Claims and loads in one round trip. The signals are read once more when they are ours: what somebody else has handled
    /// since the look is gone, and what was committed late is there, before the later signals of its instance.
    /// </summary>
    /// <param name="ids">In order, as all processes claim them: two that wait for claims of each other would be a deadlock.</param>
    /// <param name="last">The look's last signal; later ones stay for the next turn.</param>
    /// <param name="passedOver">Learns what is not looked at again.</param>
    private async Task TakeAsync(Claim claim, List<Guid> ids, DueKey last, HashSet<Guid> passedOver, CancellationToken cancellationToken)
    {
        passedOver.UnionWith(ids);

        // Before the request: if its reply is lost, they are released.
        claim.Ids.UnionWith(ids);
        var until = claim.Now + Lifetime;
        var filter = Queries.In("instance", ids).Add("_id", new BsonDocument("$lte", last.ToBson()));
        SkipActivities(filter, claim.Request);
        var signals = new SignalQuery { Filter = filter, Sort = new("_id", 1) };
        var instances = Queries.Instances(ids);
        var taken = await database
            .ClaimAsync(ids.ConvertAll(id => ClaimDocuments.Claim(id, claim.Token, until)), [signals, instances], cancellationToken)
            .ConfigureAwait(false);
        claim.Ids.ExceptWith(taken.Select(place => ids[place]));

        var due = signals.Found.ToLookup(static signal => signal.Instance);
        await LoadAsync(claim, [.. ids.Where(claim.Ids.Contains)], due, instances, cancellationToken).ConfigureAwait(false);
        if (taken.Count == 0)
            return;
        claim.AnyHeld = true;
        if (taken.Count * 2 >= ids.Count)
            _window.Narrow();

        // Some of those who hold claims here may be dead.
        sweep.Begin(claim.Now);
    }

    /// <summary>
    /// Instances with their signals. A reply holds 16 MB at most, and the signals may fill the first one: what is missing is asked
    /// for by itself, until it turns out not to exist. What has no signals there, and what the claim has no room for, is given back.
    /// </summary>
    private async Task LoadAsync(
        Claim claim,
        HashSet<Guid> missing,
        ILookup<Guid, StoredSignal> due,
        DocumentQuery<InstanceRecord> reply,
        CancellationToken cancellationToken
    )
    {
        var returned = missing.Where(id => !due.Contains(id)).ToHashSet();
        missing.ExceptWith(returned);
        for (var isAlone = false; missing.Count > 0; isAlone = true)
        {
            if (isAlone)
            {
                reply = Queries.Instances(missing);
                await database.ReadAsync([reply], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
            }

            var before = missing.Count;
            foreach (var instance in reply.Found)
            {
                if (claim.IsFull)
                    break;
                if (missing.Remove(instance.Id))
                    claim.Add(instance, due[instance.Id]);
            }

            if (claim.IsFull)
            {
                returned.UnionWith(missing);
                break;
            }

            if (isAlone && missing.Count == before)
            {
                claim.AddGone(missing.SelectMany(id => due[id]));
                break;
            }
        }

        if (returned.Count == 0)
            return;
        await database.DeleteAsync(Collections.Claims, ClaimDocuments.Of(returned, claim.Token), cancellationToken).ConfigureAwait(false);
        claim.Ids.ExceptWith(returned);
    }

    private static SignalQuery First(DueKey from) =>
        SignalQuery.Look(Collections.Signals, from, DueKey.Last, slots: null, limit: 1, Queries.Fields("_id"));

    private Task ReleaseAsync(Claim claim) => ClaimDocuments.ReleaseAsync(database, claim.Ids, claim.Token);

    private static void SkipActivities(BsonDocument filter, ClaimRequest request)
    {
        if (request.SkipActivities)
            filter.Add("kind", new BsonDocument("$ne", (int)SignalKind.Activity));
    }
}
