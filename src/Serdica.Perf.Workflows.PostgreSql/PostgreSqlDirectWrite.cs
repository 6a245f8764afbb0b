namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Writes a batch of starts and signals, and decides the signals whose instances it can hold, in one transaction of two round
/// trips; of three when a child closes. Without anyone to decide, it stores all signals.
/// </summary>
/// <param name="committing">Called before the server is asked to commit.</param>
internal sealed class PostgreSqlDirectWrite(
    PostgreSqlSession session,
    List<StartSubmission> starts,
    List<Receiver> receivers,
    PostgreSqlClock clock,
    KnownInstances? known,
    BucketTurns? turns,
    Action committing
)
{
    private readonly HeldInstances _held = new();
    private readonly bool _hasKeys = receivers.Exists(static receiver => receiver.Submission.DedupKey is not null);

    /// <summary>The places of receivers that bring a new dedup key.</summary>
    private readonly HashSet<int> _accepted = [];

    private IReadOnlyList<HeldUpdate> _parents = [];
    private DateTimeOffset? _startedAt;

    public async Task<WrittenBatch> RunAsync(DirectTurns? direct, CancellationToken cancellationToken)
    {
        var keyedStarts = await HoldAsync(direct, cancellationToken).ConfigureAwait(false);
        var claimed = Claim();
        if (direct is not null && claimed.Count > 0)
            await DecideAsync(claimed, direct, cancellationToken).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        var refused = await CommitAsync(cancellationToken).ConfigureAwait(false);
        for (var i = 0; i < receivers.Count; i++)
            receivers[i].Submission.IsDecided = IsDecided(i);
        known?.Started(session.Incarnation, starts, _startedAt);
        known?.Decided(session.Incarnation, Decisions());
        turns?.Sent(Decisions());
        return WrittenBatch.Of(session.Statements, starts, keyedStarts, refused);
    }

    private IEnumerable<Decision> Decisions() =>
        _held.All.Select(static held => held.Decision).OfType<Decision>().Concat(_parents.Select(static parent => parent.Decision));

    /// <summary>Starts come first and dedup keys after the instances: the order in which all transactions lock.</summary>
    private async Task<int> HoldAsync(DirectTurns? direct, CancellationToken cancellationToken)
    {
        var statements = session.Statements;
        var batch = session.FirstBatch(begin: true);
        var keyedStarts = PostgreSqlSubmissions.AddStarts(batch, statements, starts);
        if (direct is not null)
        {
            var ids = receivers.Where(static receiver => receiver.Signal.Due.IsNow).Select(static receiver => receiver.Signal.InstanceId);
            _held.AddTo(batch, statements, [.. ids.Distinct()], direct.MaxBytes);
        }

        if (_hasKeys)
            statements.AcceptKeys.AddTo(batch.BatchCommands, receivers);

        var sentAt = clock.Timestamp;
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            while (await WriteAnswers.ReadStartAsync(reader, cancellationToken).ConfigureAwait(false) is { } time)
                _startedAt = time;
            await _held.ReadAsync(reader, cancellationToken).ConfigureAwait(false);
            if (_hasKeys)
                await AcceptAsync(reader, cancellationToken).ConfigureAwait(false);
        }

        if (_held.All.Count > 0)
            clock.Set(_held.Now, sentAt, mayWait: keyedStarts > 0);
        return keyedStarts;
    }

    /// <summary>The first signal of the batch that brings a new key is accepted.</summary>
    private async Task AcceptAsync(NpgsqlDataReader reader, CancellationToken cancellationToken)
    {
        var fresh = new HashSet<(Guid Instance, string Key)>();
        do
        {
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                fresh.Add((reader.GetGuid(0), reader.GetString(1)));
        } while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false));
        for (var i = 0; i < receivers.Count; i++)
        {
            if (receivers[i].Submission.DedupKey is { } key && fresh.Remove((receivers[i].Signal.InstanceId, key)))
                _accepted.Add(i);
        }
    }

    /// <summary>The held instances with their signals, in the order of the batch.</summary>
    private List<ClaimedInstance> Claim()
    {
        var claimed = new List<ClaimedInstance>(_held.All.Count);
        for (var i = 0; i < receivers.Count; i++)
        {
            var signal = receivers[i].Signal;
            if (!IsAccepted(i) || HolderOf(signal) is not { } held)
                continue;
            if (held.Claimed.Signals.Count == 0)
                claimed.Add(held.Claimed);
            held.Claimed.Signals.Add(signal with { Due = Due.AtTime(_held.Now) });
        }

        return claimed;
    }

    private async Task DecideAsync(List<ClaimedInstance> claimed, DirectTurns direct, CancellationToken cancellationToken)
    {
        var batch = new ClaimedBatch(_held.Now, claimed);
        var decisions = await session.DecideAsync(direct.Decide, batch, direct.Abandoned).ConfigureAwait(false);
        for (var i = 0; i < claimed.Count; i++)
        {
            if (decisions[i].Instance is not null)
                _held.Find(claimed[i].Instance.Id)!.Decision = decisions[i];
        }

        _parents = await new PostgreSqlParents(session, direct.DecideParents, direct.MaxBytes, direct.Abandoned)
            .DecideAsync(batch, decisions, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <returns>The signals that were neither decided nor stored.</returns>
    private async Task<List<Receiver>> CommitAsync(CancellationToken cancellationToken)
    {
        var statements = session.Statements;
        var writes = new PostgreSqlWrites(statements);
        starts.ForEach(start => writes.AddConsequences(start.Decision));
        foreach (var held in _held.All)
        {
            if (held.Decision is { } decision)
                writes.Add(new HeldUpdate(decision, held.Place));
        }

        foreach (var parent in _parents)
            writes.Add(parent);

        var stored = new List<Receiver>();
        var refused = new List<Receiver>();
        for (var i = 0; i < receivers.Count; i++)
        {
            if (!IsAccepted(i))
                refused.Add(receivers[i]);
            else if (!IsDecided(i))
                stored.Add(receivers[i]);
        }

        var batch = session.NextBatch();
        writes.AppendTo(batch.BatchCommands);
        if (stored.Count > 0)
            statements.Publish.AddTo(batch.BatchCommands, stored);
        batch.BatchCommands.Add(statements.Commit);
        committing();
        var answers = await WriteAnswers.ReadAsync(batch, stored.Count, clock, mayWait: false, cancellationToken).ConfigureAwait(false);
        refused.AddRange(stored.Where(receiver => !answers.Inserted.Contains(receiver.Signal.Id)));
        return refused;
    }

    private bool IsAccepted(int place) => receivers[place].Submission.DedupKey is null || _accepted.Contains(place);

    private bool IsDecided(int place) => IsAccepted(place) && HolderOf(receivers[place].Signal)?.Decision is not null;

    private HeldInstance? HolderOf(Signal signal) => signal.Due.IsNow ? _held.Find(signal.InstanceId) : null;
}
