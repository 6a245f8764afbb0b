using MongoDB.Bson.Serialization;
using MongoDB.Bson.Serialization.Serializers;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Queries that several parts of the backend ask, and what filters are made of.</summary>
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

    public static BsonDocument In(string field, IEnumerable<Guid> values) => In(field, values.Select(static value => (BsonValue)Id(value)));

    public static BsonDocument In(string field, IEnumerable<DueKey> values) =>
        In(field, values.Select(static value => (BsonValue)value.ToBson()));

    public static BsonDocument In(string field, IEnumerable<string> values) => In(field, values.Select(static value => (BsonValue)value));

    public static BsonDocument In(string field, IEnumerable<int> values) => In(field, values.Select(static value => (BsonValue)value));

    public static BsonDocument In(string field, IEnumerable<BsonValue> values) =>
        new(field, new BsonDocument("$in", new BsonArray(values)));

    public static BsonDocument Fields(params ReadOnlySpan<string> fields)
    {
        var projection = new BsonDocument();
        foreach (var field in fields)
            projection.Add(field, 1);
        return projection;
    }
}
