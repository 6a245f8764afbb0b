using System.Buffers;
using MongoDB.Bson;
using MongoDB.Bson.IO;
using MongoDB.Bson.Serialization;
using MongoDB.Bson.Serialization.Serializers;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>One of MongoDB's commands as BSON in a pooled buffer; whoever runs it disposes it.</summary>
internal sealed class DocumentDbCommand : IDisposable
{
    /// <value>Nothing is expected of the count: a document that is refused is an error by itself.</value>
    private const int AnyCount = -1;

    private readonly byte[] _buffer;

    /// <param name="function">What takes the command.</param>
    /// <param name="write">Writes the elements of the command.</param>
    /// <param name="expected">See <see cref="Expected"/>.</param>
    public DocumentDbCommand(DocumentDbFunction function, Action<BsonBinaryWriter> write, int expected = AnyCount)
    {
        Function = function;
        Expected = expected;
        using var buffer = new MultiChunkBuffer(new OutputBufferChunkSource(BsonChunkPool.Default));
        using var stream = new ByteBufferStream(buffer);
        using var writer = new BsonBinaryWriter(stream);
        writer.WriteStartDocument();
        write(writer);
        writer.WriteEndDocument();
        var length = (int)stream.Length;
        _buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.GetBytes(0, _buffer, 0, length);
        Bytes = _buffer.AsMemory(0, length);
    }

    public DocumentDbCommand(DocumentDbFunction function, BsonDocument command)
        : this(function, writer => command.Elements.ToList().ForEach(element => Write(writer, element.Name, element.Value))) { }

    public DocumentDbFunction Function { get; }

    public ReadOnlyMemory<byte> Bytes { get; }

    /// <value>The <c>n</c> that the reply must have within a transaction: documents inserted, found or deleted.</value>
    public int Expected { get; }

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);

    public static DocumentDbCommand Find(DocumentQuery query) =>
        new(
            DocumentDbFunction.Find,
            writer =>
            {
                writer.WriteString("find", query.Collection);
                Write(writer, "filter", query.Filter);
                if (query.Projection is { } fields)
                    Write(writer, "projection", fields);
                if (query.Sort is { } sort)
                    Write(writer, "sort", sort);
                if (query.Index is { } index)
                    writer.WriteString("hint", index);
                if (query.Limit > 0)
                    writer.WriteInt32("limit", query.Limit);

                // One page: the default of 101 documents would leave a cursor behind.
                writer.WriteInt32("batchSize", int.MaxValue);
                writer.WriteBoolean("singleBatch", true);
            }
        );

    public static DocumentDbCommand Aggregate(DocumentQuery query) =>
        new(
            DocumentDbFunction.Aggregate,
            new BsonDocument
            {
                { "aggregate", query.Collection },
                { "pipeline", new BsonArray(query.ToStages()) },
                { "cursor", new BsonDocument() },
            }
        );

    public static DocumentDbCommand Delete(string collection, BsonDocument filter, int expected = AnyCount) =>
        new(
            DocumentDbFunction.Delete,
            writer =>
            {
                writer.WriteString("delete", collection);
                writer.WriteStartArray("deletes");
                writer.WriteStartDocument();
                Write(writer, "q", filter);
                writer.WriteInt32("limit", 0);
                writer.WriteEndDocument();
                writer.WriteEndArray();
            },
            expected
        );

    public static DocumentDbCommand ExpectNone(ExpectNone none) =>
        new(
            DocumentDbFunction.Count,
            writer =>
            {
                writer.WriteString("count", none.Collection);
                Write(writer, "query", none.Filter);
                writer.WriteString("hint", none.Index);
                writer.WriteInt32("limit", 1);
            },
            expected: 0
        );

    public static void Write(BsonBinaryWriter writer, string name, BsonValue value)
    {
        writer.WriteName(name);
        BsonValueSerializer.Instance.Serialize(BsonSerializationContext.CreateRoot(writer), value);
    }
}

/// <summary>Functions of the extension, each of which takes the command of the same name.</summary>
internal enum DocumentDbFunction
{
    Find,
    Aggregate,
    Count,
    Insert,
    Update,
    Delete,
    Create,
    CreateIndexes,
    DropDatabase,
}
