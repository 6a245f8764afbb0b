namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Poison is a signal whose handler always fails.</summary>
internal sealed class PoisonContainment()
    : Invariant(14, "poison containment", "Poison ends as a dead letter after the allowed number of tries, and harms no other instance.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.IsContinuation)
            return;
        foreach (var call in instance.Signals.Where(call => LedgerState.IsPoison(call.Record.Key) && call.Outcome == AckOutcome.Accepted))
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

        foreach (var letter in instance.DeadLetters.Where(letter => letter.Record.Reason == DeadLetterReason.AttemptsExhausted))
        {
            if (!LedgerState.IsPoison(letter.Record.Key))
                Violated($"'{letter.Record.Key}' is not poison, but is a dead letter because its handler failed.", [letter]);
            else if (run.Limits.SignalAttempts > 0 && letter.Record.Attempts > run.Limits.SignalAttempts)
                Violated(
                    $"Poison '{letter.Record.Key}' was tried {letter.Record.Attempts} times; {run.Limits.SignalAttempts} are allowed.",
                    [letter]
                );
        }
    }
}
