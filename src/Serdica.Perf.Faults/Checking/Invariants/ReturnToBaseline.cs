namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Gauges of one name and process are compared: the first before the faults with the last after the recovery.</summary>
internal sealed class ReturnToBaseline()
    : Invariant(15, "return to baseline", "The number of database connections is back within its band after the recovery.")
{
    public override void Conclude(RunFacts run)
    {
        foreach (var gauge in run.Gauges.GroupBy(line => (line.Process, line.Record.Name)))
        {
            var before = gauge.FirstOrDefault(line => line.Record.Phase == HistoryPhase.Began);
            var after = gauge.LastOrDefault(line => line.Record.Phase == HistoryPhase.Done);
            if (before?.Record.Value is not { } baseline || after?.Record.Value is not { } value)
                continue;
            Judged();
            var most = baseline + Math.Max(baseline * run.Limits.GaugeBand, run.Limits.GaugeSlack);
            if (value > most)
                Violated(
                    $"{gauge.Key.Name} is {value} after the recovery; it was {baseline} before, and {most} is allowed.",
                    [before, after]
                );
        }
    }
}
