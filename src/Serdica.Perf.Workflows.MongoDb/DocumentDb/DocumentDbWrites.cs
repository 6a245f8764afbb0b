namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands that a write becomes: few and large, for each is planned anew.</summary>
internal static class DocumentDbWrites
{
    /// <summary>A command may have 16 MB, a document of the engine's a little over 2.</summary>
    private const int MaxInsertBytes = 8 << 20;

    /// <summary>Documents in one insert: the extension takes 25,000.</summary>
    private const int MaxInInsert = 10_000;

    /// <summary>
    /// Documents in one update. Its pipeline holds the new documents as a list in which each old one looks itself up:
    /// the longer the list, the longer the search, the shorter, the more statements.
    /// </summary>
    private const int MaxInUpdate = 32;

    private const int MaxUpdateBytes = 256 << 10;

    public static IEnumerable<DocumentDbCommand> Commands(DocumentWrite write) =>
        write switch
        {
            InsertDocuments insert => Inserts(insert),
            ReplaceDocuments replace => Updates(replace),
            DeleteDocuments delete => [DocumentDbCommand.Delete(delete.Collection, delete.Filter, delete.Expected)],
            ExpectNone none => [DocumentDbCommand.ExpectNone(none)],
            _ => throw new ArgumentException($"'{write.GetType().Name}' is no write."),
        };

    public static IEnumerable<DocumentDbCommand> Inserts(InsertDocuments insert, bool ordered = true)
    {
        for (var first = 0; first < insert.Documents.Count;)
        {
            var next = first;
            var command = new DocumentDbCommand(
                "insert",
                writer =>
                {
                    writer.WriteStartDocument();
                    writer.WriteString("insert", insert.Collection);
                    if (!ordered)
                        writer.WriteBoolean("ordered", false);
                    writer.WriteStartArray("documents");
                    var end = Math.Min(first + MaxInInsert, insert.Documents.Count);
                    while (next < end && writer.BsonStream.Position < MaxInsertBytes)
                        insert.Documents[next++].Write(writer);
                    writer.WriteEndArray();
                    writer.WriteEndDocument();
                }
            );
            first = next;
            yield return command;
        }
    }

    /// <summary>
    /// One statement for many documents: each statement of an update is planned anew, which costs a quarter of a millisecond,
    /// ten times the work itself.
    /// </summary>
    private static IEnumerable<DocumentDbCommand> Updates(ReplaceDocuments replace)
    {
        var all = replace.Replacements;
        for (var first = 0; first < all.Count;)
        {
            var batch = new List<Replacement>();
            for (var bytes = 0L; first < all.Count && batch.Count < MaxInUpdate && (batch.Count == 0 || bytes < MaxUpdateBytes); first++)
            {
                batch.Add(all[first]);
                bytes += all[first].Bytes;
            }

            yield return new(
                new BsonDocument { { "update", replace.Collection }, { "updates", new BsonArray { UpdateOf(batch) } } },
                batch.Count
            );
        }
    }

    /// <summary>An instance of another version becomes that version. It is not a document: the server refuses the transaction.</summary>
    private static BsonDocument UpdateOf(List<Replacement> batch)
    {
        var ids = batch.ConvertAll(static replacement => Queries.Id(replacement.Id));
        var place = Operator("$indexOfArray", Literal(ids), "$_id");
        var decided = Operator("$arrayElemAt", Literal(batch.Select(Decided)), place);
        var content = Operator("$cond", Operator("$eq", "$version", "$$decided.expected"), "$$decided.document", "$version");
        var chosen = new BsonDocument("$let", new BsonDocument { { "vars", new BsonDocument("decided", decided) }, { "in", content } });
        return new()
        {
            { "q", Queries.In("_id", ids) },
            {
                "u",
                new BsonArray { new BsonDocument("$replaceWith", chosen) }
            },
            { "multi", true },
        };
    }

    private static BsonDocument Decided(Replacement replacement) =>
        new() { { "expected", replacement.ExpectedVersion }, { "document", new RawBsonDocument(replacement.Document.ToBson()) } };

    private static BsonDocument Operator(string name, params BsonValue[] arguments) => new(name, new BsonArray(arguments));

    private static BsonDocument Literal(IEnumerable<BsonValue> values) => new("$literal", new BsonArray(values));
}
