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

    /// <summary>Reads the next document that was found.</summary>
    public abstract void Take(IBsonReader document);

    /// <summary>This query as a pipeline.</summary>
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
/// <param name="collection">Where to look.</param>
/// <param name="read">Reads one document.</param>
internal class DocumentQuery<T>(string collection, Func<IBsonReader, T> read) : DocumentQuery(collection)
{
    /// <summary>What was found, in the server's order.</summary>
    public List<T> Found { get; } = [];

    public override void Clear() => Found.Clear();

    public override void Take(IBsonReader document) => Found.Add(read(document));
}

/// <summary>Asks for signals, dead letters or messages.</summary>
internal sealed class SignalQuery(string collection = Collections.Signals) : DocumentQuery<StoredSignal>(collection, SignalDocuments.Read);
