namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>What was acknowledged before a crash is there after it, as far as the server is durable.</summary>
internal sealed class DurableAck()
    : Invariant(9, "durable acknowledgement", "What was acknowledged is in the database at the end, and no answer denies what is there.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        var row = instance.Row;
        foreach (var start in instance.Starts.Concat(instance.Announcements).Where(start => start.Fate == Fate.Done))
        {
            Judged();
            if (row is null)
                Violated($"Instance {instance.Id} was started and acknowledged; it is missing.", start.Lines);
        }

        foreach (var turn in instance.Turns.Where(turn => turn.Fate == Fate.Done))
        {
            Judged();
            if (row is null || row.Record.Version < turn.Record.Next)
            {
                Violated(
                    $"Version {turn.Record.Next} of instance {instance.Id} was committed; the database has "
                        + $"{row?.Record.Version.ToString() ?? "none"}.",
                    [.. turn.Lines, row]
                );
            }
        }

        foreach (var call in instance.Signals.Concat(instance.Cancels))
            JudgeDenial(instance, call);
        foreach (var close in instance.Closes)
        {
            Judged();
            if (row is null || row.Record.Status != close.Record.Status || row.Record.Version != close.Record.Version)
                Violated($"Instance {instance.Id} was seen closed and is no longer closed.", [close, row]);
        }
    }

    /// <summary>A call may overtake a start that is not answered yet.</summary>
    private void JudgeDenial(InstanceHistory instance, Operation call)
    {
        if (call.Outcome is not (AckOutcome.UnknownInstance or AckOutcome.InstanceClosed))
            return;
        Judged();
        var started = instance.Starts.FirstOrDefault(start =>
            start.Fate == Fate.Done && start.Answer!.Process == call.Line.Process && start.Answer.Record.At <= call.Record.At
        );
        var denied =
            call.Outcome == AckOutcome.InstanceClosed ? instance.Chain.FirstOrDefault(row => row.Record.Status?.IsClosed() == false)
            : started is null ? null
            : instance.Row;
        if (denied is not null)
            Violated($"Instance {instance.Id} is there, and the answer to a call denies it.", [.. call.Lines, denied]);
    }
}
