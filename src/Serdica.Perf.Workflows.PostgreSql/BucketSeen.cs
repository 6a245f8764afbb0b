namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What a look has seen in a bucket.</summary>
/// <param name="DueFor">For how many seconds the oldest has been due; null when nothing is.</param>
/// <param name="NextIn">In how many seconds the next will be due; null for none.</param>
internal readonly record struct BucketSeen(short Bucket, double? DueFor, double? NextIn)
{
    /// <summary>Looks at all buckets.</summary>
    public static Task<IReadOnlyList<BucketSeen>> ReadAsync(
        PostgreSqlConnections connections,
        short way,
        Func<PostgreSqlStatements, NpgsqlBatchCommand> look,
        CancellationToken cancellationToken
    ) =>
        connections.ClaimAsync<IReadOnlyList<BucketSeen>>(
            way,
            async session =>
            {
                var seen = new List<BucketSeen>();
                var batch = session.FirstBatch();
                batch.BatchCommands.Add(look(session.Statements));
                var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                {
                    await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        seen.Add(new BucketSeen(reader.GetInt16(0), Seconds(reader, 1), Seconds(reader, 2)));
                }

                return seen;
            },
            cancellationToken
        );

    private static double? Seconds(NpgsqlDataReader reader, int column) => reader.IsDBNull(column) ? null : reader.GetDouble(column);
}
