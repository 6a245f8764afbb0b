namespace Serdica.Perf.Workflows;

/// <summary>Claims due signals and has their instances decided, within a time limit.</summary>
internal sealed class SignalWorker : IWorker
{
    private readonly IWorkflowBackend _backend;
    private readonly Func<BatchDecider> _createDecider;
    private readonly ActivityRunner _activities;
    private readonly HostMemory _memory;
    private readonly WorkflowClient _client;
    private readonly WorkflowOptions _options;
    private readonly CounterSet _counters;
    private readonly TimeProvider _time;
    private readonly ITimer _limit;
    private readonly bool _decidesInPlace;
    private CancellationTokenSource _abandoned = new();
    private BatchDecider _decider;
    private TimedDecision? _deciding;
    private bool _tookActivities;

    /// <summary>The thread that is inside of a call of the backend, which must come back; 0 when none is.</summary>
    private int _callingThread;
    private int _signals;

    public SignalWorker(
        IWorkflowBackend backend,
        Func<BatchDecider> createDecider,
        ActivityRunner activities,
        HostMemory memory,
        WorkflowClient client,
        WorkflowOptions options,
        CounterSet counters,
        TimeProvider time)
    {
        _backend = backend;
        _createDecider = createDecider;
        _activities = activities;
        _memory = memory;
        _client = client;
        _options = options;
        _counters = counters;
        _time = time;
        _decider = createDecider();
        _decidesInPlace = backend.Capabilities.UndoesAbandonedClaims;

        // It ticks for itself, so that a batch pays nothing for its limit.
        var tick = options.DecideTimeout / 8;
        _limit = time.CreateTimer(_ => CheckLimit(), null, tick, tick);
    }

    /// <inheritdoc/>
    public bool WantsMore { get; private set; }

    public async Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken)
    {
        var request = NextRequest();
        var outcome = await ProcessAsync(request, cancellationToken).ConfigureAwait(false);
        _signals = outcome.Signals;
        if (_tookActivities && !outcome.Conflict && outcome.Signals < request.MaxSignals && !_decider.FoundNoPlace)
            _activities.IsCrowded = false;
        if (request.FullPoll && outcome is { Signals: 0, Conflict: false })
            _memory.Isolation.ForgetIdle();
        WantsMore = outcome.Signals >= request.MaxSignals || (_activities.IsCrowded && _activities.FreePlaces > 0);
        return outcome;
    }

    public void Committed()
    {
        Telemetry.Handled.Add(_signals);
        Telemetry.ClaimBatch.Record(_signals);
        _decider.Committed(_client.Closed, _client.Hints, _counters);
    }

    /// <inheritdoc/>
    public bool Failed(Exception error)
    {
        var isAbandoned = _deciding?.IsAbandoned == true;
        var knowsMore = error is not WorkflowBackendException { IsTransient: true } && _decider.Failed(error, isAbandoned, _counters);
        if (isAbandoned)
        {
            _decider = _createDecider();
            _abandoned = new CancellationTokenSource();
        }

        _deciding = null;
        return knowsMore;
    }

    public void Forget() => _decider.Forget();

    public void Dispose() => _limit.Dispose();

    /// <summary>
    /// A host whose places are taken leaves activities where they are. When places become free it takes as many signals as
    /// there are places, in turns with claims of everything else: so none has to be put back.
    /// </summary>
    private ClaimRequest NextRequest()
    {
        var request = new ClaimRequest(_options.ClaimBatch)
        {
            Unknown = _memory.Unknown.All,
            FullPoll = _memory.Isolation.NeedsFullPoll,
            Abandoned = _abandoned.Token,
        };
        if (_activities.FreePlaces == 0)
            _activities.IsCrowded = true;
        if (!_activities.IsCrowded)
        {
            _tookActivities = false;
            return request;
        }

        var places = _activities.FreePlaces;
        _tookActivities = places > 0 && !_tookActivities;
        return _tookActivities
            ? request with { MaxSignals = Math.Min(places, _options.ClaimBatch), FullPoll = true }
            : request with { SkipActivities = true };
    }

    private async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, CancellationToken cancellationToken)
    {
        try
        {
            _callingThread = Environment.CurrentManagedThreadId;
            var processing = _backend.ProcessAsync(request, DecideAsync, cancellationToken);
            _callingThread = 0;
            return await (_decidesInPlace ? UnlessAbandonedAsync(processing) : processing).ConfigureAwait(false);
        }
        catch (WorkflowBackendException e) when (!e.NothingWritten)
        {
            // The answer to the commit may be all that was lost.
            _client.Closed.Suspect(_decider.Closing);
            _activities.Suspect(_decider.Leased, _decider.DecidedAt);
            throw;
        }
    }

    /// <summary>Goes on when a handler holds the thread of the claim; the backend has the claim rolled back meanwhile.</summary>
    private async Task<ProcessOutcome> UnlessAbandonedAsync(Task<ProcessOutcome> processing)
    {
        var abandoned = _abandoned.Token;
        try
        {
            return await processing.WaitAsync(abandoned).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_deciding is { IsAbandoned: true } deciding)
        {
            _ = processing.ContinueWith(static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
            await deciding.Decisions.ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Decides on the thread of the claim where the backend can undo the claim without it. Where the claim has not left the
    /// thread of this worker, which must not be held, another one takes over.
    /// </summary>
    private Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch)
    {
        var deciding = new TimedDecision(_decider, batch, _time);
        _deciding = deciding;
        if (_decidesInPlace && _callingThread != Environment.CurrentManagedThreadId)
            deciding.Execute();
        else
            ThreadPool.UnsafeQueueUserWorkItem(deciding, preferLocal: true);
        return deciding.Decisions;
    }

    private void CheckLimit()
    {
        if (_deciding is { } deciding && deciding.Elapsed >= _options.DecideTimeout && deciding.Abandon(_options.DecideTimeout))
            _ = _abandoned.CancelAsync();
    }
}
