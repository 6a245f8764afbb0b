using System.Buffers;
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

    public DocumentDbCommand(DocumentDbFunction function, BsonDocument command, int expected = AnyCount)
        : this(function, writer => command.Elements.ToList().ForEach(element => Write(writer, element.Name, element.Value)), expected) { }

    public DocumentDbFunction Function { get; }

    public ReadOnlyMemory<byte> Bytes { get; }

    /// <value>The <c>n</c> that the reply must have within a transaction: documents inserted, found or deleted.</value>
    public int Expected { get; }

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);

    public static DocumentDbCommand Find(DocumentQuery query) =>
        new(
            DocumentDbFunction.Find,
            new BsonDocument
            {
                { "find", query.Collection },
                { "filter", query.Filter },
                { "projection", query.Projection, query.Projection is not null },
                { "sort", query.Sort, query.Sort is not null },
                { "hint", query.Index, query.Index is not null },
                { "limit", query.Limit, query.Limit > 0 },
                // One page: the default of 101 documents would leave a cursor behind.
                { "batchSize", int.MaxValue },
                { "singleBatch", true },
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

    public static DocumentDbCommand Delete(string collection, BsonDocument filter, int expected = AnyCount)
    {
        var deletes = new BsonArray { new BsonDocument { { "q", filter }, { "limit", 0 } } };
        return new(DocumentDbFunction.Delete, new BsonDocument { { "delete", collection }, { "deletes", deletes } }, expected);
    }

    public static DocumentDbCommand ExpectNone(ExpectNone none) =>
        new(
            DocumentDbFunction.Count,
            new BsonDocument
            {
                { "count", none.Collection },
                { "query", none.Filter },
                { "hint", none.Index },
                { "limit", 1 },
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
