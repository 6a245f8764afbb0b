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

    public static DocumentQuery<KeyValuePair<string, ExistingInstance>> Owners(IEnumerable<string> keys) =>
        new(Collections.BusinessKeys, ReadOwner) { Filter = Queries.In("_id", keys) };

    public static DocumentQuery<(Guid Instance, string Key)> Accepted(IEnumerable<(Guid Instance, string Key)> keys) =>
        new(Collections.DedupKeys, ReadDedupKey) { Filter = Queries.In("_id", keys.Select(IdOf)) };

    /// <summary>Dedup keys that instances have accepted: the first ones, or those that follow one.</summary>
    public static DocumentQuery<(Guid Instance, string Key)> AcceptedBy(
        IReadOnlyCollection<Guid> instances,
        (Guid Instance, string Key)? after,
        int limit
    )
    {
        var filter = Queries.In("instance", instances);
        if (after is { } key)
            filter.Add("_id", new BsonDocument("$gt", IdOf(key)));

        // The id begins with the instance: both are one order, and with both MongoDB takes no other index.
        return new(Collections.DedupKeys, ReadDedupKey)
        {
            Filter = filter,
            Sort = new() { { "instance", 1 }, { "_id", 1 } },
            Limit = limit,
            Index = Queries.ByInstance,
            Projection = Queries.Fields("_id"),
        };
    }

    private static KeyValuePair<string, ExistingInstance> ReadOwner(IBsonReader reader)
    {
        var owner = Queries.Plain(reader);
        return new(owner["_id"].AsString, new(owner["instance"].ToGuid(), owner["definition"].AsString));
    }

    private static (Guid Instance, string Key) ReadDedupKey(IBsonReader reader)
    {
        var id = Queries.Plain(reader)["_id"];
        return (id["instance"].ToGuid(), id["key"].AsString);
    }

    private static BsonDocument IdOf((Guid Instance, string Key) key) =>
        new() { { "instance", Queries.Id(key.Instance) }, { "key", key.Key } };
}
