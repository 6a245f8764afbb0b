namespace Serdica.Perf.Compliance;

/// <summary>What DocumentDB's replies to claims are taken for.</summary>
public sealed class DocumentDbReplyTests
{
    /// <summary>PostgreSQL's states for a double key and for a deadlock as DocumentDB packs them, and MongoDB's own numbers.</summary>
    [Theory]
    [InlineData(319029277)]
    [InlineData(DocumentErrors.DuplicateKey)]
    [InlineData(16908292)]
    [InlineData(DocumentErrors.WriteConflict)]
    public void Claim_that_somebody_has_is_lost(int code) => Assert.Equal([1], DocumentDbReplies.TakenClaims(Refusal(index: 1, code)));

    [Fact]
    public void Claim_that_is_refused_for_another_reason_is_an_error() =>
        Assert.Equal(121, Assert.Throws<DocumentCommandException>(() => DocumentDbReplies.TakenClaims(Refusal(index: 0, code: 121))).Code);

    [Fact]
    public void Number_of_another_version_is_unpacked() => Assert.Equal(DocumentErrors.NotADocument, DocumentDbReplies.CodeOf(505151517));

    private static byte[] Refusal(int index, int code) =>
        BsonDocument
            .Parse($$"""{ "n": 0, "writeErrors": [{ "index": {{index}}, "code": {{code}}, "errmsg": "no" }], "ok": 1.0 }""")
            .ToBson();
}
