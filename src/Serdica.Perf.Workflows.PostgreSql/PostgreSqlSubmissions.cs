using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Makes starts and signals durable: one round trip, one commit; a second one only where an item was refused.</summary>
internal sealed class PostgreSqlSubmissions(PostgreSqlConnections connections)
{
    public Task SubmitAsync(IReadOnlyList<Submission> items, CancellationToken cancellationToken)
    {
        var starts = new List<StartSubmission>();
        var signals = new List<SignalSubmission>();
        for (var i = 0; i < items.Count; i++)
        {
            if (items[i] is StartSubmission start)
                starts.Add(start);
            else
                signals.Add((SignalSubmission)items[i]);
        }

        return connections.UseSessionAsync(
            async session =>
            {
                var receivers = await ResolveAsync(session, signals, cancellationToken).ConfigureAwait(false);
                await WriteAsync(session, starts, receivers, cancellationToken).ConfigureAwait(false);
                return true;
            },
            cancellationToken);
    }

    private static async Task WriteAsync(
        PostgreSqlSession session, List<StartSubmission> starts, List<Receiver> receivers, CancellationToken cancellationToken)
    {
        var statements = session.Statements;
        var batch = session.FirstBatch();
        var keyedStarts = 0;
        if (starts.Count > 0)
        {
            var (keyed, keyless) = Split(starts);
            if (keyless.Count > 0)
                batch.BatchCommands.Add(statements.Start.Bind(keyless));
            if (keyed.Count > 0)
                batch.BatchCommands.Add(statements.StartKeyed.Bind(keyed));
            keyedStarts = keyed.Count;
            var writes = new PostgreSqlWrites(statements);
            starts.ForEach(start => writes.AddConsequences(start.Decision));
            writes.AppendTo(batch.BatchCommands);
        }

        // One statement for all of them: with one for each kind, those of the first would overtake the others.
        if (receivers.Exists(static receiver => receiver.Submission.DedupKey is not null))
            batch.BatchCommands.Add(statements.PublishOnce.Bind(receivers));
        else if (receivers.Count > 0)
            batch.BatchCommands.Add(statements.Publish.Bind(receivers));

        if (starts.Count == 0 && receivers.Count == 0)
            return;

        var inserted = await ExecuteAsync(batch, receivers.Count, cancellationToken).ConfigureAwait(false);
        var orphans = keyedStarts > 0 && statements.StartKeyed.Command.RecordsAffected < keyedStarts
            ? await FindExistingAsync(session, starts, cancellationToken).ConfigureAwait(false)
            : [];
        var refused = receivers.FindAll(receiver => !inserted.Contains(receiver.Signal.Id));
        if (refused.Count > 0)
            await ExplainAsync(session, refused, cancellationToken).ConfigureAwait(false);
        if (orphans.Count > 0)
            await WriteAsync(session, orphans, [], cancellationToken).ConfigureAwait(false);
    }

    private static (List<InstanceRecord> Keyed, List<InstanceRecord> Keyless) Split(List<StartSubmission> starts)
    {
        var keyed = new List<InstanceRecord>();
        var keyless = new List<InstanceRecord>(starts.Count);
        foreach (var start in starts)
        {
            var instance = start.Decision.Instance!;
            (instance.BusinessKey is null ? keyless : keyed).Add(instance);
        }

        return (keyed, keyless);
    }

    /// <returns>The ids of the signals that were inserted.</returns>
    private static async Task<HashSet<Guid>> ExecuteAsync(NpgsqlBatch batch, int signals, CancellationToken cancellationToken)
    {
        var inserted = new HashSet<Guid>(signals);
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            do
            {
                // Only statements that insert signals answer with one column: the ids.
                if (reader.FieldCount != 1)
                    continue;
                while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                    inserted.Add(reader.GetGuid(0));
            }
            while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false));
        }

        return inserted;
    }

    private static async Task<List<Receiver>> ResolveAsync(
        PostgreSqlSession session, List<SignalSubmission> signals, CancellationToken cancellationToken)
    {
        var keys = signals.Where(static s => s.BusinessKey is not null).Select(static s => s.BusinessKey!).Distinct().ToList();
        var instances = keys.Count == 0
            ? []
            : await ReadExistingAsync(session, keys, cancellationToken).ConfigureAwait(false);
        var receivers = new List<Receiver>(signals.Count);
        foreach (var submission in signals)
        {
            if (submission.BusinessKey is not { } key)
                receivers.Add(new Receiver(submission, submission.Signal));
            else if (instances.TryGetValue(key, out var instance))
                receivers.Add(new Receiver(submission, submission.Signal with { InstanceId = instance.Id }));
            else
                submission.Outcome = PublishOutcome.UnknownInstance;
        }

        return receivers;
    }

    /// <returns>Those whose key was taken when they were to be inserted, and is free again: whoever had it was purged.</returns>
    private static async Task<List<StartSubmission>> FindExistingAsync(
        PostgreSqlSession session, List<StartSubmission> starts, CancellationToken cancellationToken)
    {
        var keyed = starts.FindAll(static start => start.Decision.Instance!.BusinessKey is not null);
        var keys = keyed.ConvertAll(static start => start.Decision.Instance!.BusinessKey!);
        var existing = await ReadExistingAsync(session, keys, cancellationToken).ConfigureAwait(false);
        var orphans = new List<StartSubmission>();
        foreach (var start in keyed)
        {
            var instance = start.Decision.Instance!;
            if (!existing.TryGetValue(instance.BusinessKey!, out var owner))
                orphans.Add(start);
            else if (owner.Id != instance.Id)
                start.Existing = owner;
        }

        return orphans;
    }

    private static async Task<Dictionary<string, ExistingInstance>> ReadExistingAsync(
        PostgreSqlSession session, List<string> keys, CancellationToken cancellationToken)
    {
        var existing = new Dictionary<string, ExistingInstance>(StringComparer.Ordinal);
        var batch = session.FirstBatch();
        batch.BatchCommands.Add(session.Statements.Existing.Bind(keys));
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                existing[reader.GetString(0)] = new ExistingInstance(reader.GetGuid(1), reader.GetString(2));
        }

        return existing;
    }

    private static async Task ExplainAsync(
        PostgreSqlSession session, List<Receiver> refused, CancellationToken cancellationToken)
    {
        var closed = new Dictionary<Guid, bool>();
        var batch = session.FirstBatch();
        batch.BatchCommands.Add(session.Statements.Receivers.Bind(refused));
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                closed[reader.GetGuid(0)] = ((InstanceStatus)reader.GetInt16(1)).IsClosed();
        }

        foreach (var receiver in refused)
        {
            receiver.Submission.Outcome = !closed.TryGetValue(receiver.Signal.InstanceId, out var isClosed)
                ? PublishOutcome.UnknownInstance
                : isClosed || receiver.Submission.DedupKey is null ? PublishOutcome.InstanceClosed : PublishOutcome.Duplicate;
        }
    }
}
