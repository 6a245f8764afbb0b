namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>What is in the database came from somebody who wanted it there.</summary>
internal sealed class NoPhantom()
    : Invariant(3, "no phantom", "Nothing is handled that was not sent, and no instance exists that was not started.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.IsContinuation)
            return;
        var sent = instance.Signals.Where(call => call.MayBeWritten).Select(call => call.Record.Key).ToHashSet();
        foreach (var key in instance.Applied)
        {
            Judged();
            if (!sent.Contains(key))
            {
                var refused = instance.Signals.Where(call => call.Record.Key == key).SelectMany(call => call.Lines);
                Violated(
                    $"Instance {instance.Id} has handled '{key}', which nobody sent or whose sending was refused.",
                    [.. refused, .. instance.Chain]
                );
            }
        }

        if (instance.Row is not { } row)
            return;
        Judged();
        if (row.Record.Ledger?.Origin is null && !instance.Announcements.Any(announcement => announcement.MayBeWritten))
            Violated(
                $"Instance {instance.Id} exists, but no start or turn created it.",
                [row, .. instance.Announcements.SelectMany(a => a.Lines)]
            );
    }

    public override void Judge(StartHistory start, RunFacts run)
    {
        if (start.Rows.Count > 0 && !start.Calls.Any(call => call.MayBeWritten))
            Violated(
                $"There is an instance of {start.Key}, which nobody started.",
                [.. start.Rows, .. start.Calls.SelectMany(call => call.Lines)]
            );
    }
}
