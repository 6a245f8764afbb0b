namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What is asked of one collection, and what was found.</summary>
internal abstract class DocumentQuery(string collection)
{
    public string Collection { get; } = collection;

    public BsonDocument Filter { get; init; } = [];

    /// <value>Null for the order in which the server finds them.</value>
    public BsonDocument? Sort { get; init; }

    /// <value>Most documents; 0 for all that one reply of the server holds.</value>
    public int Limit { get; init; }

    /// <value>
    /// An index that DocumentDB is to use, where it would walk over all keys of the collection: it knows nothing of how many documents
    /// a filter finds. MongoDB tries its indexes and chooses by itself.
    /// </value>
    public string? Index { get; init; }

    /// <value>Null for whole documents.</value>
    public BsonDocument? Projection { get; init; }

    /// <value>Stages that follow those of the other properties; only snapshots are asked for them.</value>
    public IReadOnlyList<BsonDocument> FurtherStages { get; init; } = [];

    /// <summary>Forgets what was found: the query is asked again.</summary>
    public abstract void Clear();

    public abstract void Take(IBsonReader document);

    public IEnumerable<BsonDocument> ToStages()
    {
        if (Filter.ElementCount > 0)
            yield return new BsonDocument("$match", Filter);
        if (Sort is not null)
            yield return new BsonDocument("$sort", Sort);
        if (Limit > 0)
            yield return new BsonDocument("$limit", Limit);
        if (Projection is not null)
            yield return new BsonDocument("$project", Projection);
        foreach (var stage in FurtherStages)
            yield return stage;
    }
}

/// <inheritdoc/>
internal class DocumentQuery<T>(string collection, Func<IBsonReader, T> read) : DocumentQuery(collection)
{
    /// <summary>What was found, in the server's order.</summary>
    public List<T> Found { get; } = [];

    public override void Clear() => Found.Clear();

    public override void Take(IBsonReader document) => Found.Add(read(document));
}

/// <summary>Asks for signals, dead letters or messages.</summary>
internal sealed class SignalQuery(string collection = Collections.Signals) : DocumentQuery<StoredSignal>(collection, SignalDocuments.Read)
{
    /// <summary>In the order of their keys, by the index on them.</summary>
    /// <param name="slots">Null for all.</param>
    /// <param name="fields">Null for whole documents.</param>
    public static SignalQuery Look(
        string collection,
        DueKey after,
        DueKey last,
        IReadOnlyList<int>? slots,
        int limit,
        BsonDocument? fields = null
    )
    {
        var filter = new BsonDocument("_id", new BsonDocument { { "$gt", after.ToBson() }, { "$lte", last.ToBson() } });
        if (slots is not null)
            filter.AddRange(Queries.In("slot", slots));
        return new(collection)
        {
            Filter = filter,
            Sort = new("_id", 1),
            Limit = limit,
            Projection = fields,
        };
    }

    /// <summary>What is due of what was found; later ones only say when to look again.</summary>
    public List<StoredSignal> Until(DateTimeOffset now, out TimeSpan? nextDue)
    {
        nextDue = null;
        var later = Found.FindIndex(signal => signal.Key.Time > now);
        if (later < 0)
            return Found;
        nextDue = Found[later].Key.Time - now;
        return Found.GetRange(0, later);
    }
}
