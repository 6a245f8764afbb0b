namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Gathers decisions by statement and appends those statements that have something to do.</summary>
internal sealed class PostgreSqlWrites(PostgreSqlStatements statements)
{
    private readonly List<HeldUpdate> _updates = [];
    private List<Decision>? _unread;
    private List<StartedChild>? _started;
    private List<WithdrawnSignal>? _withdrawn;
    private List<Signal>? _sent;
    private List<DeadLetter>? _letters;
    private List<Continuation>? _continued;

    /// <summary>An instance with all that goes with it.</summary>
    public void Add(HeldUpdate update)
    {
        _updates.Add(update);
        AddConsequences(update.Decision);
    }

    /// <summary>An instance that the transaction does not hold, with all that goes with it.</summary>
    public void AddUnread(Decision decision)
    {
        (_unread ??= []).Add(decision);
        AddConsequences(decision);
    }

    /// <summary>What goes with an instance, apart from its own row.</summary>
    public void AddConsequences(Decision decision)
    {
        decision.Started?.ForEach(child => (_started ??= []).Add(new StartedChild(child, decision.Instance!.Id)));
        decision.Withdrawn?.ForEach(signal => (_withdrawn ??= []).Add(new WithdrawnSignal(decision.Instance!.Id, signal)));
        if (decision.Sent is { Count: > 0 } sent)
            (_sent ??= []).AddRange(sent);
        if (decision.DeadLetters is { } letters)
            (_letters ??= []).AddRange(letters);
        if (decision.Continued is { } continued)
            (_continued ??= []).AddRange(continued);
    }

    /// <summary>Instances first, then what belongs to them; withdrawals first, then what is sent.</summary>
    public void AppendTo(NpgsqlBatchCommandCollection batch)
    {
        if (_updates.Count > 0)
            statements.Update.AddTo(batch, _updates);
        if (_unread is not null)
            statements.UpdateUnread.AddTo(batch, _unread);
        if (_started is not null)
            statements.StartChildren.AddTo(batch, _started);
        if (_withdrawn is not null)
            statements.Withdraw.AddTo(batch, _withdrawn);
        if (_sent is not null)
            statements.Send.AddTo(batch, _sent);
        if (_letters is not null)
            statements.Bury.AddTo(batch, _letters);
        if (_continued is not null)
            statements.CopyKeys.AddTo(batch, _continued);
    }
}
