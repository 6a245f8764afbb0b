namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What is asked now and then: instances and dead letters.</summary>
internal sealed class MongoDbQueries(IDocumentDatabase database, ServerClock clock)
{
    public async Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        var found = await database.ReadKeptAsync(Queries.Instances([instanceId]), cancellationToken).ConfigureAwait(false);
        return found.FirstOrDefault();
    }

    public async Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> instanceIds, CancellationToken cancellationToken)
    {
        // By the server: the states of open ones could leave no room in its reply.
        var query = Queries.Instances(instanceIds);
        query.Filter.Add("status", new BsonDocument("$gte", (int)InstanceStatus.Completed));
        return await database.FindAsync(query, cancellationToken, ReadLevel.Kept).ConfigureAwait(false);
    }

    public async Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken)
    {
        var owners = await database.ReadKeptAsync(KeyDocuments.Owners([businessKey]), cancellationToken).ConfigureAwait(false);
        return owners is [var owner] ? await FindAsync(owner.Value.Id, cancellationToken).ConfigureAwait(false) : null;
    }

    public async Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken)
    {
        var found = new List<DeadLetter>();
        for (var page = query; ;)
        {
            var letters = await ReadLettersAsync(page, cancellationToken).ConfigureAwait(false);
            found.AddRange(await OfWantedInstancesAsync(query, letters, cancellationToken).ConfigureAwait(false));
            if (letters.Count < query.Limit || found.Count >= query.Limit)
                return found.Count <= query.Limit ? found : found.GetRange(0, query.Limit);
            page = query with { After = DeadLetterPosition.Of(letters[^1]) };
        }
    }

    public async Task<int> RequeueAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken)
    {
        // A reply holds 16 MB at most: what is missing is asked for again, until there is no more of it.
        var left = signalIds.ToHashSet();
        var (requeued, refusals) = (0, 0);
        while (left.Count > 0)
        {
            var query = new SignalQuery(Collections.DeadLetters) { Filter = Queries.In("signal", left) };
            var now = await clock.ReadAsync([query], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
            var letters = query.Found;
            if (letters.Count == 0)
                return requeued;
            left.ExceptWith(letters.Select(static letter => letter.Key.Id));
            var open = await database
                .FindInstancesAsync(letters.Select(static letter => letter.Instance), onlyOpen: true, cancellationToken)
                .ConfigureAwait(false);
            letters.RemoveAll(letter => !open.Contains(letter.Instance));
            if (letters.Count == 0)
                continue;

            var writes = new MongoDbWrites(now, clock.UpperBound);
            writes.Delete(Collections.DeadLetters, letters.ConvertAll(static letter => letter.Key));
            foreach (var letter in letters)
                writes.AddSignal(letter.ToSignal() with { Attempt = 0, Due = Due.Now });
            if (await database.WriteAsync(writes.ToList(), cancellationToken).ConfigureAwait(false))
            {
                requeued += letters.Count;
                continue;
            }

            if (++refusals == KeptReads.MaxTries)
                throw new WorkflowBackendException(
                    $"{letters.Count} dead letters could not be requeued: others changed them {KeptReads.MaxTries} times.",
                    isTransient: true
                )
                {
                    NothingWritten = requeued == 0,
                };
            left.UnionWith(letters.Select(static letter => letter.Key.Id));
        }

        return requeued;
    }

    /// <summary>A page by what the letters themselves tell.</summary>
    private async Task<List<DeadLetter>> ReadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken)
    {
        var letters = new SignalQuery(Collections.DeadLetters)
        {
            Filter = FilterOf(query),
            Sort = new("_id", 1),
            Limit = query.Limit,
        };
        await database.ReadSnapshotAsync([letters], cancellationToken).ConfigureAwait(false);
        return letters.Found.ConvertAll(static letter => new DeadLetter(
            letter.ToSignal() with { Due = default },
            letter.Reason,
            letter.Detail,
            letter.Key.Time
        ));
    }

    private static BsonDocument FilterOf(DeadLetterQuery query)
    {
        var filter = new BsonDocument();
        if (query.After is { } after)
            filter.Add("_id", new BsonDocument("$gt", DueKey.At(after.DeadAt, after.SignalId).ToBson()));
        if (query.Reason is { } reason)
            filter.Add("reason", (int)reason);
        if (query.InstanceId is { } instance)
            filter.Add("instance", Queries.Id(instance));
        if (query.Name is { } name)
            filter.Add("name", name);
        return filter;
    }

    private async Task<IEnumerable<DeadLetter>> OfWantedInstancesAsync(
        DeadLetterQuery query,
        List<DeadLetter> letters,
        CancellationToken cancellationToken
    )
    {
        if (!query.LooksAtInstances || letters.Count == 0)
            return letters;
        var ids = letters.Select(static letter => letter.Signal.InstanceId).Distinct();
        var instances = await database
            .FindAsync(Queries.Instances(ids, "_id", "status", "definition"), cancellationToken)
            .ConfigureAwait(false);
        var byId = instances.ToDictionary(static instance => instance.Id);
        return letters.Where(letter => query.Matches(byId.GetValueOrDefault(letter.Signal.InstanceId)));
    }
}
