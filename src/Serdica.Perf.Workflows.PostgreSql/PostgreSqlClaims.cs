namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Claim, load, decide and write in one transaction of two round trips; of three when a child closes.</summary>
/// <param name="known">Keeps what was written; null where nothing is kept.</param>
/// <param name="turns">Which bucket comes next; null where there are no buckets.</param>
internal sealed class PostgreSqlClaims(PostgreSqlConnections connections, KnownInstances? known, BucketTurns? turns)
{
    private readonly Watermarks _watermarks = new(TimeProvider.System);
    private readonly ClaimSize _size = new();
    private readonly BucketClaims? _buckets = turns is null ? null : new(connections, turns);

    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        try
        {
            return await (
                _buckets?.ProcessAsync(request, decide, cancellationToken)
                ?? connections.ClaimAsync(
                    bucket: null,
                    session => ProcessAsync(session, request, decide, cancellationToken),
                    cancellationToken
                )
            ).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.IsConflict(e))
        {
            return new ProcessOutcome(0, Conflict: true);
        }
    }

    private async Task<ProcessOutcome> ProcessAsync(
        PostgreSqlSession session,
        ClaimRequest request,
        DecideBatch decide,
        CancellationToken cancellationToken
    )
    {
        var watermark = _watermarks.Of(request);
        var poll = watermark.Next(full: request.FullPoll);
        var size = _size.Of(request);
        ClaimedRows claimed;
        var answered = false;
        try
        {
            var claim = session.Statements.Claim(poll.From, size, request, bucket: null);
            claimed = await ClaimAsync(session, claim, begin: true, cancellationToken).ConfigureAwait(false);
            answered = true;
        }
        finally
        {
            watermark.Ended(poll, answered);
        }

        var batch = claimed.Batch;
        if (batch.Instances.Count == 0)
            return new ProcessOutcome(
                0,
                NextDue: await session.EndEmptyAsync(session.Statements.NextDue, cancellationToken).ConfigureAwait(false)
            );

        var decisions = await session.DecideAsync(decide, batch, request.Abandoned).ConfigureAwait(false);
        var parents = await new PostgreSqlParents(session, request.DecideParents, request.MaxBytes, request.Abandoned)
            .DecideAsync(batch, decisions, cancellationToken)
            .ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        await CommitAsync(session, decisions, id => claimed.Places[id], parents).ConfigureAwait(false);
        known?.Decided(session.Incarnation, decisions.Concat(parents.Select(static parent => parent.Decision)));
        var isFilled = _size.Claimed(size, request, claimed);
        watermark.Committed(poll, claimed.NewestDue, batch.Now.UtcDateTime, isFilled);

        // A batch that was cut by its bytes does not look full by its signals.
        return new ProcessOutcome(claimed.Signals, NextDue: isFilled && claimed.Signals < request.MaxSignals ? TimeSpan.Zero : null);
    }

    /// <summary>Claims, at the beginning of a transaction or further on.</summary>
    public static async Task<ClaimedRows> ClaimAsync(
        PostgreSqlSession session,
        NpgsqlBatchCommand claim,
        bool begin,
        CancellationToken cancellationToken
    )
    {
        var batch = begin ? session.FirstBatch(begin: true) : session.NextBatch();
        batch.BatchCommands.Add(claim);
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        ClaimedRows rows;
        await using (reader.ConfigureAwait(false))
        {
            if (begin)
                await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            rows = await ClaimedRows.ReadAsync(reader, cancellationToken).ConfigureAwait(false);
        }

        if (rows.Gapped.Count > 0)
            await ReadGappedAsync(session, rows, cancellationToken).ConfigureAwait(false);
        return rows;
    }

    private static async Task ReadGappedAsync(PostgreSqlSession session, ClaimedRows rows, CancellationToken cancellationToken)
    {
        var batch = session.NextBatch();
        batch.BatchCommands.Add(session.Statements.Held(rows.Gapped));
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
            await rows.ReadGappedAsync(reader, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes and commits in one round trip. From here on a cancellation would leave the outcome open.</summary>
    public static async Task CommitAsync(
        PostgreSqlSession session,
        IReadOnlyList<Decision> decisions,
        Func<Guid, string> placeOf,
        IReadOnlyList<HeldUpdate> parents
    )
    {
        var writes = new PostgreSqlWrites(session.Statements);
        foreach (var decision in decisions)
        {
            if (decision.Instance is { } instance)
                writes.Add(new HeldUpdate(decision, placeOf(instance.Id)));
            else
                writes.AddConsequences(decision);
        }

        foreach (var parent in parents)
            writes.Add(parent);

        var batch = session.NextBatch();
        writes.AppendTo(batch.BatchCommands);
        batch.BatchCommands.Add(session.Statements.Commit);
        await batch.ExecuteNonQueryAsync(CancellationToken.None).ConfigureAwait(false);
    }
}
