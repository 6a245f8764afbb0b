namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Reads queries to their end on one connection, which may hold what a cursor goes on from.</summary>
internal sealed class DocumentDbCursors(NpgsqlConnection connection, DocumentDbStatements statements)
{
    public async Task ReadAsync(DocumentQuery query, CancellationToken cancellationToken)
    {
        using var command = DocumentDbCommand.Aggregate(query);
        var (continuation, cursor) = await PageAsync(statements.Reply(command.Name), [command.Bytes]).ConfigureAwait(false);
        var more = new BsonDocument { { "getMore", cursor }, { "collection", query.Collection } }.ToBson();
        while (continuation is not null && cursor != 0)
            (continuation, _) = await PageAsync(statements.More, [more, continuation]).ConfigureAwait(false);

        async Task<(byte[]? Continuation, long Cursor)> PageAsync(string sql, ReadOnlyMemory<byte>[] arguments)
        {
            var page = new NpgsqlCommand(sql, connection);
            await using var asking = page.ConfigureAwait(false);
            foreach (var argument in arguments)
                page.Parameters.Add(DocumentDbDatabase.Bytes(argument));
            var reader = await page.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using var reading = reader.ConfigureAwait(false);
            await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            DocumentDbReplies.ReadPage(reader.GetFieldValue<byte[]>(0), query);
            return (reader.IsDBNull(1) ? null : reader.GetFieldValue<byte[]>(1), reader.FieldCount > 2 ? reader.GetInt64(2) : 0);
        }
    }
}
