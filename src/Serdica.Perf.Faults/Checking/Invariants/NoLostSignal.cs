namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Signals are known by their keys; repeats of one call have one key.</summary>
internal sealed class NoLostSignal()
    : Invariant(2, "no lost signal", "An accepted signal is handled once, is still kept, or is a dead letter; no signal is handled twice.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.IsContinuation)
            return;
        var applied = instance.Applied.CountBy(key => key).ToDictionary();
        var kept = instance.Pending.Concat(instance.DeadLetters).CountBy(line => line.Record.Key ?? "").ToDictionary();
        foreach (var calls in instance.Signals.GroupBy(call => call.Record.Key ?? ""))
        {
            var handled = applied.GetValueOrDefault(calls.Key);
            var found = handled + kept.GetValueOrDefault(calls.Key);
            if (calls.Any(instance.IsPromised))
            {
                Judged();
                if (found == 0)
                    Violated($"Signal '{calls.Key}' was accepted and is lost.", Lines(instance, calls));
            }

            if (calls.FirstOrDefault(call => call.Outcome == AckOutcome.Duplicate && !IsRepeat(instance, call)) is { } first)
                Violated($"Signal '{calls.Key}' is answered as a duplicate of nothing.", first.Lines);

            var most = Most(calls);
            if (found > most)
                Violated(
                    $"Signal '{calls.Key}' was found {found} times, {handled} of them handled; at most {most} are allowed.",
                    Lines(instance, calls)
                );
        }
    }

    private static bool IsRepeat(InstanceHistory instance, Operation duplicate) =>
        instance.Signals.Any(call => call.MayBeWritten && call.Record.DedupKey == duplicate.Record.DedupKey);

    /// <summary>Repeats with a dedup key are one signal.</summary>
    private static int Most(IEnumerable<Operation> calls)
    {
        var written = calls.Where(call => call.MayBeWritten).ToList();
        return written.Count(call => call.Record.DedupKey is null)
            + written.Where(call => call.Record.DedupKey is not null).DistinctBy(call => call.Record.DedupKey).Count();
    }

    private static IEnumerable<HistoryLine> Lines(InstanceHistory instance, IEnumerable<Operation> calls) =>
        [.. calls.SelectMany(call => call.Lines), .. instance.Chain];
}
