using MongoDB.Bson.IO;
using MongoDB.Bson.Serialization;

namespace Serdica.Perf.Compliance;

/// <summary>What is asked of the server that documents are written to, without one.</summary>
public sealed class DocumentWriteTests
{
    /// <summary>Two transactions that wait for instances of each other would be a deadlock.</summary>
    [Fact]
    public void Instances_are_written_in_the_order_of_their_ids()
    {
        var ids = Enumerable.Range(0, 20).Select(static _ => Guid.NewGuid()).ToList();
        var writes = new MongoDbWrites(DateTimeOffset.UtcNow, () => 0);
        foreach (var id in ids)
            writes.AddUpdate(Seam.Count(new ClaimedInstance(Seam.Instance() with { Id = id })));

        var replaced = Assert.IsType<ReplaceDocuments>(Assert.Single(writes.ToList())).Replacements;
        Assert.Equal(
            ids.Select(static id => Convert.ToHexString(id.ToByteArray(bigEndian: true))).Order(StringComparer.Ordinal),
            replaced.Select(static replacement => Convert.ToHexString(replacement.Id.ToByteArray(bigEndian: true)))
        );
    }

    /// <summary>Without its name the server walks over the signals of all instances.</summary>
    [Fact]
    public void Stored_signals_of_an_instance_are_looked_for_by_their_index()
    {
        var due = SignalDocuments.WhereDue([Guid.NewGuid()], milliseconds: 1);
        using var find = DocumentDbCommand.Find(new SignalQuery { Filter = due, Index = Queries.ByInstance });
        using var none = DocumentDbCommand.ExpectNone(new ExpectNone(Collections.Signals, due, Queries.ByInstance));

        Assert.Equal("instance", Read(find)["hint"]);
        Assert.Equal(("instance", 0), (Read(none)["hint"].AsString, none.Expected));
    }

    /// <summary>The extension refuses a command with more of them than 25,000.</summary>
    [Fact]
    public void Many_small_documents_are_several_inserts()
    {
        var documents = Enumerable.Range(0, 30_000).Select(static id => new StoredDocument(writer => writer.WriteInt32("_id", id)));
        var counts = new List<int>();
        foreach (var command in DocumentDbWrites.Commands(new InsertDocuments(Collections.Messages, [.. documents])))
        {
            using (command)
                counts.Add(Read(command)["documents"].AsBsonArray.Count);
        }

        Assert.Equal(30_000, counts.Sum());
        Assert.InRange(counts.Max(), 1, 25_000);
    }

    private static BsonDocument Read(DocumentDbCommand command) => BsonSerializer.Deserialize<BsonDocument>(command.Bytes.ToArray());
}
