namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What has to be read before it can be written upon. It may change until then: the write is refused in that case.</summary>
internal sealed class MongoDbLookups(IDocumentDatabase database)
{
    /// <summary>One reply of 16 MB has room for them, as long as they have less than 4 KB each.</summary>
    private const int KeysPerPage = 4_000;

    /// <summary>The keys of the signals that the decisions withdraw, by way of the index on their instance.</summary>
    public async Task<List<DueKey>> FindWithdrawnAsync(
        IReadOnlyList<Decision> decisions,
        IReadOnlyCollection<DueKey> taken,
        CancellationToken cancellationToken
    )
    {
        var withdrawn = decisions
            .Where(static decision => decision.Withdrawn is not null)
            .ToDictionary(static decision => decision.Instance!.Id, static decision => decision.Withdrawn!);
        if (withdrawn.Count == 0)
            return [];
        var query = new SignalQuery
        {
            Filter = Queries.In("instance", withdrawn.Keys),
            Index = Queries.ByInstance,
            Projection = Queries.Fields("_id", "instance"),
        };
        await database.ReadAsync([query], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
        var passedOver = taken.ToHashSet();
        return
        [
            .. query
                .Found.Where(signal => withdrawn[signal.Signal.InstanceId].Contains(signal.Key.Id) && !passedOver.Contains(signal.Key))
                .Select(static signal => signal.Key),
        ];
    }

    /// <summary>Those of these instances that are open.</summary>
    public async Task<HashSet<Guid>> FindOpenAsync(IEnumerable<Guid> ids, CancellationToken cancellationToken) =>
        [
            .. (await FindAsync(ids, cancellationToken).ConfigureAwait(false))
                .Where(static instance => !instance.Status.IsClosed())
                .Select(static instance => instance.Id),
        ];

    /// <summary>Those of these instances that are there.</summary>
    public async Task<HashSet<Guid>> FindAnyAsync(IEnumerable<Guid> ids, CancellationToken cancellationToken) =>
        [.. (await FindAsync(ids, cancellationToken).ConfigureAwait(false)).Select(static instance => instance.Id)];

    private async Task<IReadOnlyList<InstanceRecord>> FindAsync(IEnumerable<Guid> ids, CancellationToken cancellationToken)
    {
        var wanted = ids.ToHashSet();
        var instances = Queries.Instances(wanted, "_id", "status");
        if (wanted.Count > 0)
            await database.ReadAsync([instances], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
        return instances.Found;
    }

    /// <summary>Those of these instances to which signals are stored.</summary>
    public async Task<HashSet<Guid>> FindWithSignalsAsync(IReadOnlyCollection<Guid> ids, CancellationToken cancellationToken)
    {
        if (ids.Count == 0)
            return [];
        var signals = new DocumentQuery<Guid>(Collections.Signals, static reader => Queries.Plain(reader)["instance"].ToGuid())
        {
            Filter = Queries.In("instance", ids),
            Index = Queries.ByInstance,
            Projection = Queries.Fields("instance"),
        };
        await database.ReadAsync([signals], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
        return [.. signals.Found];
    }

    /// <summary>
    /// Gives continuations the dedup keys that their predecessors have accepted. A key that is taken meanwhile undoes the
    /// transaction, and all comes again.
    /// </summary>
    public async Task CopyKeysAsync(
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
        for (BsonValue? last = null; ;)
        {
            var page = KeyDocuments.AcceptedBy(instances, last, KeysPerPage);
            await database.ReadAsync([page], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
            accepted.UnionWith(page.Found.Select(KeyDocuments.ReadDedupKey));
            if (page.Found.Count < KeysPerPage)
                break;
            last = page.Found[^1]["_id"];
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
}
