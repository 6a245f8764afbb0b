namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Poison is a signal whose handler always fails.</summary>
internal sealed class PoisonContainment()
    : Invariant(14, "poison containment", "Poison is a dead letter after the allowed number of tries, and what can be handled is none.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.IsContinuation)
            return;
        foreach (var call in instance.Signals.Where(call => LedgerState.IsPoison(call.Record.Key) && instance.IsPromised(call)))
        {
            Judged();
            if (instance.Applied.Contains(call.Record.Key))
                Violated($"Poison '{call.Record.Key}' was handled.", [.. call.Lines, .. instance.Chain]);
            else if (!instance.DeadLetters.Any(letter => letter.Record.Key == call.Record.Key))
                Violated(
                    $"Poison '{call.Record.Key}' is not a dead letter: it is retried for ever, or lost.",
                    [.. call.Lines, .. instance.Chain]
                );
        }

        foreach (var letter in instance.DeadLetters)
        {
            if (letter.Record.Reason != DeadLetterReason.AttemptsExhausted)
                JudgeReason(instance, letter);
            else if (!LedgerState.IsPoison(letter.Record.Key))
                Violated($"'{letter.Record.Key}' is not poison, but is a dead letter because its handler failed.", [letter]);
            else if (run.Limits.SignalAttempts > 0 && letter.Record.Attempts > run.Limits.SignalAttempts)
                Violated(
                    $"Poison '{letter.Record.Key}' was tried {letter.Record.Attempts} times; {run.Limits.SignalAttempts} are allowed.",
                    [letter]
                );
        }
    }

    /// <summary>What comes after the end is a dead letter. Whether the instance had to end is judged elsewhere.</summary>
    private void JudgeReason(InstanceHistory instance, HistoryLine letter)
    {
        var (key, reason) = (letter.Record.Key, letter.Record.Reason);
        var isLate =
            instance.Chain is [.., { Record.Status: { } status }] && status.IsClosed() && (!LedgerState.IsPoison(key) || MayBeLate());
        if (reason is { } other && (other != DeadLetterReason.InstanceClosed || !isLate))
            Violated($"'{key}' is a dead letter with the reason {other}, which it cannot have.", [letter, .. instance.Chain]);

        // Otherwise the tries of a handler are over before what follows them can end the instance.
        bool MayBeLate() =>
            status != InstanceStatus.Completed
            || instance.Signals.Any(call => call.Record.Key == key && (call.Fate == Fate.Unknown || call.Record.Delay is not null));
    }
}
