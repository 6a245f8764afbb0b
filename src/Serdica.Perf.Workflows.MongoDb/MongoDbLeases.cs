namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Extends the leases of running activities, whatever else waits for the database.</summary>
internal sealed class MongoDbLeases(IDocumentDatabase database, ServerClock clock)
{
    private const int MaxTries = 20;

    public async Task<IReadOnlyList<ActivityLease>> ExtendAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    )
    {
        var left = leases.ToHashSet();
        for (var tries = 0; tries < MaxTries; tries++)
        {
            if (left.Count == 0)
                return [];

            // Without payloads, of which one reply may have no room for all: what is not there is lost.
            var keys = new SignalQuery
            {
                Filter = Queries
                    .In("instance", left.Select(static lease => lease.InstanceId).Distinct())
                    .Add("kind", (int)SignalKind.Activity),
                Projection = Queries.Fields("_id", "instance", "attempt"),
            };
            var now = await clock.ReadAsync([keys], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
            var held = keys.Found.FindAll(signal => signal.Key.Time > now && left.Contains(LeaseOf(signal)));
            if (await ExtendHeldAsync(held, left, now, duration, cancellationToken).ConfigureAwait(false))
                return [.. left];
        }

        throw new WorkflowBackendException(
            $"{left.Count} leases could not be extended: others changed them {MaxTries} times.",
            isTransient: true
        );
    }

    /// <summary>Extends as many at a time as one reply has room for.</summary>
    /// <param name="now">The owner of an extended lease counts from before this reading of the clock.</param>
    /// <returns>False: others have changed some of it.</returns>
    private async Task<bool> ExtendHeldAsync(
        List<StoredSignal> held,
        HashSet<ActivityLease> left,
        DateTimeOffset now,
        TimeSpan duration,
        CancellationToken cancellationToken
    )
    {
        var keys = held.Select(static signal => signal.Key).ToHashSet();
        while (keys.Count > 0)
        {
            var query = new SignalQuery { Filter = Queries.In("_id", keys) };
            var page = await database.FindAsync(query, cancellationToken).ConfigureAwait(false);
            if (page.Count == 0)
                return false;

            // The due time is the key: prolonging is taking away and putting back.
            List<DueKey> old = page.ConvertAll(static signal => signal.Key);
            var writes = new MongoDbWrites(now, now.ToUnixTimeMilliseconds);
            writes.Delete(Collections.Signals, old);
            foreach (var signal in page)
                writes.AddSignal(signal.ToSignal() with { Due = Due.After(duration) });
            if (!await database.WriteAsync(writes.ToList(), cancellationToken).ConfigureAwait(false))
                return false;
            keys.ExceptWith(old);
            left.ExceptWith(page.Select(static signal => LeaseOf(signal)));
        }

        return true;
    }

    private static ActivityLease LeaseOf(StoredSignal signal) => new(signal.Instance, signal.Key.Id, signal.Attempt);
}
