namespace Serdica.Perf.Workflows;

/// <summary>
/// Starts, signals, cancels and reads instances. Thread-safe; one for each process and backend is enough, since
/// concurrent calls share their commits. A call returns when what it did is durable.
/// </summary>
public sealed class WorkflowClient : IAsyncDisposable
{
    private readonly IWorkflowBackend _backend;
    private readonly WorkflowRegistry _registry;
    private readonly TurnEnvironment _environment;
    private readonly GroupCommit<Submission>[] _submissions;
    private readonly WorkHints _hints;
    private readonly ClosedReads _reads;
    private readonly Func<Submission, ValueTask<PublishOutcome>> _answerAndFollow;
    private volatile DirectCommits? _direct;

    /// <exception cref="ArgumentException">An option makes no sense.</exception>
    public WorkflowClient(IWorkflowBackend backend, WorkflowRegistry registry, WorkflowOptions? options = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(backend);
        ArgumentNullException.ThrowIfNull(registry);
        options ??= new WorkflowOptions();
        options.Validate();
        options = options.On(backend.Capabilities);
        _backend = backend;
        _registry = registry;
        _environment = new TurnEnvironment(options, time ?? TimeProvider.System) { Registry = registry };
        _hints = new WorkHints(backend, _environment.Time);
        _submissions =
        [
            .. Enumerable
                .Range(0, backend.Capabilities.Parts)
                .Select(_ => new GroupCommit<Submission>(
                    SubmitAsync,
                    Announce,
                    static submission => submission.Size,
                    submission => submission.Slot / backend.Capabilities.Parts,
                    _environment.Time,
                    options
                )),
        ];
        _reads = new ClosedReads(backend);
        Closed = new ClosedInstances(backend, options.MaxPollInterval, _environment.Time);
        _answerAndFollow = AnswerAndFollow;
    }

    /// <summary>Whose activities report through this client until they have ended.</summary>
    internal WorkflowHost? Host { get; init; }

    internal ClosedInstances Closed { get; }

    internal WorkHints Hints => _hints;

    /// <summary>
    /// Starts an instance of the newest version of <paramref name="definition"/>. Its first steps, up to the first
    /// wait, are decided here; an exception of theirs comes out of this call, and nothing is stored.
    /// </summary>
    /// <param name="definition">Name of a registered definition.</param>
    /// <param name="state">The first state.</param>
    /// <param name="businessKey">
    /// Starting twice with one key gives the same instance; a repeat after an error is safe with it.
    /// </param>
    /// <param name="cancellationToken">Honoured until the instance is handed to the database.</param>
    /// <exception cref="UnknownDefinitionException">The name is not registered, or has another state type.</exception>
    /// <exception cref="BusinessKeyConflictException">An instance of another definition has the key.</exception>
    /// <exception cref="WorkflowStateException">The state cannot be written, or is over the limit.</exception>
    /// <exception cref="WorkflowBackendException">The database failed.</exception>
    public Task<StartedInstance> StartAsync<TState>(
        string definition,
        TState state,
        string? businessKey = null,
        CancellationToken cancellationToken = default
    )
        where TState : class => StartAsync(_registry.Newest<TState>(definition), state, businessKey, cancellationToken);

    /// <inheritdoc cref="StartAsync{TState}(string, TState, string?, CancellationToken)"/>
    public Task<StartedInstance> StartAsync<TState>(
        WorkflowDefinition<TState> definition,
        TState state,
        string? businessKey = null,
        CancellationToken cancellationToken = default
    )
        where TState : class
    {
        ArgumentNullException.ThrowIfNull(definition);
        ArgumentNullException.ThrowIfNull(state);
        if (businessKey is not null)
            Names.Check(businessKey, "business key");
        if (!_registry.TryFind(definition.Name, definition.Version, out _))
            throw new UnknownDefinitionException($"Definition {definition} is not registered with this client.");

        return Telemetry.Source.HasListeners()
            ? StartTracedAsync(definition, state, businessKey, cancellationToken)
            : BeginAsync(definition, state, businessKey, cancellationToken);
    }

    /// <summary>Publishes a signal to an instance. It is handled in order of publication, or kept for its wait.</summary>
    /// <param name="instanceId">The instance.</param>
    /// <param name="signal">Name of the signal.</param>
    /// <param name="payload">Written as JSON.</param>
    /// <param name="options">Delay and dedup key.</param>
    /// <param name="cancellationToken">Honoured until the signal is handed to the database.</param>
    /// <returns>Whether it was accepted, and if not why.</returns>
    /// <exception cref="PayloadTooLargeException">The payload is over the limit.</exception>
    /// <exception cref="WorkflowBackendException">The database failed.</exception>
    public Task<PublishOutcome> SignalAsync<TPayload>(
        Guid instanceId,
        string signal,
        TPayload payload,
        PublishOptions? options = null,
        CancellationToken cancellationToken = default
    ) => PublishAsync(instanceId, null, signal, Write(payload), options, cancellationToken);

