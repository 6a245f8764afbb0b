namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Makes starts and signals durable: one round trip, one commit; a second one only for items that were refused.</summary>
/// <param name="known">The instances that need not be read; null where nothing is known.</param>
/// <param name="turns">Learns where something may be due; null where there are no buckets.</param>
internal sealed class PostgreSqlSubmissions(PostgreSqlConnections connections, KnownInstances? known, BucketTurns? turns)
{
    private readonly PostgreSqlClock _clock = new();

    /// <summary>Counts the batches that do not read their instances.</summary>
    public UnreadPause Pause { get; } = new();

    /// <param name="direct">How to decide signals before they are stored; null: all are stored.</param>
    public Task SubmitAsync(IReadOnlyList<Submission> items, DirectTurns? direct, CancellationToken cancellationToken)
    {
        var starts = new List<StartSubmission>();
        var signals = new List<SignalSubmission>();
        for (var i = 0; i < items.Count; i++)
        {
            if (items[i] is StartSubmission start)
            {
                starts.Add(start);
                continue;
            }

            // An item that could not be written with its batch comes again.
            var signal = (SignalSubmission)items[i];
            (signal.Outcome, signal.IsDecided) = (PublishOutcome.Accepted, false);
            signals.Add(signal);
        }

        return SubmitAsync(starts, signals, direct, cancellationToken);
    }

