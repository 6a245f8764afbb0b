using MongoDB.Bson.IO;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands that a write becomes: few and large, for each is planned anew.</summary>
internal static class DocumentDbWrites
{
    /// <summary>A command may have 16 MB, a document of the engine's a little over 2.</summary>
    private const int MaxInsertBytes = 8 << 20;

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
                DocumentDbFunction.Insert,
                writer =>
                {
                    writer.WriteString("insert", insert.Collection);
                    if (!ordered)
                        writer.WriteBoolean("ordered", false);
                    writer.WriteStartArray("documents");
                    while (next < insert.Documents.Count && writer.BsonStream.Position < MaxInsertBytes)
                        insert.Documents[next++].Write(writer);
                    writer.WriteEndArray();
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

            yield return new(DocumentDbFunction.Update, writer => WriteUpdate(writer, replace.Collection, batch), batch.Count);
        }
    }

    private static void WriteUpdate(BsonBinaryWriter writer, string collection, List<Replacement> batch)
    {
        writer.WriteString("update", collection);
        writer.WriteStartArray("updates");
        writer.WriteStartDocument();
        DocumentDbCommand.Write(writer, "q", Queries.In("_id", batch.Select(static replacement => replacement.Id)));
        writer.WriteStartArray("u");
        writer.WriteStartDocument();
        writer.WriteStartDocument("$replaceWith");
        writer.WriteStartDocument("$let");

        writer.WriteStartDocument("vars");
        writer.WriteStartDocument("decided");
        writer.WriteStartArray("$arrayElemAt");
        writer.WriteStartDocument();
        writer.WriteStartArray("$literal");
        foreach (var replacement in batch)
        {
            writer.WriteStartDocument();
            writer.WriteInt64("expected", replacement.ExpectedVersion);
            writer.WriteName("document");
            replacement.Document.Write(writer);
            writer.WriteEndDocument();
        }

        writer.WriteEndArray();
        writer.WriteEndDocument();
        writer.WriteStartDocument();
        writer.WriteStartArray("$indexOfArray");
        writer.WriteStartDocument();
        writer.WriteStartArray("$literal");
        foreach (var replacement in batch)
            writer.WriteBinaryData(Queries.Id(replacement.Id));
        writer.WriteEndArray();
        writer.WriteEndDocument();
        writer.WriteString("$_id");
        writer.WriteEndArray();
        writer.WriteEndDocument();
        writer.WriteEndArray();
        writer.WriteEndDocument();
        writer.WriteEndDocument();

        writer.WriteStartDocument("in");
        writer.WriteStartArray("$cond");
        writer.WriteStartDocument();
        writer.WriteStartArray("$eq");
        writer.WriteString("$version");
        writer.WriteString("$$decided.expected");
        writer.WriteEndArray();
        writer.WriteEndDocument();
        writer.WriteString("$$decided.document");

        // Not a document: the server refuses the update, and with it the transaction.
        writer.WriteString("$version");
        writer.WriteEndArray();
        writer.WriteEndDocument();

        writer.WriteEndDocument();
        writer.WriteEndDocument();
        writer.WriteEndDocument();
        writer.WriteEndArray();
        writer.WriteBoolean("multi", true);
        writer.WriteEndDocument();
        writer.WriteEndArray();
    }
}
