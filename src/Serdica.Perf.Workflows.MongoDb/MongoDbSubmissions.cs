namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Makes starts and signals durable: one round trip that reads the clock, the receivers and the keys, one that writes.
/// A key that somebody else takes in between, or an instance that somebody else changes, makes it begin again.
/// </summary>
internal sealed class MongoDbSubmissions(IDocumentDatabase database, ServerClock clock)
{
    /// <param name="turns">How to decide signals before they are stored; null: all are stored.</param>
    public async Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns? turns, CancellationToken cancellationToken)
    {
        var starts = batch.OfType<StartSubmission>().ToList();
        var signals = batch.OfType<SignalSubmission>().ToList();
        var direct = turns is null ? null : new MongoDbDirectBatch(turns, database);
        for (var tries = 0; tries < KeptReads.MaxTries; tries++)
        {
            var known = await ReadAsync(starts, signals, direct, cancellationToken).ConfigureAwait(false);
            var writes = new MongoDbWrites(known.Now, clock.UpperBound);
            foreach (var start in starts)
                Start(start, known, writes);
            foreach (var signal in signals)
                signal.Outcome = Publish(signal, known, direct, writes);
            if (!await HasUnkeptAsync(signals, cancellationToken).ConfigureAwait(false))
            {
                if (direct is not null)
                    await direct.DecideAsync(known.DedupKeys, writes, cancellationToken).ConfigureAwait(false);
                var written = writes.ToList();
                if (written.Count == 0 || await database.WriteAsync(written, cancellationToken).ConfigureAwait(false))
                {
                    direct?.Written();
                    return;
                }
            }

            // Who has taken the key is seen only when a majority of the servers has it.
            await KeptReads.PauseAsync(tries, cancellationToken).ConfigureAwait(false);
        }

        throw new WorkflowBackendException(
            $"A batch of {batch.Count} starts and signals was refused {KeptReads.MaxTries} times: each time a key that was free was taken, "
                + "an id existed already, or what the primary has had not reached a majority of the servers.",
            isTransient: true
        )
        {
            NothingWritten = true,
        };
    }

    /// <summary>Whether one of the receivers that seem unknown is there, see <see cref="KeptReads"/>.</summary>
    private async Task<bool> HasUnkeptAsync(List<SignalSubmission> signals, CancellationToken cancellationToken)
    {
        var unknown = signals.Where(static signal => signal.Outcome == PublishOutcome.UnknownInstance).ToLookup(s => s.BusinessKey);
        if (unknown.Count == 0)
            return false;
        var ids = unknown[null].Select(static signal => signal.Signal.InstanceId).ToHashSet();
        var keys = unknown.Select(static signals => signals.Key).OfType<string>().ToHashSet(StringComparer.Ordinal);
        if (keys.Count > 0)
        {
            var owners = await database.FindAsync(KeyDocuments.Owners(keys), cancellationToken).ConfigureAwait(false);
            ids.UnionWith(owners.Select(static owner => owner.Value.Id));
        }

        return (await database.FindInstancesAsync(ids, onlyOpen: false, cancellationToken).ConfigureAwait(false)).Count > 0;
    }

    private static void Start(StartSubmission start, Known known, MongoDbWrites writes)
    {
        var instance = start.Decision.Instance!;
        start.Existing = null;
        if (instance.BusinessKey is { } key && !known.BusinessKeys.TryAdd(key, new ExistingInstance(instance.Id, instance.Definition)))
        {
            start.Existing = known.BusinessKeys[key];
            return;
        }

        known.Statuses[instance.Id] = instance.Status;
        start.Decision.Started?.ForEach(child => known.Statuses[child.Id] = child.Status);
        writes.AddStart(start.Decision);
    }

    private static PublishOutcome Publish(SignalSubmission submission, Known known, MongoDbDirectBatch? direct, MongoDbWrites writes)
    {
        var signal = submission.Signal;
        if (submission.BusinessKey is { } key)
        {
            if (!known.BusinessKeys.TryGetValue(key, out var existing))
                return PublishOutcome.UnknownInstance;
            signal = signal with { InstanceId = existing.Id };
        }

        if (!known.Statuses.TryGetValue(signal.InstanceId, out var status))
            return PublishOutcome.UnknownInstance;

        // The key first: the signal that is repeated may itself have closed the instance.
        var dedupKey = submission.DedupKey;
        if (dedupKey is not null && known.DedupKeys.Contains((signal.InstanceId, dedupKey)))
            return PublishOutcome.Duplicate;
        if (status.IsClosed())
            return PublishOutcome.InstanceClosed;
        if (dedupKey is not null)
        {
            known.DedupKeys.Add((signal.InstanceId, dedupKey));
            writes.AddDedupKey(signal.InstanceId, dedupKey);
        }

        if (direct?.TryTake(submission, signal) != true)
            writes.AddSignal(signal);
        return PublishOutcome.Accepted;
    }

    private async Task<Known> ReadAsync(
        List<StartSubmission> starts,
        List<SignalSubmission> signals,
        MongoDbDirectBatch? direct,
        CancellationToken cancellationToken
    )
    {
        var businessKeys = starts
            .Select(static start => start.Decision.Instance!.BusinessKey)
            .Concat(signals.Select(static signal => signal.BusinessKey))
            .OfType<string>()
            .ToHashSet(StringComparer.Ordinal);
        var known = new Known();
        var owners = KeyDocuments.Owners(businessKeys);
        var byKey = signals.Exists(static signal => signal.BusinessKey is not null);
        if (byKey)
        {
            await database.FindAsync(owners, cancellationToken, ReadLevel.Kept).ConfigureAwait(false);
            known.Learn(owners);
        }

        var receivers = new HashSet<Guid>();
        var receiversAtOnce = new HashSet<Guid>();
        var dedupKeys = new HashSet<(Guid Instance, string Key)>();
        foreach (var signal in signals)
        {
            var receiver = signal.Signal.InstanceId;
            if (signal.BusinessKey is { } businessKey)
            {
                if (!known.BusinessKeys.TryGetValue(businessKey, out var owner))
                    continue;
                receiver = owner.Id;
            }

            receivers.Add(receiver);
            if (signal.Signal.Due.IsNow)
                receiversAtOnce.Add(receiver);
            if (signal.DedupKey is { } key)
                dedupKeys.Add((receiver, key));
        }

        var asked = direct?.Ask(receiversAtOnce) ?? [];
        var statuses = Queries.Instances(receivers.Except(asked), "_id", "status");
        var accepted = KeyDocuments.Accepted(dedupKeys);
        var until = asked.Count == 0 ? 0 : await clock.UpperBoundAsync(cancellationToken).ConfigureAwait(false);

        // Which of those that may be decided have stored signals that are due. Enough for one or two of each: an instance with more may
        // hide others, whose write is refused.
        var due = new SignalQuery
        {
            Filter = SignalDocuments.WhereDue(asked, until),
            Index = Queries.ByInstance,
            Limit = 2 * asked.Count,
            Projection = Queries.Fields("_id", "instance"),
        };
        var whole = Queries.Instances(asked);
        var queries = new List<DocumentQuery>();
        if (receivers.Count > asked.Count)
            queries.Add(statuses);
        if (dedupKeys.Count > 0)
            queries.Add(accepted);
        if (!byKey && businessKeys.Count > 0)
            queries.Add(owners);

        // Whole instances last: a reply holds 16 MB, and of those that it has no room for, the status is asked for.
        if (asked.Count > 0)
            queries.AddRange([due, whole]);
        known.Now = await clock.ReadAsync(queries, ReadLevel.Kept, cancellationToken).ConfigureAwait(false);
        var waiting = due.Found.Where(signal => signal.Key.Time <= known.Now).Select(static signal => signal.Instance).ToHashSet();
        direct?.Claim(whole.Found, waiting, known.Now);
        asked.ExceptWith(whole.Found.Select(static instance => instance.Id));
        var missing = Queries.Instances(asked, "_id", "status");
        if (asked.Count > 0)
            await database.FindAsync(missing, cancellationToken, ReadLevel.Kept).ConfigureAwait(false);
        foreach (var instance in statuses.Found.Concat(whole.Found).Concat(missing.Found))
            known.Statuses[instance.Id] = instance.Status;
        known.DedupKeys.UnionWith(accepted.Found);
        known.Learn(owners);
        return known;
    }

    /// <summary>What the database holds of a batch, and what the batch has added so far.</summary>
    private sealed class Known
    {
        public DateTimeOffset Now { get; set; }

        public Dictionary<string, ExistingInstance> BusinessKeys { get; } = new(StringComparer.Ordinal);

        public Dictionary<Guid, InstanceStatus> Statuses { get; } = [];

        public HashSet<(Guid InstanceId, string Key)> DedupKeys { get; } = [];

        public void Learn(DocumentQuery<KeyValuePair<string, ExistingInstance>> owners)
        {
            foreach (var (key, owner) in owners.Found)
                BusinessKeys[key] = owner;
        }
    }
}
