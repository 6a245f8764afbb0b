namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>
/// A turn takes an instance from one version to a later one. Turns that are durable follow one another; turns whose commit has no answer
/// may or may not be among them.
/// </summary>
internal sealed class VersionChain()
    : Invariant(6, "version chain", "The turns of an instance lead from version 0 to the last one without gap, fork or repeat.")
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        var turns = instance.Turns.Where(turn => turn.MayBeWritten).ToList();
        if (run.Turns == 0)
            return;
        Judged(turns.Count);
        if (turns.Find(turn => To(turn) <= From(turn)) is { } still)
        {
            Violated($"A turn of instance {instance.Id} leads from version {From(still)} to {To(still)}.", still.Lines);
            return;
        }

        var durable = turns.Where(turn => turn.Fate == Fate.Done).OrderBy(From).ToList();
        foreach (var (turn, next) in durable.Zip(durable.Skip(1)))
        {
            if (From(next) < To(turn))
            {
                Violated(
                    $"Two turns of instance {instance.Id} were committed from versions {From(turn)} and {From(next)}: a fork.",
                    [.. turn.Lines, .. next.Lines]
                );
                return;
            }
        }

        JudgeWay(instance, turns);
    }

    /// <summary>Whether some way uses all durable turns and ends at the version of the row.</summary>
    private void JudgeWay(InstanceHistory instance, List<Operation> turns)
    {
        var reached = new HashSet<long> { 0 };
        foreach (var turn in turns.OrderBy(From))
        {
            var isReached = reached.Contains(From(turn));
            if (turn.Fate == Fate.Done && !isReached)
            {
                Violated($"A turn of instance {instance.Id} began at version {From(turn)}, which no turn had written: a gap.", turn.Lines);
                return;
            }

            // The way goes through a durable turn, and so not along any other turn that leads past its beginning.
            if (turn.Fate == Fate.Done)
                reached.Clear();
            if (isReached)
                reached.Add(To(turn));
        }

        if (instance.Row?.Record.Version is { } last && !reached.Contains(last))
        {
            Violated(
                $"Instance {instance.Id} is at version {last}; its turns lead to {string.Join(" or ", reached.Order())}: a gap.",
                [instance.Row, .. turns.SelectMany(turn => turn.Lines)]
            );
        }
    }

    private static long From(Operation turn) => turn.Record.Version ?? -1;

    private static long To(Operation turn) => turn.Record.Next ?? -1;
}
