namespace Serdica.Perf.Workflows;

/// <inheritdoc/>
/// <remarks>
/// Signals go through the inbox, in order: each is taken by the step that waits for it, or kept. A handler that
/// throws is undone as a whole (state, notes and everything that it wanted to write) and tried again later; the
/// signals behind it of the same name wait, so that their order stays.
/// </remarks>
internal sealed class Turn<TState> : Turn
    where TState : class
{
    /// <summary>A definition that goes round without ever waiting is a mistake, not a workload.</summary>
    private const int MaxStepsInARow = 10_000;

    private readonly WorkflowDefinition<TState> _definition;
    private int _index;
    private TState? _state;
    private bool _stateIsNewer;
    private byte[] _stateBytes;
    private InstanceStatus _status;
    private string? _error;

    public Turn(
        WorkflowDefinition<TState> definition, TurnEnvironment environment, InstanceRecord instance, DateTimeOffset now)
        : base(definition, environment, instance, now)
    {
        _definition = definition;
        _stateBytes = instance.State;
        _status = instance.Status;
        _error = instance.Error;
        _index = instance.Version < 0 ? -1 : definition.IndexOf(instance.Step);
    }

    /// <summary>Decides the first steps of a new instance, up to its first wait.</summary>
    public static Turn<TState> Begin(
        WorkflowDefinition<TState> definition, TurnEnvironment environment, NewInstance origin, TState state, bool inline)
    {
        var instance = new InstanceRecord
        {
            Id = origin.Id,
            Definition = definition.Name,
            DefinitionVersion = definition.Version,
            BusinessKey = origin.BusinessKey,
            ParentId = origin.ParentId,
            Status = InstanceStatus.Waiting,
            Step = "",
            Version = -1,
            State = [],
        };
        var turn = new Turn<TState>(definition, environment, instance, origin.Now)
        {
            RunsInline = inline,
            _state = state,
        };
        turn.Progress = turn.Progress with { ReportsAs = origin.ReportsAs };
        return turn;
    }

    /// <summary>Runs the first steps; stops before an activity that the caller runs inline.</summary>
    public void RunFirstSteps() => Advance(Next.Step);

    /// <summary>The activity that must be run inline before the turn can go on.</summary>
    public IInlineActivity<TState>? InlineActivity { get; private set; }

    public async Task RunInlineActivityAsync(CancellationToken cancellationToken)
    {
        var activity = InlineActivity!;
        InlineActivity = null;
        Advance(await activity.RunInlineAsync(_state!, this, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Ends a turn that has begun an instance.</summary>
    public Decision FinishStart()
    {
        Finish(version: 0);
        return Decision;
    }

    public void Handle(List<Signal> signals)
    {
        if (Instance.Status.IsClosed())
        {
            foreach (var signal in signals)
                TakeWhenClosed(signal);
            return;
        }

        foreach (var signal in signals)
        {
            Receive(signal);
            Pump();
        }

        Finish(Instance.Version + signals.Count);
        Decision.ExpectedVersion = Instance.Version;
    }

    public override Guid StartChild<TChild>(WorkflowDefinition<TChild> definition, TChild input)
    {
        var id = NewId();
        Adopt(definition, new NewInstance(id, null, Instance.Id, null, Context.Now), input);
        return id;
    }

    public override void ContinueWith<TNext>(WorkflowDefinition<TNext> definition, TNext input)
    {
        var id = NewId();
        Progress = Progress with { ContinuedAs = id };
        Guid? reportsAs = Instance.ParentId is null ? null : Progress.ReportsAs ?? Instance.Id;
        Adopt(definition, new NewInstance(id, null, Instance.ParentId, reportsAs, Context.Now), input);
    }

    private void Adopt<TOther>(WorkflowDefinition<TOther> definition, NewInstance origin, TOther input)
        where TOther : class
    {
        // The other instance begins within this turn's transaction: nothing of it can run inline.
        var turn = Turn<TOther>.Begin(definition, Environment, origin, input, inline: false);
        turn.RunFirstSteps();
        var decision = turn.FinishStart();
        Decision.Start(decision.Instance!);
        decision.Started?.ForEach(Decision.Start);
        decision.Sent?.ForEach(Decision.Send);
        if (turn.Leases is { } leases)
            (Leases ??= []).AddRange(leases);
    }

    private void TakeWhenClosed(Signal signal)
    {
        if (signal.Kind == SignalKind.Cancel && Progress.ContinuedAs is { } continuation)
            Decision.Send(CancelReason.Signal(NewId(), continuation, CancelReason.Read(signal.Payload)));
        else
            BuryIfExternal(Buffer(signal), DeadLetterReason.InstanceClosed, ClosedDetail());
    }

    private void Receive(Signal signal)
    {
        switch (signal.Kind)
        {
            case SignalKind.Cancel:
                if (_status.IsClosed())
                    TakeWhenClosed(signal);
                else
                    Close(InstanceStatus.Cancelled, CancelReason.Read(signal.Payload));
                break;
            case SignalKind.Retry:
                if (Progress.RetryId == signal.Id)
                    Progress = Progress with { RetryId = null };
                break;
            case SignalKind.Activity:
                TakeActivity(signal);
                break;
            case SignalKind.External when (Progress.Inbox?.Count ?? 0) >= Options.MaxBufferedSignals:
                Decision.Bury(new DeadLetter(signal, DeadLetterReason.BufferFull,
                    $"Instance {Instance.Id} already keeps {Options.MaxBufferedSignals} signals that no step has taken."));
                break;
            case SignalKind.External when Progress.Inbox is null && !_status.IsClosed() && signal.Name == _definition[_index].SignalName:
                Consume(Buffer(signal));
                break;
            default:
                Keep(Buffer(signal));
                break;
        }
    }

    /// <summary>An activity is ready, or its lease has run out: lease it anew if that is still allowed.</summary>
    private void TakeActivity(Signal signal)
    {
        if (_status.IsClosed() || Progress.Activity is not { } activity
            || activity.Id != signal.Id || activity.Attempt != signal.Attempt || HasReportOf(activity))
        {
            StaleSignals++;
            return;
        }

        var step = _definition[_index];
        var options = ((IActivityStep)step).Options;
        if (activity.Attempt >= options.Retry.MaxAttempts)
        {
            var report = new ActivityReport
            {
                Activity = activity.Id,
                Error = $"the lease of attempt {activity.Attempt} ran out: its worker died or was cut off",
                Final = true,
            };
            Keep(new BufferedSignal
            {
                Id = NewId(), Kind = SignalKind.ActivityResult, Name = step.Name, Payload = report.Write(), Token = activity.Attempt,
            });
        }
        else if (Environment.CanRunActivity())
        {
            Lease(step.Name, activity.Id, activity.Attempt + 1);
        }
        else
        {
            // This host is full; another one, or this one a little later, takes it.
            Decision.Send(NewSignal(SignalKind.Activity, step.Name, Due.After(Options.BusyDelay), activity.Id, activity.Attempt));
        }
    }

    private void Keep(BufferedSignal signal) =>
        Progress = Progress with { Inbox = [.. Progress.Inbox ?? [], signal] };

    /// <summary>Hands kept signals to the present step for as long as there is one that it takes.</summary>
    private void Pump()
    {
        while (!_status.IsClosed() && TakeNext() is { } signal)
            Consume(signal);
    }

    private BufferedSignal? TakeNext()
    {
        var inbox = Progress.Inbox;
        for (var i = 0; inbox is not null && i < inbox.Count; i++)
        {
            var signal = inbox[i];
            switch (signal.Kind)
            {
                case SignalKind.External when signal.Name != _definition[_index].SignalName:
                    continue;
                case SignalKind.External:
                    if (signal.NotBefore > Context.Now)
                        return null;
                    RemoveFromInbox(i);
                    return signal;
                case var _ when !IsExpected(signal):
                    StaleSignals++;
                    RemoveFromInbox(i--);
                    inbox = Progress.Inbox;
                    continue;
                case var _ when signal.NotBefore > Context.Now:
                    continue;
                default:
                    RemoveFromInbox(i);
                    return signal;
            }
        }

        return null;
    }

    private bool IsExpected(BufferedSignal signal) => signal.Kind switch
    {
        SignalKind.Timer => Progress.TimerId == signal.Id,
        SignalKind.ActivityResult => Progress.Activity is { } activity && activity.Attempt == signal.Token
            && ActivityReport.Read(signal.Payload).Activity == activity.Id,
        SignalKind.ChildClosed => Progress.Children is { } children && ChildReport.Read(signal.Payload).Child is var id
            && children.Exists(child => child.Id == id && child.Report is null),
        _ => false,
    };

    /// <summary>The attempt has reported and its handler is to be tried again: the lease counts no more.</summary>
    private bool HasReportOf(PendingActivity activity) =>
        Progress.Inbox is { } inbox
        && inbox.Exists(signal => signal.Kind == SignalKind.ActivityResult && signal.Token == activity.Attempt && IsExpected(signal));

    private void Consume(BufferedSignal signal)
    {
        var before = new Savepoint(this);
        try
        {
            _state ??= _definition.ReadState(_stateBytes);
            var activity = Progress.Activity;
            Advance(_definition[_index].Resume(_state, this, signal));

            // The report has arrived, so the lease behind it must not come back.
            if (activity is not null && Progress.Activity?.Id != activity.Id)
                Withdraw(activity.Id);
            KeepState();
        }
        catch (Exception e)
        {
            before.Restore(this);
            HandlerFailures++;
            HandlerError = e;
            Postpone(signal, ActivityReport.Describe(e));
        }
    }

    private void Postpone(BufferedSignal signal, string error)
    {
        // The activity has been run and its report is kept: its lease must not run out meanwhile.
        if (signal.Kind == SignalKind.ActivityResult)
            Withdraw(Progress.Activity!.Id);

        var failures = signal.Failures + 1;
        if (failures < Options.SignalRetry.MaxAttempts)
        {
            var pause = Options.SignalRetry.DelayAfter(failures, Spread(signal.Id));
            Progress = Progress with { Inbox = [signal with { Failures = failures, NotBefore = Context.Now + pause }, .. Progress.Inbox ?? []] };
            return;
        }

        var detail = StoredText.Clean(
            $"Step '{_definition[_index].Name}' of {_definition} failed {failures} times on it, the last time with {error}");
        Decision.Bury(new DeadLetter(Unbuffer(signal, failures), DeadLetterReason.AttemptsExhausted, detail));
        if (signal.Kind != SignalKind.External)
            Close(InstanceStatus.Faulted, detail);
    }

    private void Advance(Next next)
    {
        _stateIsNewer = true;
        for (var i = 0; i < MaxStepsInARow; i++)
        {
            if (next.Kind == NextKind.Stay)
                return;
            if (next.Kind == NextKind.RunInline)
            {
                InlineActivity = (IInlineActivity<TState>)_definition[_index];
                return;
            }

            LeaveStep();
            switch (next.Kind)
            {
                case NextKind.Step:
                    _index++;
                    break;
                case NextKind.GoTo:
                    _index = _definition.IndexOf(next.Text!);
                    if (_index < 0)
                        throw new InvalidOperationException($"{_definition} has no step '{next.Text}'; it has: {string.Join(", ", _definition.Steps)}.");
                    break;
                case NextKind.Fault:
                    Close(InstanceStatus.Faulted, next.Text);
                    return;
            }

            if (next.Kind == NextKind.Complete || _index == _definition.Count)
            {
                _index = Math.Min(_index, _definition.Count - 1);
                Close(InstanceStatus.Completed, null);
                return;
            }

            next = _definition[_index].Enter(_state!, this);
        }

        throw new InvalidOperationException($"{_definition} took {MaxStepsInARow} steps in a row without a wait.");
    }

    private void LeaveStep()
    {
        if (Progress.TimerId is { } timer)
        {
            Withdraw(timer);
            Progress = Progress with { TimerId = null };
        }
    }

    private void Close(InstanceStatus status, string? error)
    {
        LeaveStep();
        if (Progress.Activity is { } activity)
            Withdraw(activity.Id);
        Leases?.RemoveAll(lease => lease.Lease.InstanceId == Instance.Id);
        if (Progress.RetryId is { } retry)
            Withdraw(retry);
        foreach (var child in Progress.Children ?? [])
        {
            if (child.Report is null)
                Decision.Send(CancelReason.Signal(NewId(), child.Id, $"Its parent {Instance.Id} is {status}."));
        }

        _status = status;
        _error = error is null ? null : StoredText.Clean(error);
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
        Decision.Instance = Instance with
        {
            Status = _status,
            Waits = waits,
            Step = step.Name,
            Version = version,
            State = _stateBytes,
            Progress = Progress.Write(),
            Error = _error,
        };
    }

    private void GiveStateToLeases()
    {
        foreach (var lease in Leases ?? [])
        {
            if (lease.Lease.InstanceId == Instance.Id)
                lease.State = _stateBytes;
        }
    }

    private void ScheduleRetry()
    {
        if (Progress.RetryId is null && Progress.Inbox is { } inbox)
            ScheduleRetry(inbox);
    }

    private void ScheduleRetry(List<BufferedSignal> inbox)
    {
        if (inbox.Min(signal => signal.NotBefore > Context.Now ? signal.NotBefore : null) is not { } next)
            return;
        var id = NewId();
        Progress = Progress with { RetryId = id };
        Decision.Send(NewSignal(SignalKind.Retry, _definition[_index].Name, Due.After(next - Context.Now), id));
    }

    private void FinishClosed()
    {
        foreach (var signal in Progress.Inbox ?? [])
            BuryIfExternal(signal, DeadLetterReason.InstanceClosed, ClosedDetail());
        if (Instance.ParentId is { } parent && Progress.ContinuedAs is null)
        {
            var report = new ChildReport
            {
                Child = Progress.ReportsAs ?? Instance.Id,
                Status = _status,
                Error = _error,
                State = _stateBytes,
            };
            Decision.Send(new Signal
            {
                Id = NewId(),
                InstanceId = parent,
                Kind = SignalKind.ChildClosed,
                Name = _definition.Name,
                Payload = report.Write(),
            });
        }

        Progress = Progress.ContinuedAs is { } continuation ? Progress.None with { ContinuedAs = continuation } : Progress.None;
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
                $"The state of {_definition} has {bytes.Length} bytes; the limit is {Options.MaxStateBytes} (WorkflowOptions.MaxStateBytes).");
        }

        _stateBytes = bytes;
        _stateIsNewer = false;
    }

    private void RemoveFromInbox(int index)
    {
        var rest = Progress.Inbox!.ToList();
        rest.RemoveAt(index);
        Progress = Progress with { Inbox = rest.Count == 0 ? null : rest };
    }

    private void BuryIfExternal(BufferedSignal signal, DeadLetterReason reason, string detail)
    {
        if (signal.Kind == SignalKind.External)
            Decision.Bury(new DeadLetter(Unbuffer(signal, signal.Failures), reason, detail));
        else
            StaleSignals++;
    }

    private string ClosedDetail() => $"Instance {Instance.Id} of {_definition} is {_status}.";

    private static BufferedSignal Buffer(Signal signal) => new()
    {
        Id = signal.Id,
        Kind = signal.Kind,
        Name = signal.Name,
        Payload = signal.Payload,
        Token = signal.Attempt,
    };

    private Signal Unbuffer(BufferedSignal signal, int failures) => new()
    {
        Id = signal.Id,
        InstanceId = Instance.Id,
        Kind = signal.Kind,
        Name = signal.Name,
        Payload = signal.Payload,
        Attempt = failures,
    };

    /// <summary>All that a handler can change, as it was before.</summary>
    private readonly struct Savepoint(Turn<TState> turn)
    {
        private readonly Progress _progress = turn.Progress;
        private readonly int _index = turn._index;
        private readonly int _started = turn.Decision.Started?.Count ?? 0;
        private readonly Signal[] _sent = turn.Decision.Sent is { Count: > 0 } sent ? [.. sent] : [];
        private readonly int _withdrawn = turn.Decision.Withdrawn?.Count ?? 0;
        private readonly int _buried = turn.Decision.DeadLetters?.Count ?? 0;
        private readonly LeasedActivity[] _leases = turn.Leases is { Count: > 0 } leases ? [.. leases] : [];
        private readonly InstanceStatus _status = turn._status;
        private readonly string? _error = turn._error;

        public void Restore(Turn<TState> target)
        {
            target._state = null;
            target._stateIsNewer = false;
            target.Progress = _progress;
            target._index = _index;
            target._status = _status;
            target._error = _error;
            Reset(target.Leases, _leases);
            Truncate(target.Decision.Started, _started);
            Reset(target.Decision.Sent, _sent);
            Truncate(target.Decision.Withdrawn, _withdrawn);
            Truncate(target.Decision.DeadLetters, _buried);
        }

        /// <summary>For lists that a handler may also take from.</summary>
        private static void Reset<T>(List<T>? list, T[] before)
        {
            list?.Clear();
            list?.AddRange(before);
        }

        private static void Truncate<T>(List<T>? list, int count) => list?.RemoveRange(count, list.Count - count);
    }
}
