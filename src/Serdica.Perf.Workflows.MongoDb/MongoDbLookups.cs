namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What has to be read before it can be written upon. It may change until then: the write is refused in that case.</summary>
internal static class MongoDbLookups
{
    /// <summary>One reply of 16 MB has room for them, as long as they have less than 4 KB each.</summary>
    private const int KeysPerPage = 4_000;

    private const int DeletedPerPage = 1_000;

    /// <summary>The keys of the signals that the decisions withdraw.</summary>
    public static async Task<List<DueKey>> FindWithdrawnAsync(
        this IDocumentDatabase database,
        IReadOnlyList<Decision> decisions,
        IReadOnlyCollection<DueKey> taken,
        CancellationToken cancellationToken
    )
    {
        var withdrawn = decisions
            .Where(static decision => decision.Withdrawn is not null)
            .ToDictionary(static decision => decision.Instance!.Id, static decision => decision.Withdrawn!);
        var signals = await database.FindSignalsAsync(withdrawn.Keys, cancellationToken).ConfigureAwait(false);
        return
        [
            .. signals
                .Where(signal => withdrawn[signal.Instance].Contains(signal.Key.Id))
                .Select(static signal => signal.Key)
                .Except(taken),
        ];
    }

    public static async Task<HashSet<Guid>> FindInstancesAsync(
        this IDocumentDatabase database,
        IEnumerable<Guid> ids,
        bool onlyOpen,
        CancellationToken cancellationToken
    )
    {
        var wanted = ids.ToHashSet();
        if (wanted.Count == 0)
            return [];
        var found = await database.FindAsync(Queries.Instances(wanted, "_id", "status"), cancellationToken).ConfigureAwait(false);
        return [.. found.Where(instance => !onlyOpen || !instance.Status.IsClosed()).Select(static instance => instance.Id)];
    }

    /// <summary>Keys and receivers of the signals that are stored for these instances.</summary>
    public static async Task<IReadOnlyList<StoredSignal>> FindSignalsAsync(
        this IDocumentDatabase database,
        IReadOnlyCollection<Guid> ids,
        CancellationToken cancellationToken
    )
    {
        var query = new SignalQuery
        {
            Filter = Queries.In("instance", ids),
            Index = Queries.ByInstance,
            Projection = Queries.Fields("_id", "instance"),
        };
        return ids.Count == 0 ? [] : await database.FindAsync(query, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Gives continuations the dedup keys that their predecessors have accepted. A key that is taken meanwhile undoes the
    /// transaction, and all comes again.
    /// </summary>
    public static async Task CopyKeysAsync(
        this IDocumentDatabase database,
        IReadOnlyList<Decision> decisions,
        IEnumerable<(Guid Instance, string Key)> added,
        MongoDbWrites writes,
        CancellationToken cancellationToken
    )
    {
        var continued = decisions.SelectMany(static decision => decision.Continued ?? []).Distinct().ToList();
        if (continued.Count == 0)
            return;
        var accepted = added.ToHashSet();
        Guid[] instances = [.. continued.SelectMany(static continuation => new[] { continuation.From, continuation.To }).Distinct()];
        for ((Guid Instance, string Key)? last = null; ;)
        {
            var page = await database
                .FindAsync(KeyDocuments.AcceptedBy(instances, last, KeysPerPage), cancellationToken)
                .ConfigureAwait(false);
            accepted.UnionWith(page);
            if (page.Count < KeysPerPage)
                break;
            last = page[^1];
        }

        var byInstance = accepted.ToLookup(static key => key.Instance, static key => key.Key);
        foreach (var (from, to) in continued)
        {
            foreach (var key in byInstance[from])
            {
                if (accepted.Add((to, key)))
                    writes.AddDedupKey(to, key);
            }
        }
    }

    /// <summary>
    /// Deletes what belongs to instances, but not them. An instance may have tens of thousands of signals, dedup keys and dead letters,
    /// and a transaction may last 60 s on MongoDB: they go page by page, outside of any transaction.
    /// </summary>
    public static async Task DeleteBelongingsAsync(
        this IDocumentDatabase database,
        IReadOnlyCollection<Guid> instances,
        CancellationToken cancellationToken
    )
    {
        foreach (var collection in new[] { Collections.Signals, Collections.DedupKeys, Collections.DeadLetters })
        {
            var belonging = new DocumentQuery<BsonValue>(collection, static reader => Queries.Plain(reader)["_id"])
            {
                Filter = Queries.In("instance", instances),
                Limit = DeletedPerPage,
                Projection = Queries.Fields("_id"),
            };
            do
            {
                if ((await database.FindAsync(belonging, cancellationToken).ConfigureAwait(false)).Count > 0)
                    await database.DeleteAsync(collection, Queries.In("_id", belonging.Found), cancellationToken).ConfigureAwait(false);
            } while (belonging.Found.Count == DeletedPerPage);
        }
    }
}
