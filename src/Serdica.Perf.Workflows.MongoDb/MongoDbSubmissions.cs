using MongoDB.Bson;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Makes starts and signals durable: one round trip that reads the clock, the receivers and the keys, one that writes.
/// A key that somebody else takes in between makes it begin again.
/// </summary>
internal sealed class MongoDbSubmissions(IDocumentDatabase database, ServerClock clock)
{
    private const int MaxTries = 20;

    private const int MaxPauseMilliseconds = 200;

    public async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        var starts = batch.OfType<StartSubmission>().ToList();
        var signals = batch.OfType<SignalSubmission>().ToList();
        for (var tries = 0; tries < MaxTries; tries++)
        {
            var known = await ReadAsync(starts, signals, cancellationToken).ConfigureAwait(false);
            var writes = new MongoDbWrites(known.Now);
            foreach (var start in starts)
                Start(start, known, writes);
            foreach (var signal in signals)
                signal.Outcome = Publish(signal, known, writes);
            var written = new List<DocumentWrite>();
            writes.AppendTo(written);
            if (written.Count == 0 || await database.WriteAsync(written, cancellationToken).ConfigureAwait(false))
                return;

            // Who has taken the key is seen only when a majority of the servers has it.
            await Task.Delay(Random.Shared.Next(1 + Math.Min(10 * tries, MaxPauseMilliseconds)), cancellationToken).ConfigureAwait(false);
        }

        throw new WorkflowBackendException(
            $"A batch of {batch.Count} starts and signals was refused {MaxTries} times: each time a key that was free was taken, or an "
                + $"id exists already.",
            isTransient: true
        );
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

    private static PublishOutcome Publish(SignalSubmission submission, Known known, MongoDbWrites writes)
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

        writes.AddSignal(signal);
        return PublishOutcome.Accepted;
    }

    private async Task<Known> ReadAsync(List<StartSubmission> starts, List<SignalSubmission> signals, CancellationToken cancellationToken)
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
            await database.ReadAsync([owners], ReadLevel.Kept, cancellationToken).ConfigureAwait(false);
            ReadOwners(owners, known);
        }

        var receivers = new HashSet<Guid>();
        var dedupKeys = new HashSet<(Guid Instance, string Key)>();
        foreach (var signal in signals)
        {
            var receiver =
                signal.BusinessKey is null ? signal.Signal.InstanceId
                : known.BusinessKeys.TryGetValue(signal.BusinessKey, out var owner) ? owner.Id
                : Guid.Empty;
            receivers.Add(receiver);
            if (signal.DedupKey is { } key)
                dedupKeys.Add((receiver, key));
        }

        var statuses = Queries.Instances(receivers, "_id", "status");
        var accepted = KeyDocuments.Accepted(dedupKeys);
        var queries = new List<DocumentQuery>();
        if (receivers.Count > 0)
            queries.Add(statuses);
        if (dedupKeys.Count > 0)
            queries.Add(accepted);
        if (!byKey && businessKeys.Count > 0)
            queries.Add(owners);
        known.Now = await clock.ReadAsync(queries, ReadLevel.Kept, cancellationToken).ConfigureAwait(false);

        foreach (var instance in statuses.Found)
            known.Statuses[instance.Id] = instance.Status;
        known.DedupKeys.UnionWith(accepted.Found.Select(KeyDocuments.ReadDedupKey));
        ReadOwners(owners, known);
        return known;
    }

    private static void ReadOwners(DocumentQuery<BsonDocument> owners, Known known)
    {
        foreach (var owner in owners.Found)
        {
            known.BusinessKeys[owner["_id"].AsString] = new ExistingInstance(owner["instance"].ToGuid(), owner["definition"].AsString);
        }
    }

    /// <summary>What the database holds of a batch, and what the batch has added so far.</summary>
    private sealed class Known
    {
        public DateTimeOffset Now { get; set; }

        public Dictionary<string, ExistingInstance> BusinessKeys { get; } = new(StringComparer.Ordinal);

        public Dictionary<Guid, InstanceStatus> Statuses { get; } = [];

        public HashSet<(Guid InstanceId, string Key)> DedupKeys { get; } = [];
    }
}