    /// <summary>Publishes a signal to the instance with a business key.</summary>
    /// <inheritdoc cref="SignalAsync{TPayload}(Guid, string, TPayload, PublishOptions?, CancellationToken)"/>
    public Task<PublishOutcome> SignalByKeyAsync<TPayload>(
        string businessKey,
        string signal,
        TPayload payload,
        PublishOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        Names.Check(businessKey, "business key");
        return PublishAsync(Guid.Empty, businessKey, signal, Write(payload), options, cancellationToken);
    }

    /// <summary>Publishes a signal whose payload is JSON already.</summary>
    /// <inheritdoc cref="SignalAsync{TPayload}(Guid, string, TPayload, PublishOptions?, CancellationToken)"/>
    public Task<PublishOutcome> SignalJsonAsync(
        Guid instanceId,
        string signal,
        byte[] json,
        PublishOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(json);
        return PublishAsync(instanceId, null, signal, json, options, cancellationToken);
    }

    /// <summary>Asks for the cancellation of an instance and of its children; it happens in the instance's next turn.</summary>
    public Task<PublishOutcome> CancelAsync(Guid instanceId, string reason, CancellationToken cancellationToken = default) =>
        CancelAsync(instanceId, null, reason, null, cancellationToken);

    /// <inheritdoc cref="CancelAsync(Guid, string, CancellationToken)"/>
    /// <param name="instanceId">The instance.</param>
    /// <param name="reason">Kept as the error of the instance.</param>
    /// <param name="options">Delay and dedup key; the key is shared with the signals of the instance.</param>
    /// <param name="cancellationToken">Honoured until the signal is handed to the database.</param>
    public Task<PublishOutcome> CancelAsync(
        Guid instanceId,
        string reason,
        PublishOptions options,
        CancellationToken cancellationToken = default
    ) => CancelAsync(instanceId, null, reason, options, cancellationToken);

    /// <summary>Asks for the cancellation of the instance with a business key, and of its children.</summary>
    /// <inheritdoc cref="CancelAsync(Guid, string, PublishOptions, CancellationToken)"/>
    public Task<PublishOutcome> CancelByKeyAsync(
        string businessKey,
        string reason,
        PublishOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        Names.Check(businessKey, "business key");
        return CancelAsync(Guid.Empty, businessKey, reason, options, cancellationToken);
    }

    /// <summary>Reads an instance; <see langword="null"/> when there is none.</summary>
    /// <exception cref="UnknownDefinitionException">Its definition is not registered, or has another state type.</exception>
    public async Task<WorkflowInstance<TState>?> GetAsync<TState>(Guid instanceId, CancellationToken cancellationToken = default)
        where TState : class => Read<TState>(await _backend.FindAsync(instanceId, cancellationToken).ConfigureAwait(false));

    /// <inheritdoc cref="GetAsync{TState}(Guid, CancellationToken)"/>
    public async Task<WorkflowInstance<TState>?> GetByKeyAsync<TState>(string businessKey, CancellationToken cancellationToken = default)
        where TState : class => Read<TState>(await _backend.FindByKeyAsync(businessKey, cancellationToken).ConfigureAwait(false));

    /// <summary>
    /// A task that completes when the instance has closed: at once when a host of this process closed it, and soon after when
    /// another process did: without a hint, within two intervals of <see cref="WorkflowOptions.MaxPollInterval"/>, or within ten times
    /// what the look for all watched instances takes, if that is longer. It fails with <see cref="ObjectDisposedException"/> when the
    /// client is disposed of before. <see cref="StopWatching"/> when it is no longer of interest.
    /// </summary>
    public Task<ClosedInstance> WatchClose(Guid instanceId) => Closed.Begin(instanceId);

    /// <summary>Takes one call of <see cref="WatchClose"/> back, and so once only.</summary>
    /// <param name="instanceId">The instance.</param>
    /// <param name="watch">What <see cref="WatchClose"/> returned: callers who began later have another one.</param>
    public void StopWatching(Guid instanceId, Task<ClosedInstance> watch) => Closed.Forget(instanceId, watch);

