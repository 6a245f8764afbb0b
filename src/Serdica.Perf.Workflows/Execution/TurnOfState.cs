namespace Serdica.Perf.Workflows;

/// <inheritdoc/>
/// <remarks>
/// Signals go through the inbox, in order: each is taken by the step that waits for it, or kept. A handler that
/// throws is undone as a whole (state, notes and everything that it wanted to write) and tried again later; the
/// signals behind it of the same name wait, so that their order stays.
/// </remarks>
internal sealed partial class Turn<TState>(WorkflowDefinition<TState> definition) : Turn
    where TState : class
{
    /// <summary>One that continues itself without ever waiting is a mistake, not a workload.</summary>
    private const int MaxInstancesInARow = 100;

    private readonly WorkflowDefinition<TState> _definition = definition;

    /// <summary>As it was claimed; null where this turn begins it.</summary>
    private InstanceRecord? _stored;

    private int _index = -1;
    private TState? _state;
    private bool _stateIsNewer;
    private byte[] _stateBytes = [];
    private InstanceStatus _status = InstanceStatus.Waiting;
    private string? _error;
    private int _depth;
    private long _begunAt;
    private bool _hasConsumed;

    /// <summary>There was no time for all kept signals.</summary>
    private bool _leftKept;

    public override WorkflowDefinition Definition => _definition;

    /// <summary>Begins with an instance that is stored.</summary>
    public void Begin(TurnEnvironment environment, InstanceRecord stored, DateTimeOffset now)
    {
        Begin(
            environment,
            new StepContext(stored.Id, stored.BusinessKey, now),
            stored.ParentId,
            Progress.Read(stored.Progress),
            runsInline: false
        );
        _stored = stored;
        _stateBytes = stored.State;
        _status = stored.Status;

        // That of an open instance says why another host parked it.
        _error = stored.Status.IsClosed() ? stored.Error : null;
        _index = _definition.IndexOf(stored.Step);
    }

    /// <summary>Begins a new instance.</summary>
    public void Begin(TurnEnvironment environment, NewInstance origin, TState state, bool inline)
    {
        var progress = origin.ContinuedFrom is { } predecessor
            ? Progress.None with { ContinuedFrom = predecessor, ReportsAs = origin.ReportsAs, Inbox = origin.Inbox }
            : Progress.None;
        Begin(environment, new StepContext(origin.Id, origin.BusinessKey, origin.Now), origin.ParentId, progress, inline);
        _state = state ?? throw new WorkflowStateException($"The first state of {_definition} is null; a state must be an object.");
        _depth = origin.Depth;
    }

    public override void Reset()
    {
        base.Reset();
        _stored = null;
        _index = -1;
        _state = null;
        _stateIsNewer = false;
        _stateBytes = [];
        _status = InstanceStatus.Waiting;
        _error = null;
        _depth = 0;
        _begunAt = 0;
        _hasConsumed = false;
        _leftKept = false;
        InlineActivity = null;
    }

    protected override void Recycle() => _definition.Recycle(this);

    /// <summary>Decides the first steps, up to the first wait; stops before an activity that the caller runs inline.</summary>
    public void RunFirstSteps() => Advance(Next.Step);

    /// <summary>The activity that must be run inline before the turn can go on.</summary>
    public IInlineActivity<TState>? InlineActivity { get; private set; }

    public async Task RunInlineActivityAsync(CancellationToken cancellationToken)
    {
        var activity = InlineActivity!;
        InlineActivity = null;
        Advance(await activity.RunInlineAsync(_state!, this, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>The decision of a turn that started an instance. The turn can end after it.</summary>
    public Decision FinishStart()
    {
        Finish(version: 0);
        return TakeDecision();
    }

    public void Handle(List<Signal> signals)
    {
        if (_status.IsClosed())
        {
            foreach (var signal in signals)
                TakeWhenClosed(signal);
            return;
        }

        // What a predecessor kept comes before what came to this instance itself.
        _begunAt = Environment.CallBegan;
        Pump();
        var handled = 0;
        while (handled < signals.Count && (_status.IsClosed() || HasTime()))
        {
            Receive(signals[handled++]);
            Pump();
        }

        if (handled < signals.Count)
            handled = signals.Count - Leave(signals, handled);

        // Kept signals that were handled are a change, even without new ones.
        var version = _stored!.Version;
        Finish(version + Math.Max(1, handled));
        Decision.ExpectedVersion = version;
    }

    /// <summary>Sends signals again for which there was no time, unchanged: the same due time keeps their order.</summary>
    /// <returns>How many it sends.</returns>
    private int Leave(List<Signal> signals, int first)
    {
        // Except those that this turn has withdrawn or has already sent again.
        Left = signals
            .Skip(first)
            .Where(signal => Decision.Withdrawn?.Contains(signal.Id) != true && Decision.Sent?.Exists(sent => sent.Id == signal.Id) != true)
            .ToList();
        Left.ForEach(Decision.Send);
        return Left.Count;
    }

    /// <summary>Whether another handler may be called. The first one always may.</summary>
    private bool HasTime()
    {
        if (!_hasConsumed)
            return true;
        var now = Time.GetTimestamp();
        Environment.CallBegan = now;
        return Time.GetElapsedTime(_begunAt, now) < Environment.TurnLimit;
    }

    public override void StartChild<TChild>(WorkflowDefinition<TChild> definition, Guid id, TChild input) =>
        Adopt(definition, new NewInstance(id, null, Id, null, Context.Now), input);

    public override void ContinueWith<TNext>(WorkflowDefinition<TNext> definition, TNext input)
    {
        var id = NewInstanceId();
        Guid? reportsAs = ParentId is null ? null : Progress.ReportsAs ?? Id;
        var kept = Progress.Inbox?.FindAll(static signal => signal.Kind == SignalKind.External);
        var inbox = kept is { Count: > 0 } ? kept : null;
        Progress = Progress with { ContinuedAs = id, Inbox = null };
        Decision.Continue(Id, id);
        var next = new NewInstance(id, null, ParentId, reportsAs, Context.Now) { Inbox = inbox, ContinuedFrom = Id };
        var continued = Adopt(definition, next, input);

        // One that was continued at once has no keys but this one's.
        continued?.ForEach(later => Decision.Continue(Id, later.To));
    }

    /// <returns>The continuations of the other instance, if it was continued at once.</returns>
    private List<Continuation>? Adopt<TOther>(WorkflowDefinition<TOther> definition, NewInstance origin, TOther input)
        where TOther : class
    {
        if (_depth == MaxInstancesInARow)
            throw new InvalidOperationException(
                $"{_definition}: {MaxInstancesInARow} instances started one another in a row without a wait."
            );

        // The other instance begins within this turn's transaction: nothing of it can run inline.
        var turn = definition.BeginTurn(Environment, origin with { Depth = _depth + 1 }, input, inline: false);
        turn.RunFirstSteps();
        var decision = turn.FinishStart();
        Decision.Start(decision.Instance!);
        decision.Started?.ForEach(Decision.Start);
        decision.Sent?.ForEach(Decision.Send);
        decision.DeadLetters?.ForEach(Decision.Bury);
        if (turn.Leases is { } leases)
            (Leases ??= []).AddRange(leases);
        turn.End();
        return decision.Continued;
    }

    /// <summary>What is left when nothing more happens in this turn.</summary>
    private void Finish(long version)
    {
        KeepState();
        if (_status.IsClosed())
            FinishClosed();
        else
            ScheduleRetry();

        var step = _definition[Math.Max(_index, 0)];
        var waits = _status.IsClosed() ? WaitKinds.None : step.Waits;
        if (!_status.IsClosed())
            _status = (waits & WaitKinds.Activity) != 0 ? InstanceStatus.Running : InstanceStatus.Waiting;
        GiveStateToLeases();
        Decision.Instance = new InstanceRecord
        {
            Id = Id,
            Definition = Definition.Name,
            DefinitionVersion = Definition.Version,
            BusinessKey = Context.BusinessKey,
            ParentId = ParentId,
            Status = _status,
            Waits = waits,
            Step = step.Name,
            Version = version,
            State = _stateBytes,
            Progress = Progress.Write(),
            Error = _error,
            CreatedAt = _stored?.CreatedAt ?? default,
            UpdatedAt = _stored?.UpdatedAt ?? default,
        };
    }

    private void GiveStateToLeases()
    {
        if (Leases is null)
            return;
        foreach (var lease in Leases)
        {
            if (lease.Lease.InstanceId == Id)
                lease.State = _stateBytes;
        }
    }

    /// <summary>Writes the state as JSON, if a handler may have changed it since the last time.</summary>
    private void KeepState()
    {
        if (_state is null || !_stateIsNewer)
            return;
        var bytes = _definition.WriteState(_state);
        if (bytes.Length > Options.MaxStateBytes)
        {
            throw new WorkflowStateException(
                $"The state of {_definition} has {bytes.Length} bytes; the limit is {Options.MaxStateBytes} "
                    + $"(WorkflowOptions.MaxStateBytes)."
            );
        }

        _stateBytes = bytes;
        _stateIsNewer = false;
    }
}
