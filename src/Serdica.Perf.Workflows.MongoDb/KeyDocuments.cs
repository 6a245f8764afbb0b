namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Keys that instances and callers choose. Each is the <c>_id</c> of a document, and so unique.</summary>
internal static class KeyDocuments
{
    public static StoredDocument BusinessKey(string key, InstanceRecord owner) =>
        new(writer =>
        {
            writer.WriteString("_id", key);
            writer.Write("instance", owner.Id);
            writer.WriteString("definition", owner.Definition);
        });

    /// <summary>Instance and key together are the <c>_id</c>.</summary>
    public static StoredDocument DedupKey(Guid instance, string key) =>
        new(writer =>
        {
            writer.WriteStartDocument("_id");
            writer.Write("instance", instance);
            writer.WriteString("key", key);
            writer.WriteEndDocument();
            writer.Write("instance", instance);
        });

    public static DocumentQuery<BsonDocument> Owners(IEnumerable<string> keys) =>
        new(Collections.BusinessKeys, Queries.Plain) { Filter = Queries.In("_id", keys) };

    public static DocumentQuery<BsonDocument> Accepted(IEnumerable<(Guid Instance, string Key)> keys) =>
        new(Collections.DedupKeys, Queries.Plain)
        {
            Filter = Queries.In(
                "_id",
                keys.Select(static key => (BsonValue)new BsonDocument { { "instance", Queries.Id(key.Instance) }, { "key", key.Key } })
            ),
        };

    /// <summary>Dedup keys that instances have accepted: the first ones, or those that follow an <c>_id</c>.</summary>
    public static DocumentQuery<BsonDocument> AcceptedBy(IReadOnlyCollection<Guid> instances, BsonValue? after, int limit)
    {
        var filter = Queries.In("instance", instances);
        if (after is not null)
            filter.Add("_id", new BsonDocument("$gt", after));

        // The id begins with the instance: both are one order, and with both MongoDB takes no other index.
        return new(Collections.DedupKeys, Queries.Plain)
        {
            Filter = filter,
            Sort = new() { { "instance", 1 }, { "_id", 1 } },
            Limit = limit,
            Index = Queries.ByInstance,
            Projection = Queries.Fields("_id"),
        };
    }

    public static (Guid Instance, string Key) ReadDedupKey(BsonDocument document)
    {
        var id = document["_id"].AsBsonDocument;
        return (id["instance"].ToGuid(), id["key"].AsString);
    }
}
