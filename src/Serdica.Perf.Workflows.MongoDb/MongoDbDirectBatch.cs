namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The signals of one batch that are decided before they are stored. Nothing is locked: an instance is read and decided, and the
/// new content replaces the one that was read, by its version. The same transaction finds none of its stored signals due, so none
/// is overtaken. When it is refused, somebody else was quicker with an instance: the signals of that one are stored.
/// </summary>
internal sealed class MongoDbDirectBatch(DirectTurns turns, IDocumentDatabase database)
{
    /// <summary>After this many refused writes, all signals of the batch are stored.</summary>
    internal const int MaxTries = 3;

    /// <summary>Whose signals are stored: others change them, or their stored signals come first.</summary>
    private readonly HashSet<Guid> _contested = [];

    private readonly HashSet<Guid> _decided = [];
    private readonly List<(SignalSubmission Submission, Signal Signal)> _taken = [];
    private Dictionary<Guid, ClaimedInstance> _claimed = [];
    private DateTimeOffset _now;
    private long _share;
    private int _tries;

    /// <returns>Those whose content is to be read.</returns>
    public HashSet<Guid> Ask(IEnumerable<Guid> receivers)
    {
        HashSet<Guid> asked = _tries++ < MaxTries ? [.. receivers.Where(id => !_contested.Contains(id))] : [];
        _share = turns.MaxBytes / Math.Max(1, asked.Count);
        return asked;
    }

    /// <summary>Takes the instances that can be decided.</summary>
    /// <param name="waiting">Whose stored signals come first; the write is refused when one is missing.</param>
    public void Claim(IEnumerable<InstanceRecord> instances, HashSet<Guid> waiting, DateTimeOffset now)
    {
        var before = _claimed;
        _claimed = [];
        _decided.Clear();
        _taken.Clear();
        _now = now;
        foreach (var instance in instances)
        {
            var isChanged = before.TryGetValue(instance.Id, out var decided) && decided.Instance.Version != instance.Version;
            if (isChanged || waiting.Contains(instance.Id))
                _contested.Add(instance.Id);
            else if (!instance.Status.IsClosed() && SizeOf(instance) <= _share)
                _claimed.Add(instance.Id, new ClaimedInstance(instance));
        }
    }

    /// <returns>False: the signal is to be stored.</returns>
    public bool TryTake(SignalSubmission submission, Signal signal)
    {
        if (!signal.Due.IsNow || !_claimed.TryGetValue(signal.InstanceId, out var claimed))
            return false;
        claimed.Signals.Add(signal with { Due = Due.AtTime(_now) });
        _taken.Add((submission, signal));
        return true;
    }

    public async Task DecideAsync(
        IEnumerable<(Guid Instance, string Key)> dedupKeys,
        MongoDbWrites writes,
        CancellationToken cancellationToken
    )
    {
        List<ClaimedInstance> claimed = [.. _claimed.Values.Where(static claimed => claimed.Signals.Count > 0)];
        if (claimed.Count == 0)
            return;
        var all = await turns.Decide(new ClaimedBatch(_now, claimed)).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        List<Decision> decisions = [.. all.Where(static decision => decision.Instance is not null)];
        _decided.UnionWith(decisions.Select(static decision => decision.Instance!.Id));
        foreach (var (_, signal) in _taken)
        {
            if (!_decided.Contains(signal.InstanceId))
                writes.AddSignal(signal);
        }

        if (decisions.Count == 0)
            return;
        decisions.ForEach(writes.AddUpdate);
        var due = SignalDocuments.WhereDue(_decided, _now.ToUnixTimeMilliseconds());
        writes.AddFirst(new ExpectNone(Collections.Signals, due, Queries.ByInstance));
        writes.Delete(
            Collections.Signals,
            await database.FindWithdrawnAsync(decisions, [], cancellationToken).ConfigureAwait(false)
        );
        await database.CopyKeysAsync(decisions, dedupKeys, writes, cancellationToken).ConfigureAwait(false);
    }

    public void Written()
    {
        foreach (var (submission, signal) in _taken)
            submission.IsDecided = _decided.Contains(signal.InstanceId);
    }

    private static long SizeOf(InstanceRecord instance) => instance.State.Length + (instance.Progress?.Length ?? 0);
}
