namespace Serdica.Perf.Faults.History;

/// <summary>
/// The turns of one call of the seam: recorded when they are decided, before their commit, and then with what became of it.
/// </summary>
internal sealed class RecordedTurns(HistoryWriter history, DecideBatch decide, DecideBatch? decideParents)
{
    private long _operation;

    /// <summary>In place of the engine's own delegate for parents, whose turns are written together with those before.</summary>
    public DecideBatch? DecideParents =>
        decideParents is null
            ? null
            : async batch =>
            {
                var decisions = await decideParents(batch);
                Record(batch, decisions);
                return decisions;
            };

    /// <summary>In place of the engine's own delegate.</summary>
    public async Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch)
    {
        var decisions = await decide(batch);

        // A backend may ask again after a conflict: what was decided before is not written.
        Answer(AckOutcome.Conflict);
        _operation = history.NextOperation();
        Record(batch, decisions);
        return decisions;
    }

    /// <summary>Records the answer, if anything was decided.</summary>
    public void Answer(AckOutcome outcome)
    {
        if (_operation > 0)
            history.Write(AnswerTo(_operation, outcome));
    }

    /// <summary>Records the failure, if anything was decided.</summary>
    public void Fail(Exception error)
    {
        if (_operation > 0)
            history.Write(RecordingClient.Failure(_operation, error));
    }

    public static HistoryRecord AnswerTo(long operation, AckOutcome outcome) =>
        new()
        {
            Kind = HistoryKind.Ack,
            Operation = operation,
            Outcome = outcome,
        };

    private void Record(ClaimedBatch batch, IReadOnlyList<Decision> decisions)
    {
        var lines = new List<HistoryRecord>(decisions.Count);
        for (var i = 0; i < decisions.Count; i++)
        {
            lines.AddRange(DecisionRecords.Claimed(_operation, batch.Instances[i], decisions[i], batch.Now));
            lines.AddRange(DecisionRecords.Of(_operation, decisions[i], batch.Now));
        }

        history.WriteAll(lines);
    }
}
