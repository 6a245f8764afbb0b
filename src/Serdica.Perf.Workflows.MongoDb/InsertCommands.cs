namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Gathers documents of one collection into as few inserts as their size allows.</summary>
internal sealed class InsertCommands(string collection)
{
    /// <summary>A command may have 16 MB, a document of the engine's a little over 2.</summary>
    private const int MaxBytes = 8 << 20;

    private readonly List<DocumentCommand> _full = [];
    private BsonWriter? _writer;

    /// <summary>Begins the next document.</summary>
    public BsonWriter BeginDocument()
    {
        if (_writer?.Length > MaxBytes)
            Close();
        if (_writer is null)
        {
            _writer = new BsonWriter();
            _writer.Write("insert"u8, collection);
            _writer.BeginArray("documents"u8);
        }

        _writer.BeginDocument();
        return _writer;
    }

    public void EndDocument() => _writer!.End();

    public void AppendTo(List<DocumentCommand> commands)
    {
        if (_writer is not null)
            Close();
        commands.AddRange(_full);
        _full.Clear();
    }

    private void Close()
    {
        _writer!.End();
        _full.Add(new DocumentCommand(DocumentOperation.Insert, collection, _writer));
        _writer = null;
    }
}
