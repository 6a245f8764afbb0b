namespace Serdica.Perf.Compliance;

/// <summary>What errors of PostgreSQL, and replies to claims, mean to the backend on DocumentDB.</summary>
public sealed class DocumentDbErrorTests
{
    [Theory]
    [InlineData(PostgresErrorCodes.ReadOnlySqlTransaction, DocumentErrors.NotWritablePrimary)]
    [InlineData("M00E8", DocumentErrors.NotWritablePrimary)]
    [InlineData(PostgresErrorCodes.AdminShutdown, DocumentErrors.ShutdownInProgress)]
    [InlineData(PostgresErrorCodes.CannotConnectNow, DocumentErrors.ShutdownInProgress)]
    public void Failover_is_transient(string state, int code)
    {
        var error = DocumentDbErrors.Wrap(new PostgresException("cannot execute INSERT", "ERROR", "ERROR", state));

        Assert.Equal((code, true), (error.Code, error.IsTransient));
    }

    [Fact]
    public void Only_a_statement_that_the_server_refused_is_sure_to_have_written_nothing()
    {
        Assert.False(
            DocumentDbErrors.Wrap(new PostgresException("null value", "ERROR", "ERROR", PostgresErrorCodes.NotNullViolation)).MayBeWritten
        );
        Assert.True(
            DocumentDbErrors.Wrap(new PostgresException("terminated", "FATAL", "FATAL", PostgresErrorCodes.InternalError)).MayBeWritten
        );
        Assert.True(DocumentDbErrors.Wrap(new NpgsqlException("Received an unexpected message.")).MayBeWritten);
    }

    /// <summary>A taken key, a deadlock, a full disk, an exception of a trigger.</summary>
    [Theory]
    [InlineData(319029277, true, false)]
    [InlineData(16908292, true, false)]
    [InlineData(4293, false, true)]
    [InlineData(16777248, false, false)]
    public void Error_of_a_document_is_a_refusal_or_passes_or_neither(int number, bool isRefusal, bool isTransient)
    {
        var text = $$"""invalid input syntax for type integer: "[ { "index" : 0, "code" : {{number}}, "errmsg" : "no" } ]" """;
        var error = new PostgresException(text, "ERROR", "ERROR", PostgresErrorCodes.InvalidTextRepresentation);

        Assert.Equal((isRefusal, isTransient), (DocumentDbErrors.IsRefusal(error), DocumentDbErrors.Wrap(error).IsTransient));
    }

    [Fact]
    public void Innermost_cause_is_told()
    {
        var reset = new IOException("Unable to read data.", new SocketException((int)SocketError.ConnectionReset));

        var error = DocumentDbErrors.Wrap(new NpgsqlException("Exception while reading from stream", reset));

        Assert.StartsWith("Exception while reading from stream: ", error.Message);
        Assert.EndsWith(reset.InnerException!.Message, error.Message);
    }

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
