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
        var ids = Range(0, 20).Select(static _ => Guid.NewGuid()).ToList();
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

    [Fact]
    public void Signal_that_is_due_in_this_millisecond_is_due()
    {
        var due = SignalDocuments.WhereDue([Guid.NewGuid()], milliseconds: 5)["_id"];
        var looked = new SignalQuery { Found = { new() { Key = DueKey.First(5) }, new() { Key = DueKey.First(6) } } };

        Assert.Equal(new BsonDocument("$lt", DueKey.First(6).ToBson()), due);
        Assert.Equal(DueKey.First(6), DueKey.After(DateTimeOffset.FromUnixTimeMilliseconds(5)));
        Assert.Equal(DueKey.First(5), Assert.Single(looked.Until(DateTimeOffset.FromUnixTimeMilliseconds(5), out _)).Key);
    }

    [Theory]
    [InlineData(2, 100, 2)]
    [InlineData(9, 27, 2)]
    public void Claim_is_full_with_its_number_of_signals_or_its_bytes(int maxSignals, int maxBytes, int taken)
    {
        var claim = new Claim(new ClaimRequest(maxSignals) { MaxBytes = maxBytes });

        // 7 bytes, and 10 with each signal.
        var signals = Range(0, 5).Select(static i => new StoredSignal { Key = DueKey.First(i), Payload = new byte[10] });
        claim.Add(Seam.Instance() with { State = new byte[3], Progress = new byte[4] }, signals);

        Assert.Equal((taken, true), (claim.Keys.Count, claim.IsFull));
    }

    [Fact]
    public void Claim_waits_for_the_soonest_that_it_has_heard_of()
    {
        var claim = new Claim(new ClaimRequest(1));
        foreach (var wait in (TimeSpan?[])[null, FromHours(1), FromSeconds(1), null, FromHours(2)])
            claim.Await(wait);

        Assert.Equal(FromSeconds(1), claim.NextDue);
    }

    [Fact]
    public void Sessions_of_claims_and_writes_have_limits_and_pinned_plans()
    {
        var texts = new List<string>();
        _ = new DocumentDbDatabase(
            "Host=nowhere",
            "store",
            text =>
            {
                texts.Add(text);
                return NpgsqlDataSource.Create(text);
            }
        );

        string[] plans = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "jit"];
        foreach (var setting in (string[])["lock_timeout=5s", "statement_timeout=10s", .. plans.Select(static plan => $"{plan}=off")])
            Assert.Contains($"-c {setting}", texts[0], Ordinal);
        foreach (var setting in (string[])["idle_in_transaction_session_timeout=10s", "tcp_user_timeout=10s"])
            Assert.All(texts, text => Assert.Contains($"-c {setting}", text, Ordinal));
        Assert.Equal([24, 4], texts.Select(static text => new NpgsqlConnectionStringBuilder(text).MaxPoolSize));
    }

    /// <summary>The extension refuses a command with more of them than 25,000.</summary>
    [Fact]
    public void Many_small_documents_are_several_inserts()
    {
        var documents = Range(0, 30_000).Select(static id => new StoredDocument(writer => writer.WriteInt32("_id", id)));
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
