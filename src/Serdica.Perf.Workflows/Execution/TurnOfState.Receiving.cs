namespace Serdica.Perf.Workflows;

/// <content>What each kind of signal does when it comes.</content>
internal sealed partial class Turn<TState>
{
    private void Receive(Signal signal)
    {
        if (_status.IsClosed())
        {
            TakeWhenClosed(signal);
            return;
        }

        switch (signal.Kind)
        {
            case SignalKind.Cancel:
                Close(InstanceStatus.Cancelled, CancelReason.Read(signal.Payload));
                break;
            case SignalKind.Retry:
                if (Progress.RetryId == signal.Id)
                    Progress = Progress with { RetryId = null };
                break;
            case SignalKind.Activity:
                TakeActivity(signal);
                break;
            case SignalKind.External when Progress.Inbox is null && signal.Name == _definition[_index].SignalName:
                Consume(BufferedSignal.Of(signal));
                break;
            case SignalKind.External when !IsNext(signal) && FullBuffer(signal) is { } detail:
                Decision.Bury(new DeadLetter(signal, DeadLetterReason.BufferFull, detail));
                break;
            default:
                Keep(BufferedSignal.Of(signal));
                break;
        }
    }

    /// <summary>
    /// Whether the present step takes the signal at once: it waits for its name, and none of that name is kept before it.
    /// </summary>
    private bool IsNext(Signal signal) =>
        signal.Name == _definition[_index].SignalName
        && Progress.Inbox?.Exists(kept => kept.Kind == SignalKind.External && kept.Name == signal.Name) != true;

    /// <returns>Which limit keeps the signal out of the inbox; <see langword="null"/> when there is room.</returns>
    private string? FullBuffer(Signal signal)
    {
        var (count, bytes) = (0, 0L);
        foreach (var kept in Progress.Inbox ?? [])
        {
            if (kept.Kind != SignalKind.External)
                continue;
            count++;
            bytes += kept.Payload.Length;
        }

        if (count >= Options.MaxBufferedSignals)
            return $"Instance {Id} already keeps {count} signals that no step has taken (WorkflowOptions.MaxBufferedSignals).";
        return bytes + signal.Payload.Length <= Options.MaxBufferedBytes
            ? null
            : $"Instance {Id} keeps {count} signals of {bytes} bytes that no step has taken; {signal.Payload.Length} more are over the "
                + $"limit of "
                + $"{Options.MaxBufferedBytes} (WorkflowOptions.MaxBufferedBytes).";
    }

    /// <summary>An activity is ready, or its lease has run out: lease it anew if that is still allowed.</summary>
    private void TakeActivity(Signal signal)
    {
        if (Progress.Activity is not { } activity || activity.Id != signal.Id || activity.Token != signal.Attempt || HasReportOf(activity))
        {
            StaleSignals++;
            return;
        }

        var step = _definition[_index];
        var options = ((IActivityStep)step).Options;
        if (!activity.Failed && activity.Attempt >= options.Retry.MaxAttempts)
        {
            var report = new ActivityReport
            {
                Activity = activity.Id,
                Error = $"the lease of attempt {activity.Attempt} ran out: its worker died or was cut off",
                Final = true,
            };
            Keep(
                new BufferedSignal
                {
                    Id = NewId(),
                    Kind = SignalKind.ActivityResult,
                    Name = step.Name,
                    Payload = report.Write(),
                    Token = activity.Attempt,
                }
            );
        }
        else if (Environment.CanRunActivity())
        {
            Lease(step.Name, activity.Id, activity.Attempt + 1, claim: NewId());
        }
        else
        {
            // This host is full; another one, or this one a little later, takes it. Its claims leave it alone until then.
            SendActivity(step.Name, signal.Due, activity);
        }
    }

    /// <summary>The attempt has reported and its handler is to be tried again: the lease counts no more.</summary>
    private bool HasReportOf(PendingActivity activity) =>
        Progress.Inbox is { } inbox
        && inbox.Exists(signal => signal.Kind == SignalKind.ActivityResult && signal.Token == activity.Attempt && IsExpected(signal));
}
