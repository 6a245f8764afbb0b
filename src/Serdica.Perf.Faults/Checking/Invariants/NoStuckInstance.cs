namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>The final state is read when the run has had its time to come to rest.</summary>
internal sealed class NoStuckInstance()
    : Invariant(
        5,
        "no stuck instance",
        "At rest, an open instance waits only for a signal that nobody has sent yet, a closed one ended as it had to, and no caller waits."
    )
{
    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.Row is { Record.Status: InstanceStatus.Faulted } faulted && !HasToFault(instance, run.Limits.ActivityAttempts))
            Violated($"Instance {instance.Id} has faulted, and nothing in it had failed for good.", [faulted, .. Last(instance)]);
        if (instance.IsContinuation)
            return;
        foreach (var row in instance.Chain)
        {
            Judged();
            if (row.Record.Status?.IsClosed() != true)
                JudgeOpen(instance, row);
            else if (row.Record is { Status: InstanceStatus.Cancelled, Parent: null } && !instance.Cancels.Any(call => call.MayBeWritten))
                Violated($"Instance {row.Record.Instance} is cancelled, and nobody has cancelled it.", [row, .. Last(instance)]);
        }

        if (instance.Chain is not [.., { Record.Status: InstanceStatus.Completed } last])
            return;
        var (expects, applied) = (Expects(instance), instance.Applied.Count());
        if (applied < expects)
        {
            Violated(
                $"Instance {last.Record.Instance} has completed with {applied} of its {expects} signals.",
                [.. instance.Chain, .. instance.Signals.SelectMany(call => call.Lines)]
            );
        }
    }

    public override void Conclude(RunFacts run)
    {
        foreach (var caller in run.GaveUp)
        {
            var what = caller.Record.Instance is { } id ? $"on instance {id}" : "to start an instance";
            Violated($"Caller '{caller.Record.Client}' of '{caller.Process}' gave up: its call {what} has not succeeded.", [caller]);
        }

        if (run.Census is not { Record.Census: { } census } line)
            return;
        if (census.Stuck > 0)
            Violated($"The database counts {census.Stuck} instances that nothing will ever move.", [line]);
        if (census.SignalsDue > 0)
            Violated($"{census.SignalsDue} signals are due, and no host has taken them.", [line]);
    }

    private void JudgeOpen(InstanceHistory instance, HistoryLine row)
    {
        if (row.Record.Waits is not WaitKinds.External)
        {
            Violated($"Instance {row.Record.Instance} is open and waits for {row.Record.Waits}, at rest.", [row, .. Last(instance)]);
            return;
        }

        if (instance.Cancels.FirstOrDefault(call => call.Outcome == AckOutcome.Accepted) is { } cancel)
        {
            Violated($"Instance {row.Record.Instance} is open; its cancellation was accepted.", [.. cancel.Lines, row]);
            return;
        }

        // What was handled or is kept has come, even when its sender does not know.
        var come = instance
            .Signals.Where(instance.IsPromised)
            .Select(call => call.Record.Key)
            .Concat(instance.Applied)
            .Concat(instance.Pending.Select(kept => kept.Record.Key))
            .Except(instance.DeadLetters.Select(letter => letter.Record.Key))
            .Count();
        var expects = Expects(instance);
        if (expects > 0 && come >= expects)
        {
            Violated(
                $"Instance {row.Record.Instance} is open, and all of its {expects} signals have come.",
                [row, .. instance.Signals.SelectMany(call => call.Lines)]
            );
        }
    }

    /// <summary>
    /// Its activity has used up its attempts, the last of which a host may have been granted that died, or it has taken the ends of
    /// its children.
    /// </summary>
    private static bool HasToFault(InstanceHistory instance, int attempts) =>
        instance.Row?.Record.Ledger is { Works: true, Results.Count: 0 }
            ? attempts == 0 || instance.Effects.Any(effect => effect.Record.Token >= attempts - 1)
            : instance.Row?.Record.Ledger is { Children: > 0, Closed: not null };

    private static int Expects(InstanceHistory instance) => instance.Chain[0].Record.Ledger?.Expects ?? 0;

    private static IEnumerable<HistoryLine> Last(InstanceHistory instance) => instance.Turns.TakeLast(2).SelectMany(turn => turn.Lines);
}