    /// <summary>Waits until an instance is closed, by whatever host. While the database cannot be read it goes on waiting.</summary>
    /// <exception cref="KeyNotFoundException">There is no such instance.</exception>
    /// <exception cref="WorkflowBackendException">The database failed for a reason that does not pass by itself.</exception>
    public async Task<InstanceRecord> WaitForCloseAsync(Guid instanceId, CancellationToken cancellationToken = default)
    {
        var closed = Closed.Begin(instanceId);
        try
        {
            var pause = FromMilliseconds(20);
            while (true)
            {
                var (isRead, wasTold) = (true, closed.IsCompleted);
                try
                {
                    var record = await _reads.ReadAsync(instanceId, cancellationToken).ConfigureAwait(false)
                        ?? await _backend.FindAsync(instanceId, cancellationToken).ConfigureAwait(false)
                        ?? throw new KeyNotFoundException($"There is no instance {instanceId}.");
                    if (record.Status.IsClosed())
                        return record;
                }
                catch (WorkflowBackendException e) when (e.IsTransient)
                {
                    isRead = false;
                }

                // A close is reported; an instance that was purged meanwhile is found by polling. After a failed read, poll again
                // later, and so after a report of what the database has lost since.
                var delay = Task.Delay(pause, _environment.Time, cancellationToken);
                await (isRead && !wasTold ? Task.WhenAny(closed, delay) : delay).ConfigureAwait(false);
                if (closed.IsFaulted)
                    await closed.ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
                pause = FromSeconds(Math.Min(pause.TotalSeconds * 2, 1));
            }
        }
        finally
        {
            Closed.Forget(instanceId, closed);
        }
    }

