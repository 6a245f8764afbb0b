using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Reads queries to their end on one connection, which may hold what a cursor goes on from.</summary>
internal sealed class DocumentDbCursors(NpgsqlConnection connection, DocumentDbStatements statements)
{
    public async Task<IReadOnlyList<DocumentReply>> ReadAsync(DocumentCommand command, CancellationToken cancellationToken)
    {
        var pages = new List<DocumentReply>(1);
        byte[]? continuation;
        long cursor;
        var first = new NpgsqlCommand(statements.Reply(command.Operation), connection);
        await using (first.ConfigureAwait(false))
        {
            first.Parameters.Add(Bytes(command.Bytes));
            var reader = await first.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                pages.Add(new(reader.GetFieldValue<byte[]>(0)));
                continuation = reader.IsDBNull(1) ? null : reader.GetFieldValue<byte[]>(1);
                cursor = reader.GetInt64(2);
            }
        }

        while (continuation is not null && cursor != 0)
        {
            (var page, continuation) = await MoreAsync(command.Collection, cursor, continuation, cancellationToken).ConfigureAwait(false);
            pages.Add(page);
        }

        return pages;
    }

    private async Task<(DocumentReply Page, byte[]? Continuation)> MoreAsync(
        string collection, long cursor, byte[] continuation, CancellationToken cancellationToken)
    {
        using var writer = new BsonWriter();
        writer.Write("getMore"u8, cursor);
        writer.Write("collection"u8, collection);
        var more = new NpgsqlCommand(statements.More, connection);
        await using (more.ConfigureAwait(false))
        {
            more.Parameters.Add(Bytes(writer.Finish()));
            more.Parameters.Add(Bytes(continuation));
            var reader = await more.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                return (new(reader.GetFieldValue<byte[]>(0)), reader.IsDBNull(1) ? null : reader.GetFieldValue<byte[]>(1));
            }
        }
    }

    private static NpgsqlParameter Bytes(ReadOnlyMemory<byte> bytes) =>
        new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea };
}
