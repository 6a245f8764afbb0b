namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Deletes instances that have been closed for long. What belongs to them goes first, page by page: a purge that is broken off
/// leaves instances without belongings, which the next one takes.
/// </summary>
internal sealed class MongoDbPurge(IDocumentDatabase database, ServerClock clock)
{
    private const int Page = 1_000;

    private const int MaxInstances = 500;

    /// <summary>State and progress that one transaction deletes: the server keeps what is deleted until the commit.</summary>
    private const long MaxBytes = 16L << 20;

    public async Task<int> RunAsync(TimeSpan age, CancellationToken cancellationToken)
    {
        var limit = await clock.ReadAsync(cancellationToken).ConfigureAwait(false) - age;
        var purged = 0;
        List<Old> page;
        Guid? last = null;
        do
        {
            page = await database.FindAsync(InstancesAfter(last), cancellationToken).ConfigureAwait(false);
            if (page.Count == 0)
                return purged;
            last = page[^1].Id;
            var old = page.FindAll(instance => instance.Status.IsClosed() && instance.Updated < limit);

            // Children stay while their parent is open: it may still read their results.
            var open = await database
                .FindInstancesAsync(old.Select(static instance => instance.Parent).OfType<Guid>(), onlyOpen: true, cancellationToken)
                .ConfigureAwait(false);
            old.RemoveAll(instance => instance.Parent is { } parent && open.Contains(parent));

            await SpareAsync(old, cancellationToken).ConfigureAwait(false);
            if (old.Count == 0)
                continue;
            await database.DeleteBelongingsAsync([.. old.Select(static instance => instance.Id)], cancellationToken).ConfigureAwait(false);
            foreach (var batch in Batches(old))
            {
                // Otherwise another purge has been quicker with some of them; it, or the next one, takes the rest.
                if (await database.WriteAsync(DeletionOf(batch), cancellationToken).ConfigureAwait(false))
                    purged += batch.Count;
            }
        } while (page.Count == Page);
        return purged;
    }

    /// <summary>
    /// Keeps instances through which signals must still be forwarded: from one that was continued, link by link, when they are due. It
    /// looks for predecessors before signals: a predecessor that is gone by then has forwarded its signals.
    /// </summary>
    private async Task SpareAsync(List<Old> old, CancellationToken cancellationToken)
    {
        var continued = old.FindAll(static instance => instance.IsContinued);
        var others = continued.Select(static instance => instance.Predecessor).OfType<Guid>().Except(old.Select(static i => i.Id));
        var stay = await database.FindInstancesAsync(others, onlyOpen: false, cancellationToken).ConfigureAwait(false);
        var signals = await database
            .FindSignalsAsync([.. continued.Select(static instance => instance.Id)], cancellationToken)
            .ConfigureAwait(false);
        var waitedFor = signals.Select(static signal => signal.Instance).ToHashSet();
        ContinuedChain.Spare(
            old,
            static instance => instance.Id,
            static instance => instance.Predecessor,
            instance => waitedFor.Contains(instance.Id) || (instance.Predecessor is { } predecessor && stay.Contains(predecessor))
        );
    }

    private static IEnumerable<List<Old>> Batches(List<Old> instances)
    {
        for (var first = 0; first < instances.Count;)
        {
            var batch = new List<Old>();
            for (var bytes = 0L; first < instances.Count && bytes < MaxBytes && batch.Count < MaxInstances; first++)
            {
                batch.Add(instances[first]);
                bytes += instances[first].Bytes;
            }

            yield return batch;
        }
    }

    private static List<DocumentWrite> DeletionOf(List<Old> batch)
    {
        var keys = batch.Select(static instance => instance.BusinessKey).OfType<string>().ToList();
        var writes = new List<DocumentWrite>
        {
            new DeleteDocuments(Collections.Instances, Queries.In("_id", batch.Select(static instance => instance.Id)), batch.Count),
        };
        if (keys.Count > 0)
            writes.Add(new DeleteDocuments(Collections.BusinessKeys, Queries.In("_id", keys), keys.Count));
        return writes;
    }

    /// <summary>
    /// A page of all instances in the order of their ids: no index leads to the old ones, and one query must not walk over all the
    /// others.
    /// </summary>
    private static DocumentQuery<Old> InstancesAfter(Guid? last) =>
        new(Collections.Instances, static reader => Old.Of(Queries.Plain(reader)))
        {
            Filter = last is { } id ? new("_id", new BsonDocument("$gt", Queries.Id(id))) : [],
            Sort = new("_id", 1),
            Limit = Page,
            // The notes on an open one may be large, and are of no interest.
            Projection = BsonDocument.Parse(
                $$"""
                { status: 1, updated: 1, businessKey: 1, parent: 1, bytes: { $bsonSize: '$$ROOT' },
                  progress: { $cond: [{ $gte: ['$status', {{(int)InstanceStatus.Completed}}] }, '$progress', null] } }
                """
            ),
        };

    private readonly record struct Old(
        Guid Id,
        InstanceStatus Status,
        DateTime Updated,
        string? BusinessKey,
        Guid? Parent,
        bool IsContinued,
        Guid? Predecessor,
        long Bytes
    )
    {
        public static Old Of(BsonDocument document)
        {
            var progress = (document.Find("progress") as BsonBinaryData)?.Bytes;
            return new(
                document["_id"].ToGuid(),
                (InstanceStatus)document["status"].ToInt32(),
                document["updated"].ToUniversalTime(),
                document.FindText("businessKey"),
                document.Find("parent")?.ToGuid(),
                progress is not null,
                ContinuedChain.PredecessorOf(progress),
                document["bytes"].ToInt64()
            );
        }
    }
}
