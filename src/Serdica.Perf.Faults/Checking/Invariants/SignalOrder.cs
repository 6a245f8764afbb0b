namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>
/// The list of an instance is appended to and nothing else. A client awaits each call before the next, so what it has sent under one
/// name is handled in that order. Delayed signals, and those of which any call has an unknown outcome, have no promised place.
/// </summary>
internal sealed class SignalOrder()
    : Invariant(
        12,
        "order",
        "Signals of one client and name are handled in the order of its calls; what a reader saw is the beginning of the list."
    )
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (!instance.IsContinuation)
            JudgeOrder(instance);
        foreach (var read in instance.Reads)
        {
            Judged();
            var seen = read.Record.Ledger?.Applied ?? [];
            var applied = instance.Row?.Record.Ledger?.Applied ?? [];
            if (!applied.Take(seen.Count).SequenceEqual(seen))
                Violated(
                    $"A reader saw a list of instance {instance.Id} that is no beginning of the list at the end.",
                    [read, instance.Row]
                );
        }
    }

    private void JudgeOrder(InstanceHistory instance)
    {
        var places = new Dictionary<string, int>();
        foreach (var key in instance.Applied)
            places.TryAdd(key, places.Count);
        var certain = instance
            .Signals.GroupBy(call => call.Record.Key ?? "")
            .Where(calls => calls.All(call => call.Fate != Fate.Unknown && call.Record.Delay is null))
            .Select(calls => calls.FirstOrDefault(call => call.Outcome == AckOutcome.Accepted))
            .OfType<Operation>()
            .Where(call => places.ContainsKey(call.Record.Key ?? ""));
        foreach (var sequence in certain.GroupBy(call => (call.Line.Process, call.Record.Client, call.Record.Name)))
        {
            var calls = sequence.OrderBy(call => call.Record.Operation).ToList();
            foreach (var (call, next) in calls.Zip(calls.Skip(1)))
            {
                Judged();
                if (places[next.Record.Key!] < places[call.Record.Key!])
                {
                    Violated(
                        $"'{next.Record.Key}' was handled before '{call.Record.Key}', which was accepted first.",
                        [.. call.Lines, .. next.Lines, .. instance.Chain]
                    );
                }
            }
        }
    }
}
