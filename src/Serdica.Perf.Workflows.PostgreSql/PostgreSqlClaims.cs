using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Claim, load, decide and write in one transaction of two round trips.</summary>
internal sealed class PostgreSqlClaims(PostgreSqlConnections connections)
{
    private readonly Watermark _watermark = new(TimeProvider.System);

    public async Task<ProcessOutcome> ProcessAsync(int maxSignals, DecideBatch decide, CancellationToken cancellationToken)
    {
        try
        {
            return await connections.UseSessionAsync(
                session => ProcessAsync(session, maxSignals, decide, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.IsConflict(e))
        {
            return new ProcessOutcome(0, Conflict: true);
        }
    }

    private async Task<ProcessOutcome> ProcessAsync(
        PostgreSqlSession session, int maxSignals, DecideBatch decide, CancellationToken cancellationToken)
    {
        var batch = await ClaimAsync(session, maxSignals, cancellationToken).ConfigureAwait(false);
        if (batch.Instances.Count == 0)
            return new ProcessOutcome(0, NextDue: await session.EndEmptyAsync(session.Statements.NextDue, cancellationToken).ConfigureAwait(false));

        var decisions = decide(batch);
        cancellationToken.ThrowIfCancellationRequested();
        await CommitAsync(session, decisions).ConfigureAwait(false);
        return new ProcessOutcome(batch.Instances.Sum(static instance => instance.Signals.Count));
    }

    private async Task<ClaimedBatch> ClaimAsync(
        PostgreSqlSession session, int maxSignals, CancellationToken cancellationToken)
    {
        var batch = session.FirstBatch(begin: true);
        batch.BatchCommands.Add(session.Statements.Claim(_watermark.Next(), maxSignals));
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            return await ReadAsync(reader, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<ClaimedBatch> ReadAsync(NpgsqlDataReader reader, CancellationToken cancellationToken)
    {
        var now = default(DateTimeOffset);
        var newest = DateTime.MinValue;
        var instances = new List<ClaimedInstance>();
        var byId = new Dictionary<Guid, ClaimedInstance>();
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            now = new DateTimeOffset(reader.GetDateTime(0));
            var id = reader.GetGuid(1);
            if (!byId.TryGetValue(id, out var claimed))
            {
                claimed = new ClaimedInstance(ReadInstance(reader, id));
                byId.Add(id, claimed);
                instances.Add(claimed);
            }

            var due = reader.GetDateTime(3);
            if (due > newest)
                newest = due;
            claimed.Signals.Add(new Signal
            {
                InstanceId = id,
                Id = reader.GetGuid(2),
                Due = Due.AtTime(new DateTimeOffset(due)),
                Attempt = reader.GetInt32(4),
                Kind = (SignalKind)reader.GetInt16(5),
                Name = reader.GetString(6),
                Payload = reader.GetFieldValue<byte[]>(7),
            });
        }

        foreach (var claimed in instances)
        {
            if (claimed.Signals.Count > 1)
                claimed.Signals.Sort(static (a, b) => (a.Due.At, a.Id).CompareTo((b.Due.At, b.Id)));
        }

        if (instances.Count > 0)
            _watermark.Claimed(newest);
        return new ClaimedBatch(now, instances);
    }

    private static InstanceRecord ReadInstance(NpgsqlDataReader reader, Guid id) => new()
    {
        Id = id,
        ParentId = reader.IsDBNull(8) ? null : reader.GetGuid(8),
        Version = reader.GetInt64(9),
        CreatedAt = new DateTimeOffset(reader.GetDateTime(10)),
        DefinitionVersion = reader.GetInt32(11),
        Status = (InstanceStatus)reader.GetInt16(12),
        Waits = (WaitKinds)reader.GetInt16(13),
        Definition = reader.GetString(14),
        Step = reader.GetString(15),
        BusinessKey = reader.IsDBNull(16) ? null : reader.GetString(16),
        State = reader.GetFieldValue<byte[]>(17),
        Progress = reader.IsDBNull(18) ? null : reader.GetFieldValue<byte[]>(18),
        Error = reader.IsDBNull(19) ? null : reader.GetString(19),
    };

    /// <summary>Writes and commits in one round trip. From here on a cancellation would leave the outcome open.</summary>
    private static async Task CommitAsync(PostgreSqlSession session, IReadOnlyList<Decision> decisions)
    {
        var writes = new PostgreSqlWrites(session.Statements);
        foreach (var decision in decisions)
            writes.AddUpdate(decision);
        var batch = session.NextBatch();
        writes.AppendTo(batch.BatchCommands);
        batch.BatchCommands.Add(session.Statements.Commit);
        await batch.ExecuteNonQueryAsync(CancellationToken.None).ConfigureAwait(false);
    }
}
