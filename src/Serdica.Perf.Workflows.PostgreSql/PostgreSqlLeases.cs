namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Prolongs leases, over sessions that nothing else uses.</summary>
/// <param name="buckets">Of the schema; null without.</param>
internal sealed class PostgreSqlLeases(PostgreSqlConnections connections, Buckets? buckets)
{
    /// <returns>Those that were not held any more.</returns>
    public async Task<IReadOnlyList<ActivityLease>> ExtendAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    )
    {
        var extended = new List<ActivityLease>(leases.Count);
        foreach (var part in buckets is null ? [[.. leases]] : Buckets.Part([.. leases], lease => buckets.Of(lease.InstanceId)))
        {
            var bucket = buckets?.Of(part[0].InstanceId);

            // After a third of the time that it is for, there is still time for a second try over another connection. A lease that
            // is given back is for no time at all, and has no hurry.
            extended.AddRange(
                await connections
                    .ExtendAsync(
                        bucket,
                        duration > TimeSpan.Zero ? duration / 3 : TimeSpan.MaxValue,
                        session => ExtendAsync(session, part, duration, bucket, cancellationToken),
                        cancellationToken
                    )
                    .ConfigureAwait(false)
            );
        }

        return [.. leases.Except(extended)];
    }

    private static async Task<List<ActivityLease>> ExtendAsync(
        PostgreSqlSession session,
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        short? bucket,
        CancellationToken cancellationToken
    )
    {
        var command = new NpgsqlBatchCommand(session.Statements.ExtendLeases);
        command.Parameters.AddArray(NpgsqlDbType.Uuid, leases.Select(lease => lease.InstanceId).ToArray());
        command.Parameters.AddArray(NpgsqlDbType.Uuid, leases.Select(lease => lease.ActivityId).ToArray());
        command.Parameters.AddArray(NpgsqlDbType.Integer, leases.Select(lease => lease.Token).ToArray());
        command.Parameters.AddValue(NpgsqlDbType.Interval, PostgreSqlTime.IntervalOf(duration));
        command.Parameters.AddBucket(bucket);
        var batch = session.FirstBatch();
        batch.BatchCommands.Add(command);
        var extended = new List<ActivityLease>(leases.Count);
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                extended.Add(new ActivityLease(reader.GetGuid(0), reader.GetGuid(1), reader.GetInt32(2)));
        }

        return extended;
    }
}
