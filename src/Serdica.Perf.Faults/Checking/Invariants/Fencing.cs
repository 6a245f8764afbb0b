namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>
/// Once a later attempt was granted, the result of an earlier one comes too late; once a result is taken, no later attempt is granted.
/// An activity is judged when an earlier attempt had its effect: a failed one has no result that could have been taken.
/// </summary>
internal sealed class Fencing()
    : Invariant(7, "fencing", "The result that an instance takes is that of the newest attempt that was granted.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        foreach (var result in instance.Results)
        {
            var begun = instance
                .Effects.Where(line => line.Record.Phase == HistoryPhase.Began && line.Record.Id == result.Activity)
                .OrderBy(line => line.Record.Token)
                .ToList();
            var done = instance.Effects.Where(line => line.Record.Phase == HistoryPhase.Done && line.Record.Id == result.Activity);
            if (begun.Count == 0 || !done.Any(line => line.Record.Token < begun[^1].Record.Token))
                continue;
            Judged();
            if (begun[^1].Record.Token > result.Token)
            {
                Violated(
                    $"Instance {instance.Id} has taken the result of attempt {result.Token} of activity {result.Activity}; attempt "
                        + $"{begun[^1].Record.Token} was granted.",
                    [.. begun, instance.Row]
                );
            }
        }
    }
}
