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
        if (leases.Count == 0)
            return [];
        var instances = leases.Select(static lease => lease.InstanceId).ToHashSet();
        for (var tries = 0; tries < MaxTries; tries++)
        {
            var query = new DocumentQuery<StoredSignal>(Collections.Signals, SignalDocuments.Read)
            {
                Filter = Queries.In("instance", instances).Add("kind", (int)SignalKind.Activity),
            };
            var now = await clock.ReadAsync([query], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
            var asked = leases.ToHashSet();
            var held = query.Found.FindAll(signal => signal.Key.Time > now && asked.Remove(LeaseOf(signal.Signal)));
            if (held.Count == 0)
                return [.. asked];

            // The due time is the key: prolonging is taking away and putting back.
            var written = new List<DocumentWrite>
            {
                SignalDocuments.Delete(Collections.Signals, held.ConvertAll(static signal => signal.Key)),
            };

            // The owner of an extended lease counts from before this reading of the clock.
            var writes = new MongoDbWrites(now, now.ToUnixTimeMilliseconds);
            foreach (var signal in held)
                writes.AddSignal(signal.Signal with { Due = Due.After(duration) });
            writes.AppendTo(written);
            if (await database.WriteAsync(written, cancellationToken).ConfigureAwait(false))
                return [.. asked];
        }

        throw new WorkflowBackendException(
            $"{leases.Count} leases could not be extended: others changed them {MaxTries} times.",
            isTransient: true
        );
    }

    private static ActivityLease LeaseOf(Signal signal) => new(signal.InstanceId, signal.Id, signal.Attempt);
}
