using MongoDB.Bson.Serialization.Attributes;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A document to be stored. It is written straight into the command that carries it, without a tree of values.</summary>
[BsonSerializer(typeof(StoredDocumentSerializer))]
internal sealed class StoredDocument(Action<IBsonWriter> writeElements)
{
    public void Write(IBsonWriter writer)
    {
        writer.WriteStartDocument();
        writeElements(writer);
        writer.WriteEndDocument();
    }
}

/// <summary>How the driver writes a <see cref="StoredDocument"/>. Nothing is read as one.</summary>
internal sealed class StoredDocumentSerializer : SealedClassSerializerBase<StoredDocument>
{
    protected override void SerializeValue(BsonSerializationContext context, BsonSerializationArgs args, StoredDocument value) =>
        value.Write(context.Writer);
}
