namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Attempts may be more than one; results that an instance takes are not.</summary>
internal sealed class ExactlyOnceEffect()
    : Invariant(1, "exactly-once effect", "A completed instance has taken one result of each activity, of one run, and each child's end.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (!instance.IsCompleted || instance.Row is not { } row)
            return;
        JudgeSteps(instance, row, row.Record.Ledger);
        foreach (var taken in instance.Results.GroupBy(result => result.Activity))
        {
            Judged();
            if (taken.Count() > 1)
                Violated($"Instance {instance.Id} has taken {taken.Count()} results of activity {taken.Key}.", [row]);
            foreach (var phase in (HistoryPhase[])[HistoryPhase.Done, HistoryPhase.Stored])
            {
                var runs = instance
                    .Effects.Where(line =>
                        line.Record.Phase == phase && line.Record.Id == taken.Key && line.Record.Token == taken.First().Token
                    )
                    .ToList();
                if (runs.Count > 1)
                    Violated($"Attempt {taken.First().Token} of activity {taken.Key} had its effect {runs.Count} times.", [.. runs, row]);
            }
        }

        foreach (var ran in instance.Effects.Where(line => line.Record.Phase == HistoryPhase.Done).GroupBy(line => line.Record.Id))
        {
            Judged();
            if (!instance.Results.Any(result => result.Activity == ran.Key))
                Violated($"Instance {instance.Id} has completed without the result of activity {ran.Key}, which ran.", [.. ran, row]);
        }
    }

    /// <summary>A step that was skipped leaves nothing behind.</summary>
    private void JudgeSteps(InstanceHistory instance, HistoryLine row, LedgerState? ledger)
    {
        var activities = instance.Results.DistinctBy(result => result.Activity).Count();
        if (ledger is { Works: true } && activities != 1)
        {
            Judged();
            Violated($"Instance {instance.Id} has completed with the results of {activities} activities.", [row]);
        }

        if (ledger is not { Children: > 0 and var children })
            return;
        Judged();
        var closed = (ledger.Closed ?? []).ToHashSet();
        if (closed.Count != children)
            Violated($"Instance {instance.Id} has completed after {closed.Count} of its {children} children.", [row]);

        // A turn that took effect twice has started more than their parent waits for.
        foreach (var child in instance.Children.Where(child => !closed.Remove(child.Record.Instance!.Value)))
            Violated($"Instance {instance.Id} has completed without the end of its child {child.Record.Instance}.", [row, child]);
        foreach (var id in closed)
            Violated($"Instance {instance.Id} has taken the end of {id}, which is not its child.", [row]);
    }
}
