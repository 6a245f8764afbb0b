namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Elements of the types that the backend stores.</summary>
internal static class BsonElements
{
    /// <summary>As binary of subtype 4, in network order: the order of the bytes is that of UUIDv7.</summary>
    public static void Write(this IBsonWriter writer, string name, Guid value) => writer.WriteBinaryData(name, Queries.Id(value));

    public static void Write(this IBsonWriter writer, string name, DueKey value) => writer.WriteBinaryData(name, value.ToBson());

    public static void Write(this IBsonWriter writer, string name, DateTimeOffset value) =>
        writer.WriteDateTime(name, value.ToUnixTimeMilliseconds());

    public static Guid ReadGuid(this IBsonReader reader) => reader.ReadBinaryData().ToGuid(GuidRepresentation.Standard);

    public static DueKey ReadDueKey(this IBsonReader reader) => DueKey.Read(reader.ReadBinaryData().Bytes);

    public static DateTimeOffset ReadTime(this IBsonReader reader) => DateTimeOffset.FromUnixTimeMilliseconds(reader.ReadDateTime());

    public static Guid ToGuid(this BsonValue value) => value.AsBsonBinaryData.ToGuid(GuidRepresentation.Standard);

    /// <summary>What is at a path; null, too, where the server writes null for nothing.</summary>
    public static BsonValue? Find(this BsonValue value, params ReadOnlySpan<string> path)
    {
        foreach (var name in path)
        {
            if (value is not BsonDocument document || !document.TryGetValue(name, out value))
                return null;
        }

        return value.IsBsonNull ? null : value;
    }

    public static string? FindText(this BsonValue value, params ReadOnlySpan<string> path) => (value.Find(path) as BsonString)?.Value;
}
