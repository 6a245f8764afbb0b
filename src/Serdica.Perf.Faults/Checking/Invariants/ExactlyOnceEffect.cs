namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Attempts may be more than one; results that an instance takes are not.</summary>
internal sealed class ExactlyOnceEffect()
    : Invariant(1, "exactly-once effect", "A completed instance has taken one result of each of its activities, of one run.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.Row is not { Record.Status: InstanceStatus.Completed } row)
            return;
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
}
