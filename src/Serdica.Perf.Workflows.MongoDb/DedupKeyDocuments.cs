namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Dedup keys: the instance and the key together are the <c>_id</c>.</summary>
internal static class DedupKeyDocuments
{
    public static void WriteId(BsonWriter writer, ReadOnlySpan<byte> name, Guid instanceId, string key)
    {
        writer.BeginDocument(name);
        writer.Write("instance"u8, instanceId);
        writer.Write("key"u8, key);
        writer.End();
    }

    public static (Guid InstanceId, string Key) Read(ReadOnlySpan<byte> document)
    {
        var reader = new BsonReader(document);
        reader.Find("_id"u8);
        var id = new BsonReader(reader.Document());
        id.Find("instance"u8);
        var instance = id.Guid();
        id.Find("key"u8);
        return (instance, id.String());
    }
}
