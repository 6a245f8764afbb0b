namespace Serdica.Perf.Workflows;

/// <content>The end of an instance, and what still comes after it.</content>
internal sealed partial class Turn<TState>
{
    private void Close(InstanceStatus status, string? error)
    {
        LeaveStep();
        if (Progress.Activity is { } activity)
            Withdraw(activity.Id);
        Leases?.RemoveAll(lease => lease.Lease.InstanceId == Id);
        if (Progress.RetryId is { } retry)
            Withdraw(retry);
        if (Progress.Children is { } children)
            CancelOpen(children, status);
        _status = status;
        _error = error is null ? null : StoredText.Clean(error);
    }

    /// <summary>Nothing of the instance can be decided any more: see <see cref="WorkflowOptions.InstanceRetry"/>.</summary>
    public void GiveUp(List<Signal> signals, Refusal refusal)
    {
        var isOpen = !_status.IsClosed();
        foreach (var signal in signals)
            BuryIfExternal(BufferedSignal.Of(signal), refusal.Reason, refusal.Detail);

        // Nothing would ever move it again; after external signals alone it stays as it is.
        if (!isOpen || signals.TrueForAll(static signal => signal.Kind == SignalKind.External))
            return;
        Close(InstanceStatus.Faulted, refusal.Detail);
        var version = _stored!.Version;
        Finish(version + signals.Count);
        Decision.ExpectedVersion = version;
    }

    private void CancelOpen(ChildFamily children, InstanceStatus status)
    {
        foreach (var child in children.Open)
            Decision.Send(CancelReason.Signal(NewId(), child, $"Its parent {Id} is {status}."));
    }

    private void FinishClosed()
    {
        Progress.Inbox?.ForEach(signal => BuryIfExternal(signal, DeadLetterReason.InstanceClosed, ClosedDetail()));
        if (ParentId is { } parent && Progress.ContinuedAs is null)
        {
            var report = new ChildReport
            {
                Child = Progress.ReportsAs ?? Id,
                Last = Progress.ReportsAs is null ? null : Id,
                Status = _status,
                Error = _error,
                State = _stateBytes,
            };
            Decision.Send(
                new Signal
                {
                    Id = NewId(),
                    InstanceId = parent,
                    Kind = SignalKind.ChildClosed,
                    Name = _definition.Name,
                    Payload = report.Write(),
                }
            );
        }

        Progress = Progress.None with { ContinuedAs = Progress.ContinuedAs, ContinuedFrom = Progress.ContinuedFrom };
    }

    private void TakeWhenClosed(Signal signal)
    {
        if (signal.Kind is not (SignalKind.External or SignalKind.Cancel) || Progress.ContinuedAs is not { } continuation)
        {
            BuryIfExternal(BufferedSignal.Of(signal), DeadLetterReason.InstanceClosed, ClosedDetail());
            return;
        }

        Decision.Send(signal with { InstanceId = continuation, Due = Due.Now, Attempt = 0 });

        // Its dedup key may have been written after the others were copied.
        if (_stored!.Status.IsClosed())
            Decision.Continue(Id, continuation);
    }

    private void BuryIfExternal(BufferedSignal signal, DeadLetterReason reason, string detail)
    {
        if (signal.Kind == SignalKind.External)
            Decision.Bury(new DeadLetter(signal.ToSignal(Id, signal.Failures), reason, detail));
        else
            StaleSignals++;
    }

    private string ClosedDetail() => $"Instance {Id} of {_definition} is {_status}.";
}
