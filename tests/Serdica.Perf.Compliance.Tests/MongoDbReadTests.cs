using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>Which writes are seen by what, and what the replies to writes and claims are taken for.</summary>
public sealed class MongoDbReadTests
{
    /// <summary>A majority is behind: it would show signals that another process has just handled.</summary>
    [Fact]
    public async Task Look_for_work_sees_the_latest_writes()
    {
        var server = new RecordedServer(new()
        {
            ["find store"] = () => RecordedReply.Page("""{ "_id": 0, "version": 1, "now": { "$date": 1700000000000 } }"""),
            ["find signals"] = () => RecordedReply.Page(),
        });
        await using var database = server.Open("store");
        using var claimer = new MongoDbClaimer(database, new ServerClock(database, TimeProvider.System), Slots.Count);

        await claimer.ClaimAsync(new ClaimRequest(10), TestContext.Current.CancellationToken);

        Assert.Contains("find signals", server.Asked);
        EachItem.Holds(server.Levels, level => Assert.Equal("local", level));
    }

    /// <summary>Whose signals are due first says nothing: two processes may see them in different orders, and deadlock.</summary>
    [Fact]
    public async Task Claims_are_asked_for_in_the_order_of_their_instances()
    {
        var instances = Enumerable.Range(0, 3).Select(_ => Guid.CreateVersion7()).Order().ToArray();
        var due = new[] { 2, 0, 1, 2 }.Select(at => Seam.Signal(instances[at])).ToList();
        var server = new RecordedServer(new()
        {
            ["find store"] = () => RecordedReply.Page("""{ "_id": 0, "version": 1, "now": { "$date": 1700000000000 } }"""),
            ["find signals"] = () => PageOf(due),
            ["insert"] = () => RecordedReply.Of("""{ "n": 3, "ok": 1.0 }"""),
            ["find instances"] = () => RecordedReply.Page(),
        });
        await using var database = server.Open("store");
        using var claimer = new MongoDbClaimer(database, new ServerClock(database, TimeProvider.System), Slots.Count);

        await claimer.ClaimAsync(new ClaimRequest(10), TestContext.Current.CancellationToken);

        Assert.Equal(instances, server.Claimed);
    }

    [Fact]
    public async Task What_somebody_is_told_is_what_a_majority_has()
    {
        var server = new RecordedServer(new() { ["find instances"] = () => RecordedReply.Page() });
        await using var database = server.Open("store");

        await new MongoDbQueries(database, new ServerClock(database, TimeProvider.System)).FindAsync(Guid.CreateVersion7(), TestContext.Current.CancellationToken);

        Assert.Equal(["majority"], server.Levels);
    }

    /// <summary>PostgreSQL's states for a double key and for a deadlock as DocumentDB packs them, and MongoDB's own numbers.</summary>
    [Theory]
    [InlineData(319029277)]
    [InlineData(DocumentErrors.DuplicateKey)]
    [InlineData(16908292)]
    [InlineData(DocumentErrors.WriteConflict)]
    public void Claim_that_somebody_has_is_lost(int code) =>
        Assert.Equal([1], Commands.TakenClaims(Refusal(index: 1, code)));

    [Fact]
    public void Claim_that_is_refused_for_another_reason_is_an_error() =>
        Assert.Equal(121, Assert.Throws<DocumentCommandException>(() => Commands.TakenClaims(Refusal(index: 0, code: 121))).Code);

    [Theory]
    [InlineData(DocumentErrors.DuplicateKey)]
    [InlineData(DocumentErrors.NotADocument)]
    [InlineData(505151517)]
    public void Write_does_not_hold_where_a_key_is_taken_or_the_version_another(int code) =>
        Assert.False(Refusal(index: 0, code).Holds(DocumentCommand.AnyCount));

    [Fact]
    public void Write_does_not_hold_where_the_count_is_another() =>
        Assert.False(RecordedReply.Of("""{ "n": 2, "ok": 1.0 }""").Holds(3));

    [Fact]
    public void Write_that_is_refused_for_another_reason_is_an_error() =>
        Assert.Equal(14031, Assert.Throws<DocumentCommandException>(() => Refusal(index: 0, code: 14031).Holds(1)).Code);

    private static DocumentReply PageOf(IReadOnlyList<Signal> signals)
    {
        using var page = new BsonWriter();
        page.BeginDocument("cursor"u8);
        page.BeginArray("firstBatch"u8);
        foreach (var signal in signals)
        {
            page.BeginDocument();
            SignalDocuments.Write(page, signal, DateTimeOffset.UnixEpoch);
            page.End();
        }

        page.End();
        page.End();
        return new(page.Finish().ToArray());
    }

    private static DocumentReply Refusal(int index, int code) =>
        RecordedReply.Of($$"""{ "n": 0, "writeErrors": [{ "index": {{index}}, "code": {{code}}, "errmsg": "no" }], "ok": 1.0 }""");
}