    private async Task SubmitAsync(
        List<StartSubmission> starts,
        List<SignalSubmission> signals,
        DirectTurns? direct,
        CancellationToken cancellationToken
    )
    {
        if (direct is not null)
            known?.Enable();
        var unread =
            direct is not null && known is not null && _clock.Now is { } now && !Pause.Skips()
                ? await PostgreSqlUnreadWrite.DecideAsync(signals, direct, known, now, cancellationToken).ConfigureAwait(false)
                : null;
        var mayCommit = false;
        WrittenBatch written;
        try
        {
            written = await connections
                .SubmitAsync(BucketOf(starts, signals), WriteBatchAsync, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception e) when (!mayCommit && PostgreSqlErrors.IsDriverError(e))
        {
            // No statement that was sent commits, so the server rolls back when the connection ends: behind a pooler too, which ends the
            // connection of a client that left a transaction, and on Citus, where the workers commit when the coordinator does.
            throw new UncommittedException(e);
        }

        if (written.PassedOver.Count > 0)
            await ForPassedOverAsync(written.PassedOver, "read who has a business key", FindExistingAsync, cancellationToken)
                .ConfigureAwait(false);
        if (written.Refused.Count > 0)
        {
            await ForPassedOverAsync(
                    written.Refused.ConvertAll(static receiver => receiver.Submission),
                    "read why a signal was refused",
                    (_, ct) => connections.SubmitAsync(bucket: null, session => ExplainAsync(session, written.Refused, ct), ct),
                    cancellationToken
                )
                .ConfigureAwait(false);
        }

        async Task<WrittenBatch> WriteBatchAsync(PostgreSqlSession session)
        {
            if (unread is not null && unread.CanWrite(session))
            {
                mayCommit = true;
                var done = await unread.TryWriteAsync(session, starts, _clock, cancellationToken).ConfigureAwait(false);
                Pause.Tried(isRefused: done is null);
                if (done is { } result)
                    return result;
            }

            mayCommit = false;
            var receivers = await ResolveAsync(session, signals, cancellationToken).ConfigureAwait(false);
            var isOneTrip = direct is null && !(session.Statements.Buckets is not null && HasKeys(receivers));
            mayCommit = isOneTrip;
            var read = await (
                isOneTrip
                    ? WriteAsync(session, starts, receivers, cancellationToken)
                    : new PostgreSqlDirectWrite(session, starts, receivers, _clock, known, turns, () => mayCommit = true)
                        .RunAsync(direct, cancellationToken)
            ).ConfigureAwait(false);
            turns?.Sent(starts.Select(static start => start.Decision));
            turns?.Sent(receivers);
            return read;
        }
    }

    /// <summary>Where a batch goes, which the engine has grouped by bucket; null where there are none.</summary>
    private short? BucketOf(List<StartSubmission> starts, List<SignalSubmission> signals) =>
        starts.Count > 0 ? turns?.Buckets.Of(starts[0].Decision.Instance!.Id)
        : signals.Count == 0 ? null
        : signals[0].BusinessKey is { } key ? turns?.Buckets.Of(key)
        : turns?.Buckets.Of(signals[0].Signal.InstanceId);

    /// <summary>
    /// What follows the commit concerns those alone that were not stored. Should it fail, they get the error, and the batch
    /// is written all the same.
    /// </summary>
    private static async Task ForPassedOverAsync<TItem>(
        List<TItem> items,
        string operation,
        Func<List<TItem>, CancellationToken, Task> run,
        CancellationToken cancellationToken
    )
        where TItem : Submission
    {
        try
        {
            await run(items, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e) || e is OperationCanceledException)
        {
            // Not as the statement's own error: that one would say that nothing was written.
            var failure = PostgreSqlErrors.Wrap(operation, e);
            items.ForEach(item =>
                item.Failure = new WorkflowBackendException(failure.Message, failure.IsTransient, e)
                {
                    Failure = failure.Failure,
                    Code = failure.Code,
                }
            );
        }
    }

    private async Task<WrittenBatch> WriteAsync(
        PostgreSqlSession session,
        List<StartSubmission> starts,
        List<Receiver> receivers,
        CancellationToken cancellationToken
    )
    {
        var statements = session.Statements;
        var batch = session.FirstBatch();
        var keyedStarts = AddStarts(batch, statements, starts);
        var writes = new PostgreSqlWrites(statements);
        starts.ForEach(start => writes.AddConsequences(start.Decision));
        writes.AppendTo(batch.BatchCommands);

        // One statement for all of them: with one for each kind, those of the first would overtake the others.
        if (HasKeys(receivers))
            statements.PublishOnce.AddTo(batch.BatchCommands, receivers);
        else if (receivers.Count > 0)
            statements.Publish.AddTo(batch.BatchCommands, receivers);

        if (starts.Count == 0 && receivers.Count == 0)
            return new WrittenBatch([], []);

        var answers = await WriteAnswers
            .ReadAsync(batch, receivers.Count, _clock, mayWait: keyedStarts > 0, cancellationToken)
            .ConfigureAwait(false);
        known?.Started(session.Incarnation, starts, answers.StartedAt);
        return WrittenBatch.Of(
            statements,
            starts,
            keyedStarts,
            receivers.FindAll(receiver => !answers.Inserted.Contains(receiver.Signal.Id))
        );
    }

    private static bool HasKeys(List<Receiver> receivers) => receivers.Exists(static receiver => receiver.Submission.DedupKey is not null);

    /// <returns>How many of the starts have a business key.</returns>
    public static int AddStarts(NpgsqlBatch batch, PostgreSqlStatements statements, List<StartSubmission> starts)
    {
        if (starts.Count == 0)
            return 0;
        var (keyed, keyless) = Split(starts);
        if (keyless.Count > 0)
            statements.Start.AddTo(batch.BatchCommands, keyless);
        if (keyed.Count > 0)
            statements.StartKeyed.AddTo(batch.BatchCommands, keyed);
        return keyed.Count;
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

    private static async Task<List<Receiver>> ResolveAsync(
        PostgreSqlSession session,
        List<SignalSubmission> signals,
        CancellationToken cancellationToken
    )
    {
        var keys = signals.Where(static s => s.BusinessKey is not null).Select(static s => s.BusinessKey!).Distinct().ToList();
        var instances = keys.Count == 0 ? [] : await ReadExistingAsync(session, keys, cancellationToken).ConfigureAwait(false);
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

    /// <summary>Finds who has the keys. One whose key is free again, because its owner was purged, is written anew.</summary>
    private async Task FindExistingAsync(List<StartSubmission> keyed, CancellationToken cancellationToken)
    {
        var keys = keyed.ConvertAll(static start => start.Decision.Instance!.BusinessKey!);
        var existing = await connections
            .SubmitAsync(bucket: null, session => ReadExistingAsync(session, keys, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        var free = new List<StartSubmission>();
        foreach (var start in keyed)
        {
            var instance = start.Decision.Instance!;
            if (!existing.TryGetValue(instance.BusinessKey!, out var owner))
                free.Add(start);
            else if (owner.Id != instance.Id)
                start.Existing = owner;
        }

        if (free.Count > 0)
        {
            await ForPassedOverAsync(
                    free,
                    "write a start whose business key has become free",
                    (items, ct) => SubmitAsync(items, [], direct: null, ct),
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
    }

    private static async Task<Dictionary<string, ExistingInstance>> ReadExistingAsync(
        PostgreSqlSession session,
        List<string> keys,
        CancellationToken cancellationToken
    )
    {
        var existing = new Dictionary<string, ExistingInstance>(StringComparer.Ordinal);
        await ReadPartsAsync(
                session,
                session.Statements.Existing,
                keys,
                (reader, _) => existing[reader.GetString(0)] = new ExistingInstance(reader.GetGuid(1), reader.GetString(2)),
                cancellationToken
            )
            .ConfigureAwait(false);
        return existing;
    }

    private static async Task<bool> ExplainAsync(PostgreSqlSession session, List<Receiver> refused, CancellationToken cancellationToken)
    {
        foreach (var receiver in refused)
            receiver.Submission.Outcome = PublishOutcome.UnknownInstance;
        await ReadPartsAsync(
                session,
                session.Statements.Receivers,
                refused,
                static (reader, part) =>
                    part[reader.GetInt32(0) - 1].Submission.Outcome = (PublishOutcome)reader.GetInt32(1),
                cancellationToken
            )
            .ConfigureAwait(false);
        return true;
    }

    /// <summary>Asks about rows, bucket by bucket where there are buckets.</summary>
    /// <param name="session">Without an open transaction.</param>
    /// <param name="read">Gets each row of the answer, and the rows that were asked about.</param>
    private static async Task ReadPartsAsync<TRow>(
        PostgreSqlSession session,
        PostgreSqlStatement<TRow> statement,
        List<TRow> rows,
        Action<NpgsqlDataReader, List<TRow>> read,
        CancellationToken cancellationToken
    )
    {
        foreach (var part in statement.PartsOf(rows))
        {
            var batch = session.FirstBatch();
            batch.BatchCommands.Add(statement.Bind(part));
            var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
                while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                    read(reader, part);
            }
        }
    }
}
