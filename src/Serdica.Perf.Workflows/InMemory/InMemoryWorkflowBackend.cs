namespace Serdica.Perf.Workflows;

/// <summary>
/// The model that other backends are held to: the same semantics in one process, without durability.
/// Deterministic under a <see cref="TimeProvider"/> of a test. As the null backend it shows what the engine and
/// the harness cost by themselves.
/// </summary>
public sealed partial class InMemoryWorkflowBackend(TimeProvider? time = null) : IWorkflowBackend, IMessageQueue
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly Lock _gate = new();
    private readonly Dictionary<Guid, InMemoryInstance> _instances = [];
    private readonly Dictionary<string, Guid> _businessKeys = new(StringComparer.Ordinal);
    private readonly Queue<InMemoryInstance> _ready = new();
    private readonly PriorityQueue<InMemoryInstance, DateTimeOffset> _later = new();
    private readonly List<DeadLetter> _deadLetters = [];
    private readonly InMemoryMessages _messages = new();

    /// <inheritdoc/>
    public string Name => "in-memory";

    /// <inheritdoc/>
    public BackendCapabilities Capabilities { get; } =
        new(Durable: false, CrossProcessHints: false) { FiltersDefinitions = true, DecidesDirectly = true };

    /// <inheritdoc/>
    public Task InitializeAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            var now = _time.GetUtcNow();
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch[i] is StartSubmission start)
                    Start(start, now);
            }

            for (var i = 0; i < batch.Count; i++)
            {
                if (batch[i] is SignalSubmission signal)
                    signal.Outcome = Publish(signal, now);
            }
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        List<InMemoryInstance> held;
        ClaimedBatch batch;
        var room = new InMemoryClaimRoom(request);
        lock (_gate)
        {
            var now = _time.GetUtcNow();
            WakeDue(now);
            var most = Math.Min(request.MaxSignals, _ready.Count);
            held = new(most);
            var claimed = new List<ClaimedInstance>(most);
            List<InMemoryInstance>? leftAlone = null;
            while (!room.IsFull && _ready.TryDequeue(out var instance))
            {
                instance.Queued = false;
                if (instance.Claim(now, request, ref room) is { } claim)
                {
                    held.Add(instance);
                    claimed.Add(claim);
                }
                else if (instance.HasDue(now))
                {
                    (leftAlone ??= []).Add(instance);
                }
            }

            leftAlone?.ForEach(MakeReady);
            if (claimed.Count == 0)
                return new ProcessOutcome(0, NextDue: NextDue() - now);
            batch = new ClaimedBatch(now, claimed);
        }

        try
        {
            var decisions = await decide(batch).ConfigureAwait(false);
            var parents = await DecideParentsAsync(batch, decisions, request.DecideParents, held).ConfigureAwait(false);
            lock (_gate)
            {
                var outcome = Commit(batch, held, parents.Count == 0 ? decisions : [.. decisions, .. parents]);
                return room.IsFullOfBytes ? outcome with { NextDue = TimeSpan.Zero } : outcome;
            }
        }
        catch
        {
            lock (_gate)
                Release(held);
            throw;
        }
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    )
    {
        var lost = new List<ActivityLease>();
        lock (_gate)
        {
            var now = _time.GetUtcNow();
            var due = now + duration;
            foreach (var lease in leases)
            {
                if (_instances.TryGetValue(lease.InstanceId, out var instance) && instance.Extend(lease, now, due))
                    _later.Enqueue(instance, due);
                else
                    lost.Add(lease);
            }
        }

        return Task.FromResult<IReadOnlyList<ActivityLease>>(lost);
    }

    /// <inheritdoc/>
    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) => Task.Delay(maximum, _time, cancellationToken);

    /// <inheritdoc/>
    public Task NotifyWorkAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> instanceIds, CancellationToken cancellationToken)
    {
        var closed = new List<InstanceRecord>();
        lock (_gate)
        {
            foreach (var id in instanceIds)
            {
                if (_instances.TryGetValue(id, out var instance) && instance.Record.Status.IsClosed())
                    closed.Add(instance.Read());
            }
        }

        return Task.FromResult<IReadOnlyList<InstanceRecord>>(closed);
    }

    /// <inheritdoc/>
    public Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        lock (_gate)
            return Task.FromResult(_instances.TryGetValue(instanceId, out var instance) ? instance.Read() : null);
    }

    /// <inheritdoc/>
    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken)
    {
        lock (_gate)
            return Task.FromResult(_businessKeys.TryGetValue(businessKey, out var id) ? _instances[id].Read() : null);
    }

    /// <inheritdoc/>
    public Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            var now = _time.GetUtcNow();
            var signals = _instances.Values.SelectMany(instance => instance.Signals).ToList();
            var awaitedChildren = _instances
                .Values.Where(instance => !instance.Record.Status.IsClosed())
                .Select(instance => instance.Record.ParentId)
                .ToHashSet();
            return Task.FromResult(
                new BackendCensus
                {
                    Instances = Enum.GetValues<InstanceStatus>()
                        .ToDictionary(
                            status => status,
                            status => _instances.Values.LongCount(instance => instance.Record.Status == status)
                        ),
                    OpenByDefinition = _instances
                        .Values.Where(instance => !instance.Record.Status.IsClosed())
                        .GroupBy(instance => new DefinitionVersion(instance.Record.Definition, instance.Record.DefinitionVersion))
                        .ToDictionary(group => group.Key, group => group.LongCount()),
                    ParkedByDefinition = _instances
                        .Values.Where(instance => !instance.Record.Status.IsClosed() && (instance.Record.Waits & WaitKinds.Parked) != 0)
                        .GroupBy(instance => new DefinitionVersion(instance.Record.Definition, instance.Record.DefinitionVersion))
                        .ToDictionary(group => group.Key, group => new ParkedCount(group.LongCount(), group.First().Record.Id)),
                    SignalsDue = signals.LongCount(signal => signal.Due.At <= now),
                    SignalsLater = signals.LongCount(signal => signal.Due.At > now),
                    DeadLetters = _deadLetters.Count,
                    Stuck = _instances.Values.LongCount(instance => IsStuck(instance, awaitedChildren)),
                    Messages = _messages.Count,
                }
            );
        }
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            return Task.FromResult<IReadOnlyList<DeadLetter>>([
                .. _deadLetters
                    .Where(letter => query.Matches(letter) && query.Matches(_instances.GetValueOrDefault(letter.Signal.InstanceId)?.Record))
                    .OrderBy(letter => (letter.DeadAt, letter.Signal.Id))
                    .Take(query.Limit),
            ]);
        }
    }

    /// <inheritdoc/>
    public Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            var now = _time.GetUtcNow();
            var wanted = signalIds.ToHashSet();
            var letters = _deadLetters
                .Where(letter =>
                    wanted.Contains(letter.Signal.Id)
                    && _instances.TryGetValue(letter.Signal.InstanceId, out var instance)
                    && !instance.Record.Status.IsClosed()
                )
                .ToList();
            foreach (var letter in letters)
            {
                _deadLetters.Remove(letter);
                Send(letter.Signal with { Attempt = 0, Due = Due.Now }, now);
            }

            return Task.FromResult(letters.Count);
        }
    }

    /// <inheritdoc/>
    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            var limit = _time.GetUtcNow() - age;
            var old = _instances
                .Values.Where(instance =>
                    instance.Record.Status.IsClosed()
                    && instance.UpdatedAt < limit
                    && !HasOpenParent(instance.Record)
                )
                .ToList();
            var oldIds = old.Select(static instance => instance.Record.Id).ToHashSet();
            ContinuedChain.Spare(
                old,
                static instance => instance.Record.Id,
                static instance => ContinuedChain.PredecessorOf(instance.Record.Progress),
                instance =>
                    instance.Record.Progress is { } progress
                    && (
                        instance.Signals.Count > 0
                        || (
                            ContinuedChain.PredecessorOf(progress) is { } predecessor
                            && _instances.ContainsKey(predecessor)
                            && !oldIds.Contains(predecessor)
                        )
                    )
            );
            foreach (var instance in old)
            {
                var record = instance.Record;
                _instances.Remove(record.Id);
                instance.Signals.Clear();
                if (record.BusinessKey is { } key)
                    _businessKeys.Remove(key);
                _deadLetters.RemoveAll(letter => letter.Signal.InstanceId == record.Id);
            }

            return Task.FromResult(old.Count);
        }
    }

    /// <inheritdoc/>
    public Task MaintainAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        lock (_gate)
            _messages.Add(messages, _time.GetUtcNow());
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var now = _time.GetUtcNow();
        List<Message> taken;
        lock (_gate)
        {
            taken = _messages.Take(maxMessages, now);
            if (taken.Count == 0)
                return Task.FromResult(new ProcessOutcome(0, NextDue: _messages.NextDue - now));
        }

        try
        {
            handle(new ReceivedMessages(now, taken));
        }
        catch
        {
            lock (_gate)
                _messages.PutBack(taken, now);
            throw;
        }

        lock (_gate)
            _messages.Handled(taken);
        return Task.FromResult(new ProcessOutcome(taken.Count));
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private void Start(StartSubmission start, DateTimeOffset now)
    {
        var record = start.Decision.Instance!;
        if (record.BusinessKey is { } key && !_businessKeys.TryAdd(key, record.Id))
        {
            var existing = _instances[_businessKeys[key]].Record;
            start.Existing = new ExistingInstance(existing.Id, existing.Definition);
            return;
        }

        Apply(start.Decision, now);
    }

    private PublishOutcome Publish(SignalSubmission submission, DateTimeOffset now)
    {
        var signal = submission.Signal;
        if (submission.BusinessKey is { } key)
        {
            if (!_businessKeys.TryGetValue(key, out var id))
                return PublishOutcome.UnknownInstance;
            signal = signal with { InstanceId = id };
        }

        if (!_instances.TryGetValue(signal.InstanceId, out var instance))
            return PublishOutcome.UnknownInstance;

        // The key first: the signal that is repeated may itself have closed the instance.
        if (submission.DedupKey is { } repeated && instance.DedupKeys?.Contains(repeated) == true)
            return PublishOutcome.Duplicate;
        if (instance.Record.Status.IsClosed())
            return PublishOutcome.InstanceClosed;
        if (submission.DedupKey is { } dedupKey)
            instance.AddKey(dedupKey);
        Send(signal, now);
        return PublishOutcome.Accepted;
    }

    /// <param name="batch">What was claimed.</param>
    /// <param name="held">Its instances, and then the parents that are held as well.</param>
    /// <param name="decisions">Of all of them.</param>
    private ProcessOutcome Commit(ClaimedBatch batch, List<InMemoryInstance> held, IReadOnlyList<Decision> decisions)
    {
        for (var i = 0; i < held.Count; i++)
        {
            if (decisions[i].Instance is not null && decisions[i].ExpectedVersion != held[i].Record.Version)
            {
                Release(held);
                return new ProcessOutcome(0, Conflict: true);
            }
        }

        var now = _time.GetUtcNow();
        var signals = 0;
        for (var i = 0; i < held.Count; i++)
        {
            if (i < batch.Instances.Count)
            {
                var claimed = batch.Instances[i].Signals;
                signals += claimed.Count;
                held[i].Remove(claimed);
            }

            Apply(decisions[i], now);
        }

        Release(held);
        return new ProcessOutcome(signals);
    }

    private void Release(List<InMemoryInstance> held)
    {
        var now = _time.GetUtcNow();
        foreach (var instance in held)
        {
            instance.Claimed = false;
            if (instance.HasDue(now))
                MakeReady(instance);
        }
    }

    private void Apply(Decision decision, DateTimeOffset now)
    {
        if (decision.Instance is { } record)
            Write(record, now);
        foreach (var started in Items(decision.Started))
            Write(started, now);
        if (decision.Withdrawn is { } withdrawn && decision.Instance is { } owner)
            _instances[owner.Id].Remove(withdrawn);
        foreach (var signal in Items(decision.Sent))
            Send(signal, now);
        foreach (var letter in Items(decision.DeadLetters))
            _deadLetters.Add(letter with { DeadAt = now });
        foreach (var continuation in Items(decision.Continued))
            CopyKeys(continuation);
    }

    private void CopyKeys(Continuation continuation)
    {
        if (!_instances.TryGetValue(continuation.From, out var from) || !_instances.TryGetValue(continuation.To, out var to))
            return;
        foreach (var key in from.DedupKeys ?? [])
            to.AddKey(key);
    }

    /// <summary>The items of a list that a decision makes only when it needs one; a span, so that no enumerator is allocated.</summary>
    private static ReadOnlySpan<T> Items<T>(List<T>? list) => CollectionsMarshal.AsSpan(list);

    private void Write(InstanceRecord record, DateTimeOffset now)
    {
        if (_instances.TryGetValue(record.Id, out var instance))
            instance.Write(record, now);
        else
            _instances.Add(record.Id, new InMemoryInstance(record, now));
    }

    private void Send(Signal signal, DateTimeOffset now)
    {
        if (!_instances.TryGetValue(signal.InstanceId, out var instance))
            return;
        var due = signal.Due.Resolve(now);
        instance.Add(signal with { Due = Due.AtTime(due) });
        if (due <= now)
            MakeReady(instance);
        else
            _later.Enqueue(instance, due);
    }

    private void MakeReady(InMemoryInstance instance)
    {
        if (instance.Queued || instance.Claimed)
            return;
        instance.Queued = true;
        _ready.Enqueue(instance);
    }

    private void WakeDue(DateTimeOffset now)
    {
        while (_later.TryPeek(out var instance, out var due) && due <= now)
        {
            _later.Dequeue();
            MakeReady(instance);
        }
    }

    /// <summary>Leaves out what was withdrawn or prolonged since it was noted.</summary>
    private DateTimeOffset? NextDue()
    {
        while (_later.TryPeek(out var instance, out var due))
        {
            if (instance.Signals.Exists(signal => signal.Due.At == due))
                return due;
            _later.Dequeue();
        }

        return null;
    }

    private bool HasOpenParent(InstanceRecord record) =>
        record.ParentId is { } id && _instances.TryGetValue(id, out var parent) && !parent.Record.Status.IsClosed();

    private static bool IsStuck(InMemoryInstance instance, HashSet<Guid?> awaitedChildren)
    {
        var record = instance.Record;
        return !record.Status.IsClosed()
            && (record.Waits & WaitKinds.External) == 0
            && instance.Signals.Count == 0
            && !((record.Waits & WaitKinds.Child) != 0 && awaitedChildren.Contains(record.Id));
    }
}
