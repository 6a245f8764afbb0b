namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// A batch whose signals all go to instances that the host knows. It is decided without reading them, and written in one
/// transaction of one round trip. The database refuses all of it when one of the instances is not as the host knows it.
/// </summary>
internal sealed class PostgreSqlUnreadWrite(
    List<Receiver> receivers,
    IReadOnlyList<Decision> decisions,
    KnownInstances known,
    int incarnation
)
{
    private readonly HashSet<Guid> _decided =
    [
        .. decisions.Select(static decision => decision.Instance).OfType<InstanceRecord>().Select(static instance => instance.Id),
    ];

    /// <summary>Decides the signals that are due at once.</summary>
    /// <param name="known">The instances that need not be read.</param>
    /// <returns>Null when an instance has to be read, or dedup keys have to be compared.</returns>
    public static async Task<PostgreSqlUnreadWrite?> DecideAsync(
        List<SignalSubmission> signals,
        DirectTurns direct,
        KnownInstances known,
        DateTimeOffset now,
        CancellationToken cancellationToken
    )
    {
        if (signals.Exists(static signal => signal.BusinessKey is not null || signal.DedupKey is not null))
            return null;
        var incarnation = known.Incarnation;
        var claimed = new List<ClaimedInstance>(signals.Count);
        var places = new Dictionary<Guid, int>(signals.Count);
        foreach (var signal in signals.Select(static submission => submission.Signal).Where(static signal => signal.Due.IsNow))
        {
            if (!places.TryGetValue(signal.InstanceId, out var place))
            {
                if (known.Take(signal.InstanceId, incarnation) is not { } instance)
                    return null;
                place = claimed.Count;
                places.Add(signal.InstanceId, place);
                claimed.Add(new ClaimedInstance(instance));
            }

            claimed[place].Signals.Add(signal with { Due = Due.AtTime(now) });
        }

        var decisions = await direct.Decide(new ClaimedBatch(now, claimed)).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        return new PostgreSqlUnreadWrite(
            signals.ConvertAll(static signal => new Receiver(signal, signal.Signal)),
            decisions,
            known,
            incarnation
        );
    }

    /// <summary>Whether the session is one with the server whose answers the host knows.</summary>
    public bool CanWrite(PostgreSqlSession session) => session.Incarnation == incarnation;

    /// <summary>Writes the batch, unless it is refused.</summary>
    /// <param name="session">One that can write it, without an open transaction, and so it is afterwards.</param>
    /// <returns>Null: it was refused, and nothing is written.</returns>
    public async Task<WrittenBatch?> TryWriteAsync(
        PostgreSqlSession session,
        List<StartSubmission> starts,
        PostgreSqlClock clock,
        CancellationToken cancellationToken
    )
    {
        var statements = session.Statements;
        var batch = session.FirstBatch(begin: true);
        var keyedStarts = PostgreSqlSubmissions.AddStarts(batch, statements, starts);
        var writes = new PostgreSqlWrites(statements);
        starts.ForEach(start => writes.AddConsequences(start.Decision));
        foreach (var decision in decisions)
        {
            if (decision.Instance is not null)
                writes.AddUnread(decision);
        }

        writes.AppendTo(batch.BatchCommands);
        var stored = receivers.FindAll(receiver => !IsDecided(receiver));
        if (stored.Count > 0)
            statements.Publish.AddTo(batch.BatchCommands, stored);
        batch.BatchCommands.Add(statements.Commit);
        WriteAnswers answers;
        try
        {
            answers = await WriteAnswers
                .ReadAsync(batch, stored.Count, clock, mayWait: keyedStarts > 0, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (PostgresException e) when (e.SqlState == PostgreSqlErrors.VersionConflict)
        {
            await session.RollBackAsync(cancellationToken).ConfigureAwait(false);
            return null;
        }

        known.Started(incarnation, starts, answers.StartedAt);
        known.Decided(incarnation, decisions);
        receivers.ForEach(receiver => receiver.Submission.IsDecided = IsDecided(receiver));
        return WrittenBatch.Of(statements, starts, keyedStarts, stored.FindAll(receiver => !answers.Inserted.Contains(receiver.Signal.Id)));
    }

    private bool IsDecided(Receiver receiver) => receiver.Signal.Due.IsNow && _decided.Contains(receiver.Signal.InstanceId);
}
