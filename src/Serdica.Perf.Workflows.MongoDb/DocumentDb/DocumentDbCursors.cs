using NpgsqlTypes;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Reads queries to their end on one connection, which may hold what a cursor goes on from.</summary>
internal sealed class DocumentDbCursors(NpgsqlConnection connection, DocumentDbStatements statements)
{
    public async Task ReadAsync(DocumentQuery query, CancellationToken cancellationToken)
    {
        byte[]? continuation;
        long cursor;
        using var command = DocumentDbCommand.Aggregate(query);
        var first = new NpgsqlCommand(statements.Reply(command.Function), connection);
        await using (first.ConfigureAwait(false))
        {
            first.Parameters.Add(Bytes(command.Bytes));
            var reader = await first.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                DocumentDbReplies.ReadPage(reader.GetFieldValue<byte[]>(0), query);
                continuation = reader.IsDBNull(1) ? null : reader.GetFieldValue<byte[]>(1);
                cursor = reader.GetInt64(2);
            }
        }

        while (continuation is not null && cursor != 0)
            continuation = await MoreAsync(query, cursor, continuation, cancellationToken).ConfigureAwait(false);
    }

    private async Task<byte[]?> MoreAsync(DocumentQuery query, long cursor, byte[] continuation, CancellationToken cancellationToken)
    {
        var command = new BsonDocument { { "getMore", cursor }, { "collection", query.Collection } }.ToBson();
        var more = new NpgsqlCommand(statements.More, connection);
        await using (more.ConfigureAwait(false))
        {
            more.Parameters.Add(Bytes(command));
            more.Parameters.Add(Bytes(continuation));
            var reader = await more.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                DocumentDbReplies.ReadPage(reader.GetFieldValue<byte[]>(0), query);
                return reader.IsDBNull(1) ? null : reader.GetFieldValue<byte[]>(1);
            }
        }
    }

    private static NpgsqlParameter Bytes(ReadOnlyMemory<byte> bytes) =>
        new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea };
}
