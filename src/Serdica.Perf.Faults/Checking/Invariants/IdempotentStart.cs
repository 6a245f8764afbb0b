namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Also when the first answer was lost.</summary>
internal sealed class IdempotentStart()
    : Invariant(10, "idempotent start", "All starts with one business key give one instance, and each start its own.")
{
    public override void Judge(StartHistory start, RunFacts run)
    {
        var hasKey =
            start.Calls.Any(call => call.Record.BusinessKey is not null) || start.Rows.Any(row => row.Record.BusinessKey is not null);
        var most = hasKey ? 1 : start.Calls.Count(call => call.MayBeWritten);
        if (hasKey && start.Calls.Count > 1)
            Judged();
        if (start.Rows.Count > most)
            Violated($"There are {start.Rows.Count} instances of {start.Key}; at most {most} are allowed.", Lines(start));
        var other = start.Calls.FirstOrDefault(call =>
            call is { Fate: Fate.Done, Answer.Record.Instance: { } id } && start.Rows.All(row => row.Record.Instance != id)
        );
        if (other is not null)
            Violated($"A start with {start.Key} got {other.Answer!.Record.Instance} as the answer, which is another's.", Lines(start));
        if (hasKey && start.Calls.Count(call => call.Outcome == AckOutcome.Started) > 1)
            Violated($"Two starts with {start.Key} got the answer that they created the instance.", Lines(start));
    }

    private static IEnumerable<HistoryLine> Lines(StartHistory start) => [.. start.Rows, .. start.Calls.SelectMany(call => call.Lines)];
}
