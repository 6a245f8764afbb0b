namespace Serdica.Perf.Workflows;

/// <summary>Claims due signals and has their instances decided, within a time limit.</summary>
internal sealed class SignalWorker : IWorker
{
    private readonly IWorkflowBackend _backend;
    private readonly TimedDecider _timed;
    private readonly ActivityRunner _activities;
    private readonly HostMemory _memory;
    private readonly WorkflowClient _client;
    private readonly WorkflowOptions _options;
    private readonly CounterSet _counters;
    private readonly TimeProvider _time;
    private readonly DecideBatch? _decideParents;
    private DateTimeOffset _sent;
    private bool _tookActivities;
    private bool _leftSome;
    private int _signals;

    public SignalWorker(
        IWorkflowBackend backend,
        Func<BatchDecider> createDecider,
        ActivityRunner activities,
        HostMemory memory,
        WorkflowClient client,
        WorkflowOptions options,
        CounterSet counters,
        TimeProvider time
    )
    {
        _backend = backend;
        _activities = activities;
        _memory = memory;
        _client = client;
        _options = options;
        _counters = counters;
        _time = time;
        _timed = new TimedDecider(createDecider, backend.Capabilities, options, counters, time);
        if (options.DirectSignals && backend.Capabilities.DecidesDirectly)
            _decideParents = _timed.DecideParentsAsync;
    }

    public bool WantsMore { get; private set; }

    public int SignalsPutBack => Decider.SignalsPutBack;

    public TimeSpan LongestWait { get; private set; }

    public bool LeavesWork { get; private set; }

    private BatchDecider Decider => _timed.Decider;

    public async Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken)
    {
        var request = NextRequest();
        var outcome = await ProcessAsync(request, cancellationToken).ConfigureAwait(false);
        _signals = outcome.Signals;
        if (_signals == 0)
            Decider.Forget();
        if (_tookActivities && !outcome.Conflict && outcome.Signals < request.MaxSignals && !Decider.FoundNoPlace)
            _activities.IsCrowded = false;
        if (request.FullPoll && !outcome.Conflict)
            _memory.Isolation.ForgetIdle();
        if (!outcome.Conflict)
            _leftSome = Decider.LeftSome;
        var leftOthers = request.OneInstance && outcome is { Signals: > 0, NextDue.Ticks: 0 };
        LeavesWork =
            request.SkipActivities
            || (_backend.Capabilities.FiltersDefinitions && request.Unknown.Count > 0)
            || (_signals > 0 && SignalsPutBack > 0);
        WantsMore =
            outcome.Signals >= request.MaxSignals
            || leftOthers
            || _leftSome
            || (_activities.IsCrowded && _activities.FreePlaces > 0);
        return outcome;
    }

    public void Committed()
    {
        Telemetry.Handled.Add(_signals - SignalsPutBack);
        Telemetry.ClaimBatch.Record(_signals);
        Decider.Committed(_client.Closed, _client.Hints, _counters);
    }

    public bool Failed(Exception error) => _timed.Failed(error);

    public void Forget() => Decider.Forget();

    public void Dispose() => _timed.Dispose();

    /// <summary>
    /// A host whose places are taken leaves activities where they are. When places become free it takes as many signals as
    /// there are places, in turns with claims of everything else: so none has to be put back.
    /// </summary>
    private ClaimRequest NextRequest()
    {
        var request = new ClaimRequest(_options.ClaimBatch)
        {
            Unknown = _memory.Unknown.All,
            FullPoll = _leftSome || _memory.Isolation.NeedsFullPoll,
            Abandoned = _timed.Abandoned,
            DecideParents = _decideParents,
            OneInstance = _backend.Capabilities.OneByOne,
            OnePart = _backend.Capabilities.Parts > 1,
            MayPutOff = true,
        };
        if (_activities.FreePlaces == 0)
            _activities.IsCrowded = true;
        if (!_activities.IsCrowded)
        {
            _tookActivities = false;
            return request;
        }

        var places = _tookActivities ? 0 : _activities.ReserveUpTo(_options.ClaimBatch);
        Decider.Hold(places);
        _tookActivities = places > 0;
        return _tookActivities ? request with { MaxSignals = places, FullPoll = true } : request with { SkipActivities = true };
    }

    private async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, CancellationToken cancellationToken)
    {
        _sent = _time.GetUtcNow();
        try
        {
            return await _timed.RunAsync(() => _backend.ProcessAsync(request, DecideAsync, cancellationToken)).ConfigureAwait(false);
        }
        catch (WorkflowBackendException e) when (!e.NothingWritten)
        {
            // The answer to the commit may be all that was lost.
            _activities.Suspect(Decider.Leased, Decider.DecidedAt);
            throw;
        }
    }

    private Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch)
    {
        _memory.Clock.Add(_sent, batch.Now);
        LongestWait = batch.Now - batch.Instances.Min(claimed => claimed.Signals[0].Due.Resolve(batch.Now));
        return _timed.DecideAsync(batch);
    }
}
