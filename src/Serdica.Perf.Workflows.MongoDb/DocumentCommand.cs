namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// One MongoDB command as BSON. Whoever runs it disposes it: <see cref="IDocumentDatabase"/> takes commands over.
/// </summary>
public sealed class DocumentCommand : IDisposable
{
    /// <value>Nothing is expected of the count.</value>
    public const int AnyCount = -1;

    private readonly BsonWriter _writer;

    /// <param name="operation">What the document asks for.</param>
    /// <param name="collection">The collection that the command is for; empty for other commands.</param>
    /// <param name="writer">Holds the document, all but its end.</param>
    public DocumentCommand(DocumentOperation operation, string collection, BsonWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        Operation = operation;
        Collection = collection;
        _writer = writer;
        Bytes = writer.Finish();
    }

    public DocumentOperation Operation { get; }

    public string Collection { get; }

    public ReadOnlyMemory<byte> Bytes { get; }

    /// <value>
    /// The <c>n</c> that the reply must have in <see cref="IDocumentDatabase.WriteAsync"/>: documents inserted, found or
    /// deleted.
    /// </value>
    public int Expected { get; init; } = AnyCount;

    /// <value>
    /// The caller can do without the write should the server crash. The document says the same in its
    /// <c>writeConcern</c>; a runner whose server ignores that looks here.
    /// </value>
    public bool Relaxed { get; init; }

    public void Dispose() => _writer.Dispose();
}
