namespace Serdica.Perf.Workflows;

/// <content>The inbox: signals that came before their step, or whose handler failed.</content>
internal sealed partial class Turn<TState>
{
    private void Keep(BufferedSignal signal) => Progress = Progress with { Inbox = [.. Progress.Inbox ?? [], signal] };

    /// <summary>Hands kept signals to the present step as long as there is one that it takes, and there is time.</summary>
    private void Pump()
    {
        while (!_status.IsClosed() && Progress.Inbox is not null)
        {
            if (!HasTime())
            {
                _leftKept = true;
                return;
            }

            if (TakeNext() is not { } signal)
                return;
            Consume(signal);
        }
    }

    private BufferedSignal? TakeNext()
    {
        var inbox = Progress.Inbox;
        var signalsWait = false;
        for (var i = 0; inbox is not null && i < inbox.Count; i++)
        {
            var signal = inbox[i];
            switch (signal.Kind)
            {
                case SignalKind.External when signalsWait || signal.Name != _definition[_index].SignalName:
                    continue;
                case SignalKind.External when signal.NotBefore > Context.Now:
                    // Those of its name stay behind it, and only those: a time limit is not put off by a handler that fails.
                    signalsWait = true;
                    continue;
                case SignalKind.External:
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

    private bool IsExpected(BufferedSignal signal) =>
        signal.Kind switch
        {
            SignalKind.Timer => Progress.TimerId == signal.Id,
            SignalKind.ActivityResult => Progress.Activity is { } activity
                && activity.Token == signal.Token
                && ActivityReport.Read(signal.Payload).Activity == activity.Id,
            SignalKind.ChildClosed => Progress.Children is { } children && children.Awaits(ChildReport.Read(signal.Payload).Child),
            _ => false,
        };

    private void RemoveFromInbox(int index)
    {
        var rest = Progress.Inbox!.ToList();
        rest.RemoveAt(index);
        Progress = Progress with { Inbox = rest.Count == 0 ? null : rest };
    }

    private void ScheduleRetry()
    {
        // A signal that is sent again causes the next turn by itself, except an activity, which may have to wait for a place.
        var goesOn =
            _leftKept
            && Left?.Exists(static signal => signal.Kind != SignalKind.Activity) != true
            && Progress.Inbox?.Exists(signal => !(signal.NotBefore > Context.Now)) == true;
        if (goesOn && Progress.RetryId is { } pending)
        {
            Withdraw(pending);
            Progress = Progress with { RetryId = null };
        }

        if (Progress.RetryId is null && Progress.Inbox is { } inbox)
            ScheduleRetry(inbox, goesOn);
    }

    private void ScheduleRetry(List<BufferedSignal> inbox, bool goesOn)
    {
        // What a predecessor kept is handled in a turn of this instance's own, at once.
        var next = _stored is null || goesOn ? Context.Now : inbox.Min(signal => signal.NotBefore > Context.Now ? signal.NotBefore : null);
        if (next is not { } time)
            return;
        var id = NewId();
        Progress = Progress with { RetryId = id };
        Decision.Send(NewSignal(SignalKind.Retry, _definition[_index].Name, Due.After(time - Context.Now), id));
    }
}
