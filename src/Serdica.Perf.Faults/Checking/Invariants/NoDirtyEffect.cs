namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>An attempt that failed, or of which nothing is known but that it began, has no effect on its instance.</summary>
internal sealed class NoDirtyEffect()
    : Invariant(13, "no dirty effect", "No result is taken of an attempt that failed, was cut off or never ran.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        foreach (var attempt in instance.Effects.GroupBy(line => (line.Record.Id, line.Record.Token)))
        {
            if (attempt.Any(line => line.Record.Phase is HistoryPhase.Done or HistoryPhase.Stored))
                continue;
            Judged();
            if (instance.Results.Any(result => result.Activity == attempt.Key.Id && result.Token == attempt.Key.Token))
            {
                Violated(
                    $"Instance {instance.Id} has taken a result of attempt {attempt.Key.Token} of activity {attempt.Key.Id}, "
                        + "which had no effect.",
                    [.. attempt, instance.Row]
                );
            }
        }

        foreach (var result in instance.Results)
        {
            if (!instance.Effects.Any(line => line.Record.Id == result.Activity && line.Record.Token == result.Token))
            {
                Violated(
                    $"Instance {instance.Id} has taken a result of attempt {result.Token} of activity {result.Activity}, which never ran.",
                    [instance.Row]
                );
            }
        }
    }
}
