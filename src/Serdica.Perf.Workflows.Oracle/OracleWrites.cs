namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Brings decisions into the order in which they are written: withdrawals first, then what is sent.</summary>
internal sealed class OracleWrites(OracleBatch batch)
{
    private readonly List<(InstanceRecord Child, Guid StarterId)> _started = [];
    private readonly List<Continuation> _continued = [];
    private readonly List<(Guid InstanceId, Guid SignalId)> _withdrawn = [];
    private readonly List<Signal> _sent = [];
    private readonly List<DeadLetter> _letters = [];

    public void AddUpdate(Decision decision)
    {
        if (decision.Instance is { } instance)
            batch.Update(instance, decision.ExpectedVersion);
        AddConsequences(decision);
    }

    /// <summary>What goes with an instance, apart from its own row.</summary>
    public void AddConsequences(Decision decision)
    {
        decision.Started?.ForEach(child => _started.Add((child, decision.Instance!.Id)));
        decision.Withdrawn?.ForEach(signalId => _withdrawn.Add((decision.Instance!.Id, signalId)));
        if (decision.Continued is { } continued)
            _continued.AddRange(continued);
        if (decision.Sent is { } sent)
            _sent.AddRange(sent);
        if (decision.DeadLetters is { } letters)
            _letters.AddRange(letters);
    }

    public void Append()
    {
        _started.ForEach(started => batch.Child(started.Child, started.StarterId));

        // In one order everywhere: two batches that copy to the same continuations would wait for each other's keys.
        foreach (var continuation in _continued.OrderBy(static continuation => continuation.To))
            batch.CopyKeys(continuation);

        // In the order of their keys, as extensions of leases are: the two may wait for each other's rows.
        foreach (var (instanceId, signalId) in _withdrawn.Order())
            batch.Withdraw(instanceId, signalId);
        _sent.ForEach(signal => batch.Send(signal));
        _letters.ForEach(letter => batch.Bury(letter));
    }
}
