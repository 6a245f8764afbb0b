namespace Serdica.Perf.Workflows;

/// <content>Signals that are decided before they are stored.</content>
public sealed partial class InMemoryWorkflowBackend
{
    /// <inheritdoc/>
    public async Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        ArgumentNullException.ThrowIfNull(direct);
        DirectBatch holding;
        lock (_gate)
            holding = Hold(batch, _time.GetUtcNow());
        try
        {
            var claimed = new ClaimedBatch(holding.Now, holding.Claimed);
            var decisions = holding.Claimed.Count == 0 ? [] : await direct.Decide(claimed).ConfigureAwait(false);
            var parents = await DecideParentsAsync(claimed, decisions, direct.DecideParents, holding.Held).ConfigureAwait(false);
            lock (_gate)
                Commit(batch, holding, parents.Count == 0 ? decisions : [.. decisions, .. parents]);
        }
        catch
        {
            lock (_gate)
            {
                foreach (var (instance, key) in holding.NewKeys)
                    instance.RemoveKey(key);
                Release(holding.Held);
            }

            throw;
        }
    }

    /// <summary>Takes the open instances that nobody holds, and that have nothing stored that is due.</summary>
    private DirectBatch Hold(IReadOnlyList<Submission> batch, DateTimeOffset now)
    {
        var holding = new DirectBatch(now, batch.Count);
        var places = new Dictionary<InMemoryInstance, int>();
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch[i] is not SignalSubmission { Signal.Due.IsNow: true } submission || FindReceiver(submission) is not { } instance)
                continue;
            if (!places.TryGetValue(instance, out var place))
            {
                if (!IsFree(instance, now))
                    continue;
                place = holding.Held.Count;
                places.Add(instance, place);
                instance.Claimed = true;
                holding.Held.Add(instance);
                holding.Claimed.Add(new ClaimedInstance(instance.Record));
            }

            holding.Places[i] = place;
            if (submission.DedupKey is { } key)
            {
                if (!instance.AddKey(key))
                    continue;
                holding.NewKeys.Add((instance, key));
            }

            holding.IsNew[i] = true;
            holding.Claimed[place].Signals.Add(submission.Signal with { InstanceId = instance.Record.Id, Due = Due.AtTime(now) });
        }

        holding.Claimed.RemoveAll(static claimed => claimed.Signals.Count == 0);
        return holding;
    }

    /// <summary>Has parents of the instances that a batch closes decided, and holds them with the batch.</summary>
    /// <param name="batch">What was decided.</param>
    /// <param name="decisions">Its decisions.</param>
    /// <param name="decide">Decides the parents.</param>
    /// <param name="held">What the batch holds; the parents are added.</param>
    private async ValueTask<IReadOnlyList<Decision>> DecideParentsAsync(
        ClaimedBatch batch,
        IReadOnlyList<Decision> decisions,
        DecideBatch? decide,
        List<InMemoryInstance> held
    )
    {
        if (decide is null || batch.ReportsToParents(decisions) is not { } reports)
            return [];
        var parents = new List<ClaimedInstance>();
        DateTimeOffset now;
        lock (_gate)
        {
            now = _time.GetUtcNow();
            foreach (var (id, signals) in reports)
            {
                if (!_instances.TryGetValue(id, out var parent) || !IsFree(parent, now))
                    continue;
                parent.Claimed = true;
                held.Add(parent);
                var claimed = new ClaimedInstance(parent.Record);
                claimed.Signals.AddRange(signals.Select(signal => signal with { Due = Due.AtTime(now) }));
                parents.Add(claimed);
            }
        }

        return parents.Count == 0 ? [] : await decide(new ClaimedBatch(now, parents)).ConfigureAwait(false);
    }

    /// <summary>It is open, nobody holds it, and nothing that is stored for it is due.</summary>
    private static bool IsFree(InMemoryInstance instance, DateTimeOffset now) =>
        !instance.Claimed && !instance.Record.Status.IsClosed() && !instance.HasDue(now);

    private void Commit(IReadOnlyList<Submission> batch, DirectBatch holding, IReadOnlyList<Decision> decisions)
    {
        var now = _time.GetUtcNow();
        foreach (var submission in batch)
        {
            if (submission is StartSubmission start)
                Start(start, now);
        }

        var decided = new HashSet<Guid>();
        foreach (var decision in decisions)
        {
            if (decision.Instance is not { } record)
                continue;
            decided.Add(record.Id);
            Apply(decision, now);
        }

        for (var i = 0; i < batch.Count; i++)
        {
            if (batch[i] is not SignalSubmission submission)
                continue;
            if (holding.Places[i] is not { } place)
            {
                submission.Outcome = Publish(submission, now);
                continue;
            }

            var id = holding.Held[place].Record.Id;
            submission.Outcome = holding.IsNew[i] ? PublishOutcome.Accepted : PublishOutcome.Duplicate;
            submission.IsDecided = holding.IsNew[i] && decided.Contains(id);
            if (holding.IsNew[i] && !submission.IsDecided)
                Send(submission.Signal with { InstanceId = id }, now);
        }

        Release(holding.Held);
    }

    private InMemoryInstance? FindReceiver(SignalSubmission submission)
    {
        var id = submission.Signal.InstanceId;
        if (submission.BusinessKey is { } key && !_businessKeys.TryGetValue(key, out id))
            return null;
        return _instances.GetValueOrDefault(id);
    }

    /// <summary>What a batch holds while its signals are decided.</summary>
    /// <param name="now">When they became due.</param>
    /// <param name="size">Of the batch.</param>
    private sealed class DirectBatch(DateTimeOffset now, int size)
    {
        public DateTimeOffset Now => now;

        public List<InMemoryInstance> Held { get; } = [];

        /// <summary>Those of <see cref="Held"/> that have signals.</summary>
        public List<ClaimedInstance> Claimed { get; } = [];

        /// <summary>For each item of the batch its instance's place in <see cref="Held"/>; null where it is not held.</summary>
        public int?[] Places { get; } = new int?[size];

        /// <summary>For each item whether no earlier signal has had its dedup key.</summary>
        public bool[] IsNew { get; } = new bool[size];

        public List<(InMemoryInstance Instance, string Key)> NewKeys { get; } = [];
    }
}
