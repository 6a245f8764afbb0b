using System.Net.Sockets;

namespace Serdica.Perf.Compliance;

/// <summary>What errors of PostgreSQL mean to the backend on DocumentDB.</summary>
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

        Assert.StartsWith("Exception while reading from stream: ", error.Message, Ordinal);
        Assert.EndsWith(reset.InnerException!.Message, error.Message, Ordinal);
    }
}
