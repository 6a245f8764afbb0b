namespace Serdica.Perf.Workflows.MongoDb;

internal static class Queries
{
    /// <summary>The index on the field of this name.</summary>
    public const string ByInstance = "instance";

    /// <summary>Documents as they are: for what is asked now and then.</summary>
    public static BsonDocument Plain(IBsonReader reader) =>
        BsonDocumentSerializer.Instance.Deserialize(BsonDeserializationContext.CreateRoot(reader));

    /// <summary>The clock of the server, by way of a document that is always there.</summary>
    public static DocumentQuery<BsonDocument> Clock() =>
        new(Collections.Store, Plain) { Filter = new("_id", 0), Projection = new() { { "version", 1 }, { "now", "$$NOW" } } };

    /// <summary>The instances with these ids: whole, or some fields, of which the others have their defaults.</summary>
    public static DocumentQuery<InstanceRecord> Instances(IEnumerable<Guid> ids, params string[] fields) =>
        new(Collections.Instances, InstanceDocuments.Read)
        {
            Filter = In("_id", ids),
            Projection = fields.Length == 0 ? null : Fields(fields),
        };

    public static BsonBinaryData Id(Guid id) => new(id, GuidRepresentation.Standard);

    public static BsonDocument In<T>(string field, IEnumerable<T> values)
        where T : notnull =>
        new(field, new BsonDocument("$in", new BsonArray(values.Select(ValueOf))));

    public static BsonDocument Fields(params ReadOnlySpan<string> fields)
    {
        var projection = new BsonDocument();
        foreach (var field in fields)
            projection.Add(field, 1);
        return projection;
    }

    private static BsonValue ValueOf<T>(T value)
        where T : notnull =>
        value switch
        {
            Guid id => Id(id),
            DueKey key => key.ToBson(),
            _ => BsonValue.Create(value),
        };
}
