namespace Serdica.Perf.Workflows;

/// <content>Steps: a signal is handed to the present one, and from there it goes on to the next wait.</content>
internal sealed partial class Turn<TState>
{
    /// <summary>A definition that goes round without ever waiting is a mistake, not a workload.</summary>
    private const int MaxStepsInARow = 10_000;

    /// <summary>A handler that fails is tried again in another turn, because a turn that never ends would keep its thread.</summary>
    private static readonly TimeSpan ShortestPause = FromMilliseconds(1);

    private void Consume(in BufferedSignal signal)
    {
        // Not a failure of the handler: a state that this version cannot read is left to one that can.
        _state ??= _definition.ReadState(_stateBytes);
        _hasConsumed = true;
        var before = new Savepoint(this);
        try
        {
            if (Context.Attempt != signal.Failures + 1)
                Context = Context with { Attempt = signal.Failures + 1 };
            var activity = Progress.Activity;
            Advance(_definition[_index].Resume(_state, this, signal));

            // The report has arrived, so the lease behind it must not come back.
            if (activity is not null && Progress.Activity?.Id != activity.Id)
                Withdraw(activity.Id);
            KeepState();
        }
        catch (ChildrenNotReadException e)
        {
            // The last report waits, as if it came later.
            before.Restore(this);
            UnreadChildren = e.Family;
            Keep(signal, Context.Now + e.Family.ReadPause);
        }
        catch (Exception e)
        {
            before.Restore(this);
            TakenChildren = null;
            HandlerFailures++;
            HandlerError = e;
            Postpone(signal, ActivityReport.Describe(e));
        }
    }

    private void Postpone(in BufferedSignal signal, string error)
    {
        // The activity has been run and its report is kept: its lease must not run out meanwhile.
        if (signal.Kind == SignalKind.ActivityResult)
            Withdraw(Progress.Activity!.Id);

        var failures = signal.Failures + 1;
        if (failures < Options.SignalRetry.MaxAttempts)
        {
            var pause = Options.SignalRetry.DelayAfter(failures, Spread(signal.Id));
            Keep(signal with { Failures = failures }, Context.Now + (pause > ShortestPause ? pause : ShortestPause));
            return;
        }

        var detail = StoredText.Clean(
            $"Step '{_definition[_index].Name}' of {_definition} failed {failures} times on it, the last time with {error}"
        );
        Decision.Bury(new DeadLetter(signal.ToSignal(Id, failures), DeadLetterReason.AttemptsExhausted, detail));
        if (signal.Kind != SignalKind.External)
            Close(InstanceStatus.Faulted, detail);
    }

    /// <summary>Keeps a signal that is to be handed over later, before what came after it.</summary>
    private void Keep(BufferedSignal signal, DateTimeOffset notBefore)
    {
        // The retry that has been sent for others may come later than this one is to be tried.
        if (Progress.RetryId is { } retry)
            Withdraw(retry);
        Progress = Progress with { RetryId = null, Inbox = [signal with { NotBefore = notBefore }, .. Progress.Inbox ?? []] };
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
                        throw new InvalidOperationException(
                            $"{_definition} has no step '{next.Text}'; it has: {string.Join(", ", _definition.Steps)}."
                        );
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
}
