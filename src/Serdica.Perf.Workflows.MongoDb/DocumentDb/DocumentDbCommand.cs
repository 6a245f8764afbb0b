using System.Buffers;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>One of MongoDB's commands as BSON in a pooled buffer; whoever runs it disposes it.</summary>
internal sealed class DocumentDbCommand : IDisposable
{
    /// <value>Nothing is expected of the count: a document that is refused is an error by itself.</value>
    private const int AnyCount = -1;

    private readonly byte[] _buffer;

    public DocumentDbCommand(string name, Action<BsonBinaryWriter> write, int expected = AnyCount)
    {
        Name = name;
        Expected = expected;
        using var buffer = new MultiChunkBuffer(new OutputBufferChunkSource(BsonChunkPool.Default));
        using var stream = new ByteBufferStream(buffer);
        using var writer = new BsonBinaryWriter(stream);
        write(writer);
        var length = (int)stream.Length;
        _buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer.GetBytes(0, _buffer, 0, length);
        Bytes = _buffer.AsMemory(0, length);
    }

    public DocumentDbCommand(BsonDocument command, int expected = AnyCount)
        : this(command.GetElement(0).Name, writer => BsonSerializer.Serialize(writer, command), expected) { }

    /// <summary>That of its first element, by which <see cref="DocumentDbStatements"/> knows it.</summary>
    public string Name { get; }

    public ReadOnlyMemory<byte> Bytes { get; }

    /// <value>The <c>n</c> that the reply must have within a transaction: documents inserted, found or deleted.</value>
    public int Expected { get; }

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);

    public static DocumentDbCommand Find(DocumentQuery query) =>
        new(
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
        return new(new BsonDocument { { "delete", collection }, { "deletes", deletes } }, expected);
    }

    public static DocumentDbCommand ExpectNone(ExpectNone none) =>
        new(
            new BsonDocument
            {
                { "count", none.Collection },
                { "query", none.Filter },
                { "hint", none.Index },
                { "limit", 1 },
            },
            expected: 0
        );
}