    /// <summary>Counts instances, signals and dead letters as they stand in the database now.</summary>
    public Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken = default) =>
        _backend.TakeCensusAsync(cancellationToken);

    /// <summary>Lists dead letters, oldest first.</summary>
    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(int limit = 100, CancellationToken cancellationToken = default) =>
        ListDeadLettersAsync(new DeadLetterQuery { Limit = limit }, cancellationToken);

    /// <summary>Lists a page of the dead letters that are asked for, oldest first.</summary>
    /// <exception cref="ArgumentException">The limit is below 1.</exception>
    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        if (query.Limit < 1)
            throw new ArgumentException($"DeadLetterQuery.Limit is {query.Limit}; it must be at least 1.");
        return _backend.ListDeadLettersAsync(query, cancellationToken);
    }

    /// <summary>Makes dead letters of open instances due again; returns how many.</summary>
    public async Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken = default)
    {
        var count = await _backend.RequeueDeadLettersAsync(signalIds, cancellationToken).ConfigureAwait(false);
        if (count > 0)
            _hints.WorkAdded();
        return count;
    }

    /// <summary>Deletes instances that closed longer than <paramref name="age"/> ago; returns how many.</summary>
    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken = default) =>
        _backend.PurgeAsync(Delays.Cut(age), cancellationToken);

    /// <summary>Refuses new calls and waits until those under way are durable. The client of a host stops the host first.</summary>
    public ValueTask DisposeAsync() => Host is null ? EndAsync() : Host.DisposeAsync();

    internal async ValueTask EndAsync()
    {
        foreach (var part in _submissions)
            await part.DisposeAsync().ConfigureAwait(false);
        await _hints.DisposeAsync().ConfigureAwait(false);
        await Closed.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>From now on signals are decided by the host of this client, in the commit that would otherwise store them.</summary>
    internal void DecideBy(DirectCommits direct) => _direct = direct;

    /// <summary>Publishes a signal that is for this very instance, and for no continuation of it.</summary>
    internal Task<PublishOutcome> PublishAsync(SignalSubmission submission, CancellationToken cancellationToken) =>
        PublishAsync(submission, AnswerPublish, cancellationToken);

    private Task<PublishOutcome> PublishAsync(
        SignalSubmission submission,
        Func<Submission, ValueTask<PublishOutcome>> answer,
        CancellationToken cancellationToken
    ) =>
        Telemetry.Source.HasListeners()
            ? PublishTracedAsync(submission, answer, cancellationToken)
            : PartOf(submission).CommitAsync(submission, answer, cancellationToken);

    private async Task<StartedInstance> StartTracedAsync<TState>(
        WorkflowDefinition<TState> definition,
        TState state,
        string? businessKey,
        CancellationToken cancellationToken
    )
        where TState : class
    {
        using var span = new QuietSpan("workflow.start", "workflow.definition", definition.Name);
        return await BeginAsync(definition, state, businessKey, cancellationToken).ConfigureAwait(false);
    }

    private async Task<PublishOutcome> PublishTracedAsync(
        SignalSubmission submission,
        Func<Submission, ValueTask<PublishOutcome>> answer,
        CancellationToken cancellationToken
    )
    {
        using var span = new QuietSpan("workflow.signal", "workflow.signal", submission.Signal.Name);
        return await PartOf(submission).CommitAsync(submission, answer, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Decides the first steps on the caller's stack. What they throw is in the task, as if this were asynchronous.</summary>
    private Task<StartedInstance> BeginAsync<TState>(
        WorkflowDefinition<TState> definition,
        TState state,
        string? businessKey,
        CancellationToken cancellationToken
    )
        where TState : class
    {
        // Before the first steps: an activity among them may run inline.
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<StartedInstance>(cancellationToken);
        if (definition.HasActivities && _direct is { } direct)
            return BeginLeasingAsync(direct.PlacesOf(_environment), definition, state, businessKey, cancellationToken);
        try
        {
            var turn = DecideFirstSteps(_environment, definition, state, businessKey);
            return turn.InlineActivity is null ? SubmitAsync(turn, cancellationToken) : RunInlineAsync(turn, cancellationToken);
        }
        catch (Exception e)
        {
            return Task.FromException<StartedInstance>(e);
        }
    }

    private Turn<TState> DecideFirstSteps<TState>(
        TurnEnvironment environment,
        WorkflowDefinition<TState> definition,
        TState state,
        string? businessKey
    )
        where TState : class
    {
        var origin = new NewInstance(environment.NewId(businessKey), businessKey, null, null, environment.Time.GetUtcNow());
        var turn = definition.BeginTurn(environment, origin, state, inline: true);
        turn.RunFirstSteps();
        return turn;
    }

    /// <summary>The start by a host's client: activities among the first steps are leased to the host in the commit of the start.</summary>
    private async Task<StartedInstance> BeginLeasingAsync<TState>(
        StartPlaces places,
        WorkflowDefinition<TState> definition,
        TState state,
        string? businessKey,
        CancellationToken cancellationToken
    )
        where TState : class
    {
        try
        {
            var turn = DecideFirstSteps(places.Environment, definition, state, businessKey);
            while (turn.InlineActivity is not null)
                await turn.RunInlineActivityAsync(cancellationToken).ConfigureAwait(false);
            var decision = turn.FinishStart();
            places.Decided(turn.Leases);
            turn.End();
            var start = new StartSubmission(decision) { Places = places };
            var started = await PartOf(start).CommitAsync(start, AnswerStart, cancellationToken).ConfigureAwait(false);
            places.Committed(started.IsNew);
            return started;
        }
        catch (Exception e)
        {
            places.Failed(e);
            throw;
        }
    }

    private async Task<StartedInstance> RunInlineAsync<TState>(Turn<TState> turn, CancellationToken cancellationToken)
        where TState : class
    {
        while (turn.InlineActivity is not null)
            await turn.RunInlineActivityAsync(cancellationToken).ConfigureAwait(false);
        return await SubmitAsync(turn, cancellationToken).ConfigureAwait(false);
    }

    private Task<StartedInstance> SubmitAsync<TState>(Turn<TState> turn, CancellationToken cancellationToken)
        where TState : class
    {
        var decision = turn.FinishStart();
        turn.End();
        var start = new StartSubmission(decision);
        return PartOf(start).CommitAsync(start, AnswerStart, cancellationToken);
    }

    private GroupCommit<Submission> PartOf(Submission submission) =>
        _submissions.Length == 1 ? _submissions[0] : _submissions[submission.Slot % _submissions.Length];

    private static ValueTask<StartedInstance> AnswerStart(Submission submission)
    {
        if (submission.Failure is { } failure)
            throw failure;
        Telemetry.Started.Add(1);
        var start = (StartSubmission)submission;
        var wanted = start.Decision.Instance!;
        if (start.Existing is not { } existing)
            return new ValueTask<StartedInstance>(new StartedInstance(wanted.Id, true));
        if (existing.Definition != wanted.Definition)
            throw new BusinessKeyConflictException(wanted.BusinessKey!, wanted.Definition, existing);
        return new ValueTask<StartedInstance>(new StartedInstance(existing.Id, false));
    }

    private static ValueTask<PublishOutcome> AnswerPublish(Submission submission)
    {
        if (submission.Failure is { } failure)
            throw failure;
        Telemetry.Published.Add(1);
        return new ValueTask<PublishOutcome>(((SignalSubmission)submission).Outcome);
    }

    private ValueTask<PublishOutcome> AnswerAndFollow(Submission submission) =>
        submission is SignalSubmission { Failure: null, Outcome: PublishOutcome.InstanceClosed } closed
            ? new ValueTask<PublishOutcome>(FollowAsync(closed))
            : AnswerPublish(submission);

    private Task<PublishOutcome> PublishAsync(
        Guid instanceId,
        string? businessKey,
        string signal,
        byte[] payload,
        PublishOptions? options,
        CancellationToken cancellationToken
    )
    {
        Names.Check(signal, "signal name");
        if (payload.Length > _environment.Options.MaxPayloadBytes)
            throw new PayloadTooLargeException($"signal '{signal}'", payload.Length, _environment.Options.MaxPayloadBytes);

        var external = new Signal
        {
            Id = _environment.NewId(),
            InstanceId = instanceId,
            Kind = SignalKind.External,
            Name = signal,
            Payload = payload,
        };
        return PublishAsync(external, businessKey, options, cancellationToken);
    }

    private Task<PublishOutcome> CancelAsync(
        Guid instanceId,
        string? businessKey,
        string reason,
        PublishOptions? options,
        CancellationToken cancellationToken
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return PublishAsync(CancelReason.Signal(_environment.NewId(), instanceId, reason), businessKey, options, cancellationToken);
    }

    private Task<PublishOutcome> PublishAsync(
        Signal signal,
        string? businessKey,
        PublishOptions? options,
        CancellationToken cancellationToken
    )
    {
        if (options is null)
            return PublishAsync(new SignalSubmission(signal, businessKey), _answerAndFollow, cancellationToken);
        if (options.DedupKey is { } key)
            Names.Check(key, "dedup key");
        Delays.Check(options.Delay, $"signal '{signal.Name}'");
        var due = signal with { Due = Due.After(options.Delay) };
        return PublishAsync(new SignalSubmission(due, businessKey, options.DedupKey), _answerAndFollow, cancellationToken);
    }

    /// <summary>A signal to an instance that has been continued goes to the continuation.</summary>
    private async Task<PublishOutcome> FollowAsync(SignalSubmission closed)
    {
        if (await FindContinuationAsync(closed).ConfigureAwait(false) is not { } continuation)
            return await AnswerPublish(closed).ConfigureAwait(false);
        var signal = closed.Signal with { InstanceId = continuation };
        return await PublishAsync(new SignalSubmission(signal, dedupKey: closed.DedupKey), _answerAndFollow, CancellationToken.None)
            .ConfigureAwait(false);
    }

    private async Task<Guid?> FindContinuationAsync(SignalSubmission submission)
    {
        var record = submission.BusinessKey is { } key
            ? await _backend.FindByKeyAsync(key, CancellationToken.None).ConfigureAwait(false)
            : await _backend.FindAsync(submission.Signal.InstanceId, CancellationToken.None).ConfigureAwait(false);
        return Progress.Read(record?.Progress).ContinuedAs;
    }

    private Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        _direct?.SubmitAsync(batch, cancellationToken) ?? _backend.SubmitAsync(batch, cancellationToken);

    private void Announce(IReadOnlyList<Submission> batch, TimeSpan age)
    {
        Telemetry.SubmitBatch.Record(batch.Count);

        var workAdded = false;
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch[i] is SignalSubmission { Outcome: PublishOutcome.Accepted, IsDecided: false } submission)
                workAdded |= _hints.Arm(submission.Signal.Due, age);
            else if (batch[i] is StartSubmission { Decision.Sent: { } sent })
            {
                foreach (var signal in sent)
                    workAdded |= _hints.Arm(signal.Due, age);
            }
        }

        if (workAdded)
            _hints.WorkAdded();
    }

    private WorkflowInstance<TState>? Read<TState>(InstanceRecord? record)
        where TState : class
    {
        if (record is null)
            return null;
        if (!_registry.TryFind(record.Definition, record.DefinitionVersion, out var definition))
            throw new UnknownDefinitionException(
                $"Instance {record.Id} is of '{record.Definition}' v{record.DefinitionVersion}, which is not registered with this client."
            );
        if (definition is not WorkflowDefinition<TState> typed)
            throw new UnknownDefinitionException($"The state of {definition} is not a {typeof(TState).Name}.");
        return new WorkflowInstance<TState>(record, typed.ReadState(record.State), Progress.Read(record.Progress).ContinuedAs);
    }

    private static byte[] Write<TPayload>(TPayload payload) => JsonSerializer.SerializeToUtf8Bytes(payload, WorkflowJson.Options);
}
