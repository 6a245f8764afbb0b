namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What is asked now and then: instances, dead letters, purge.</summary>
internal sealed class MongoDbQueries(IDocumentDatabase database, ServerClock clock)
{
    /// <summary>Instances that one transaction of a purge deletes.</summary>
    private const int PurgeBatch = 500;

    private const int MaxTries = 20;

    public async Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        var replies = await database.RunAsync([Commands.FindIds(Collections.Instances, [instanceId])], cancellationToken).ConfigureAwait(false);
        var documents = replies[0].Documents();
        return documents.Next() ? InstanceDocuments.Read(documents.Document()) : null;
    }

    public async Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken)
    {
        var replies = await database.RunAsync([Commands.FindIds(Collections.BusinessKeys, [businessKey])], cancellationToken).ConfigureAwait(false);
        return ReadOwner(replies[0]) is { } owner ? await FindAsync(owner, cancellationToken).ConfigureAwait(false) : null;
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
            var now = await clock.ReadAsync(cancellationToken).ConfigureAwait(false);
            var replies = await database.RunAsync(
                [Commands.Find(Collections.DeadLetters, filter => Commands.In(filter, "signal"u8, left), level: ReadLevel.Latest)], cancellationToken).ConfigureAwait(false);
            var letters = SignalDocuments.ReadAll(replies[0]);
            if (letters.Count == 0)
                return requeued;
            left.ExceptWith(letters.Select(static letter => letter.Signal.Id));
            var open = await OpenAsync(letters.ConvertAll(static letter => letter.Signal.InstanceId), cancellationToken).ConfigureAwait(false);
            letters.RemoveAll(letter => !open.Contains(letter.Signal.InstanceId));
            if (letters.Count == 0)
                continue;

            var commands = new List<DocumentCommand>
            {
                Commands.Delete(
                    Collections.DeadLetters, filter => Commands.In(filter, "_id"u8, letters.Select(static letter => letter.Key)), letters.Count),
            };
            var writes = new MongoDbWrites(now);
            foreach (var letter in letters)
                writes.AddSignal(letter.Signal with { Attempt = 0, Due = Due.Now });
            writes.AppendTo(commands);
            if (await database.WriteAsync(commands, cancellationToken).ConfigureAwait(false))
            {
                requeued += letters.Count;
                continue;
            }

            if (++refusals == MaxTries)
                throw new WorkflowBackendException($"{letters.Count} dead letters could not be requeued: others changed them {MaxTries} times.", isTransient: true);
            left.UnionWith(letters.Select(static letter => letter.Signal.Id));
        }

        return requeued;
    }

    public async Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken)
    {
        var limit = await clock.ReadAsync(cancellationToken).ConfigureAwait(false) - age;
        var purged = 0;
        Guid? last = null;
        while (true)
        {
            var replies = await database.RunAsync([OldInstances(limit, last)], cancellationToken).ConfigureAwait(false);
            var old = ReadOld(replies[0]);
            if (old.Count == 0)
                return purged;
            last = old[^1].Id;

            // Children stay while their parent is open: it may still read their results.
            var parents = old.Select(static instance => instance.ParentId).OfType<Guid>().Distinct().ToList();
            var open = parents.Count == 0 ? [] : await OpenAsync(parents, cancellationToken).ConfigureAwait(false);
            old.RemoveAll(instance => instance.ParentId is { } parent && open.Contains(parent));
            if (old.Count == 0)
                continue;
            var ids = old.ConvertAll(static instance => instance.Id);
            var keys = old.Select(static instance => instance.BusinessKey).OfType<string>();
            var written = await database.WriteAsync(
                [
                    Commands.Delete(Collections.Instances, filter => Commands.In(filter, "_id"u8, ids), ids.Count),
                    Commands.Delete(Collections.BusinessKeys, filter => Commands.In(filter, "_id"u8, keys)),
                    .. Commands.DeleteBelongings(ids),
                ],
                cancellationToken).ConfigureAwait(false);

            // Otherwise another purge has been quicker with some of them; it, or the next one, takes the rest.
            if (written)
                purged += ids.Count;
        }
    }

    /// <summary>A page in the order of the ids.</summary>
    private static DocumentCommand OldInstances(DateTimeOffset limit, Guid? after) => Commands.Find(
        Collections.Instances,
        filter =>
        {
            if (after is { } last)
            {
                filter.BeginDocument("_id"u8);
                filter.Write("$gt"u8, last);
                filter.End();
            }

            filter.BeginDocument("status"u8);
            filter.Write("$gte"u8, (int)InstanceStatus.Completed);
            filter.End();
            filter.BeginDocument("updated"u8);
            filter.Write("$lt"u8, limit);
            filter.End();
        },
        static find =>
        {
            Commands.Project(find, "_id", "businessKey", "parent");
            find.BeginDocument("sort"u8);
            find.Write("_id"u8, 1);
            find.End();
            find.Write("limit"u8, PurgeBatch);
        },
        ReadLevel.Latest);

    private static List<InstanceRecord> ReadOld(DocumentReply reply)
    {
        var old = new List<InstanceRecord>();
        var documents = reply.Documents();
        while (documents.Next())
            old.Add(InstanceDocuments.Read(documents.Document()));
        return old;
    }

    /// <summary>A page by what the letters themselves tell.</summary>
    private async Task<List<DeadLetter>> ReadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken)
    {
        var pages = await database.ReadSnapshotAsync(
            [
                Commands.Aggregate(
                    Collections.DeadLetters,
                    stages =>
                    {
                        stages.BeginDocument();
                        stages.BeginDocument("$match"u8);
                        Filter(stages, query);
                        stages.End();
                        stages.End();
                        stages.BeginDocument();
                        stages.BeginDocument("$sort"u8);
                        stages.Write("_id"u8, 1);
                        stages.End();
                        stages.End();
                        stages.BeginDocument();
                        stages.Write("$limit"u8, query.Limit);
                        stages.End();
                    }),
            ],
            cancellationToken).ConfigureAwait(false);
        return [.. pages[0].SelectMany(SignalDocuments.ReadAll).Select(static letter => new DeadLetter(
            letter.Signal with { Due = default }, letter.Reason, letter.Detail, letter.Key.Time))];
    }

    private static void Filter(BsonWriter filter, DeadLetterQuery query)
    {
        if (query.After is { } after)
        {
            filter.BeginDocument("_id"u8);
            filter.Write("$gt"u8, DueKey.At(after.DeadAt, after.SignalId));
            filter.End();
        }

        if (query.Reason is { } reason)
            filter.Write("reason"u8, (int)reason);
        if (query.InstanceId is { } instance)
            filter.Write("instance"u8, instance);
        if (query.Name is { } name)
            filter.Write("name"u8, name);
    }

    private async Task<IEnumerable<DeadLetter>> OfWantedInstancesAsync(
        DeadLetterQuery query, List<DeadLetter> letters, CancellationToken cancellationToken)
    {
        if (!query.LooksAtInstances || letters.Count == 0)
            return letters;
        var ids = letters.Select(static letter => letter.Signal.InstanceId).ToHashSet();
        var replies = await database.RunAsync(
            [Commands.FindIds(Collections.Instances, ids, ReadLevel.Latest, "_id", "status", "definition")], cancellationToken).ConfigureAwait(false);
        var instances = new Dictionary<Guid, InstanceRecord>();
        var documents = replies[0].Documents();
        while (documents.Next())
        {
            var instance = InstanceDocuments.Read(documents.Document());
            instances[instance.Id] = instance;
        }

        return letters.Where(letter => query.Matches(instances.GetValueOrDefault(letter.Signal.InstanceId)));
    }

    private async Task<HashSet<Guid>> OpenAsync(IReadOnlyList<Guid> ids, CancellationToken cancellationToken)
    {
        var replies = await database.RunAsync([Commands.FindIds(Collections.Instances, ids, ReadLevel.Latest, "_id", "status")], cancellationToken).ConfigureAwait(false);
        var open = new HashSet<Guid>();
        var documents = replies[0].Documents();
        while (documents.Next())
        {
            var instance = InstanceDocuments.Read(documents.Document());
            if (!instance.Status.IsClosed())
                open.Add(instance.Id);
        }

        return open;
    }

    private static Guid? ReadOwner(DocumentReply reply)
    {
        var documents = reply.Documents();
        if (!documents.Next())
            return null;
        var document = new BsonReader(documents.Document());
        return document.Find("instance"u8) ? document.Guid() : null;
    }
}
