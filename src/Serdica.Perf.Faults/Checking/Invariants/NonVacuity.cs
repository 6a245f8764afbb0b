namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>A run in which nothing succeeded, or in which no fault struck, violates nothing and shows nothing.</summary>
internal sealed class NonVacuity()
    : Invariant(Place, "non-vacuity", "Each fault took effect, and operations succeeded before, during and after it.")
{
    /// <summary>Its number.</summary>
    public const int Place = 16;

    public override void Conclude(RunFacts run)
    {
        var faults = run.Faults.Where(fault => fault.Record.Phase == HistoryPhase.Began).ToList();
        for (var i = 0; i < faults.Count; i++)
        {
            var began = faults[i];
            Judged();
            var end = run.EndOf(began);
            if (end is null)
            {
                Violated($"Fault '{began.Record.Name}' has no end in the history.", [began]);
                continue;
            }

            if (!(end.Record.Value > 0))
                Violated($"Fault '{began.Record.Name}' has no evidence that it took effect.", [began, end]);
            else if (end.Record.Value < began.Record.Least)
                Violated(
                    Invariant(
                        $"Fault '{began.Record.Name}' took effect {end.Record.Value:N0} times; {began.Record.Least:N0} times are required."
                    ),
                    [began, end]
                );
            var (from, to) = (run.WallTime(began), run.WallTime(end));
            var last = i > 0 && run.EndOf(faults[i - 1]) is { } previous ? run.WallTime(previous) : long.MinValue;
            var next = i + 1 < faults.Count ? run.WallTime(faults[i + 1]) : long.MaxValue;
            Require(run, began, end, "before", Math.Max(last, from - run.Limits.Window), from);
            if (began.Record.Stops is not true)
                Require(run, began, end, "during", from, to);
            Require(run, began, end, "after", to, Math.Min(next, to + run.Limits.Window));
        }
    }

    private void Require(RunFacts run, HistoryLine began, HistoryLine end, string when, long from, long to)
    {
        var successes = run.SuccessesBetween(from, to);
        if (successes < run.Limits.LeastSuccesses)
        {
            Violated(
                $"{successes} operations succeeded {when} fault '{began.Record.Name}'; at least {run.Limits.LeastSuccesses} are required.",
                [began, end]
            );
        }
    }
}
