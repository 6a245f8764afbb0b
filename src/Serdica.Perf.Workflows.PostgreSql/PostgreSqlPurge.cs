namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Deletes old closed instances with what belongs to them, page by page, and bucket by bucket where there are buckets.</summary>
/// <remarks>
/// A transaction that is under way may have seen an instance that is purged meanwhile, and commit a signal to it later. So
/// each page waits for those transactions and then deletes what they have left. Nobody who writes has to wait, or to lock
/// anything, for the sake of a purge. Where one does not end within the patience of a page, the next purge deletes what it leaves.
/// </remarks>
internal sealed class PostgreSqlPurge(PostgreSqlQueries queries, TimeSpan patience, Buckets? buckets)
{
    /// <summary>Instances that one statement and one transaction look at.</summary>
    private const int PageSize = 1_000;

    private static readonly TimeSpan Poll = FromMilliseconds(10);

    public async Task<int> RunAsync(TimeSpan age, CancellationToken cancellationToken)
    {
        if (buckets is null)
            return await RunAsync(age, bucket: null, cancellationToken).ConfigureAwait(false);
        var purged = 0;
        foreach (var bucket in buckets.All)
            purged += await RunAsync(age, bucket, cancellationToken).ConfigureAwait(false);
        return purged;
    }

    private async Task<int> RunAsync(TimeSpan age, short? bucket, CancellationToken cancellationToken)
    {
        var purged = 0L;
        for (Guid? last = Guid.Empty; last is { } after;)
        {
            var page = await PurgeAsync(age, after, bucket, cancellationToken).ConfigureAwait(false);
            if (page.Count > 0)
                await WritersAsync(cancellationToken).ConfigureAwait(false);
            if (page.Last is { } until)
                await PurgeOrphansAsync(after, until, bucket, cancellationToken).ConfigureAwait(false);
            purged += page.Count;
            last = page.Last;
        }

        return (int)purged;
    }

    private async Task<(long Count, Guid? Last)> PurgeAsync(TimeSpan age, Guid after, short? bucket, CancellationToken cancellationToken)
    {
        var pages = await queries
            .ReadAsync(
                "purge",
                p =>
                {
                    p.AddValue(NpgsqlDbType.Interval, PostgreSqlTime.IntervalOf(age));
                    p.AddValue(NpgsqlDbType.Uuid, after);
                    p.AddValue(NpgsqlDbType.Integer, PageSize);
                    p.AddBucket(bucket);
                },
                static reader => (reader.GetInt64(0), reader.IsDBNull(1) ? (Guid?)null : reader.GetGuid(1)),
                cancellationToken,
                bucket
            )
            .ConfigureAwait(false);
        return pages[0];
    }

    private Task PurgeOrphansAsync(Guid after, Guid until, short? bucket, CancellationToken cancellationToken) =>
        queries.ReadAsync(
            "purge-orphans",
            p =>
            {
                p.AddValue(NpgsqlDbType.Uuid, after);
                p.AddValue(NpgsqlDbType.Uuid, until);
                p.AddBucket(bucket);
            },
            static _ => true,
            cancellationToken,
            bucket
        );

    /// <summary>Waits until the transactions of now that write signals have ended: later ones do not see what is gone.</summary>
    private async Task WritersAsync(CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        var writers = await ReadWritersAsync(null, cancellationToken).ConfigureAwait(false);
        while (writers.Length > 0 && Stopwatch.GetElapsedTime(began) < patience)
        {
            await Task.Delay(Poll, cancellationToken).ConfigureAwait(false);
            writers = await ReadWritersAsync(writers, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<string[]> ReadWritersAsync(string[]? among, CancellationToken cancellationToken) =>
        [
            .. await queries
                .ReadAsync("writers", p => p.AddArray(NpgsqlDbType.Text, among!), static reader => reader.GetString(0), cancellationToken)
                .ConfigureAwait(false),
        ];
}
