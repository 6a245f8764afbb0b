namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>The final state is read when the run has had its time to come to rest.</summary>
internal sealed class NoStuckInstance()
    : Invariant(5, "no stuck instance", "At rest, an open instance waits for a signal that nobody has sent yet, and for nothing else.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.IsContinuation)
            return;
        foreach (var row in instance.Chain)
        {
            Judged();
            if (row.Record.Status?.IsClosed() != true)
                JudgeOpen(instance, row);
        }
    }

    public override void Conclude(RunFacts run)
    {
        if (run.Census is not { Record.Census: { } census } line)
            return;
        if (census.Stuck > 0)
            Violated($"The database counts {census.Stuck} instances that nothing will ever move.", [line]);
        if (census.SignalsDue > 0)
            Violated($"{census.SignalsDue} signals are due, and no host has taken them.", [line]);
    }

    private void JudgeOpen(InstanceHistory instance, CheckedLine row)
    {
        if (row.Record.Waits is not WaitKinds.External)
        {
            Violated($"Instance {row.Record.Instance} is open and waits for {row.Record.Waits}, at rest.", [row, .. Last(instance)]);
            return;
        }

        if (instance.Cancels.FirstOrDefault(call => call.Outcome == AckOutcome.Accepted) is { } cancel)
        {
            Violated($"Instance {row.Record.Instance} is open; its cancellation was accepted.", [.. cancel.Lines, row]);
            return;
        }

        var accepted = instance
            .Signals.Where(call => call.Outcome == AckOutcome.Accepted)
            .Select(call => call.Record.Key)
            .Except(instance.DeadLetters.Select(letter => letter.Record.Key))
            .Count();
        var expects = instance.Chain[0].Record.Ledger?.Expects ?? 0;
        if (expects > 0 && accepted >= expects)
        {
            Violated(
                $"Instance {row.Record.Instance} is open, and all of its {expects} signals were accepted.",
                [row, .. instance.Signals.SelectMany(call => call.Lines)]
            );
        }
    }

    private static IEnumerable<CheckedLine> Last(InstanceHistory instance) => instance.Turns.TakeLast(2).SelectMany(turn => turn.Lines);
}
