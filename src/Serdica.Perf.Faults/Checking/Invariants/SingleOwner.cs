namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>
/// Two processes may believe that they own an activity; only one of them may act. A process that was stopped by a fault is excepted
/// for that time: nothing can stop it from finishing its instruction when it resumes. What it reports is refused.
/// </summary>
internal sealed class SingleOwner()
    : Invariant(8, "single owner", "No attempt has its effect after a later attempt has begun, and no attempt runs twice.")
{
    private long _repeated;

    protected override string? Note =>
        _repeated switch
        {
            0 => null,
            1 => "1 attempt was repeated after it had its effect.",
            _ => $"{_repeated} attempts were repeated after they had their effect.",
        };

    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        foreach (var activity in instance.Effects.GroupBy(line => line.Record.Id))
        {
            var attempts = activity
                .Where(line => line.Record.Phase == HistoryPhase.Began)
                .GroupBy(line => line.Record.Token)
                .OrderBy(attempt => attempt.Key)
                .ToList();
            var twice = attempts.Find(attempt => attempt.Count() > 1);
            if (twice is null && !attempts.SkipLast(1).Any(attempt => HasEffect(activity, attempt.Key)))
                continue;
            Judged();
            if (twice is not null)
                Violated($"Attempt {twice.Key} of activity {activity.Key} began {twice.Count()} times.", twice);
            foreach (var (attempt, later) in attempts.Zip(attempts.Skip(1)))
                JudgePair(run, activity, attempt.First(), later.First());
        }
    }

    private void JudgePair(RunFacts run, IEnumerable<HistoryLine> activity, HistoryLine began, HistoryLine later)
    {
        if (HasEffect(activity, began.Record.Token))
            _repeated++;
        var effect = activity.FirstOrDefault(line =>
            line.Record.Phase == HistoryPhase.Done && line.Record.Token == began.Record.Token && line.Process == began.Process
        );
        if (effect is null || run.WallTime(effect) <= run.WallTime(later) + run.Limits.ClockError || WasStopped(run, began, effect))
            return;
        Violated(
            $"Attempt {began.Record.Token} of activity {began.Record.Id} had its effect after attempt {later.Record.Token} had begun.",
            [began, later, effect]
        );
    }

    private static bool HasEffect(IEnumerable<HistoryLine> activity, int? token) =>
        activity.Any(line => line.Record.Phase == HistoryPhase.Done && line.Record.Token == token);

    /// <summary>A fault is recorded before it stops the process, and its end after the process was resumed.</summary>
    private static bool WasStopped(RunFacts run, HistoryLine began, HistoryLine effect) =>
        run.Faults.Exists(stop =>
            stop.Record.Phase == HistoryPhase.Began
            && stop.Record.Name == FaultTraits.Name(FaultKind.PauseHost)
            && stop.Record.Process == began.Process
            && run.WallTime(stop) <= run.WallTime(effect)
            && !(run.EndOf(stop) is { } end && run.WallTime(end) < run.WallTime(began))
        );
}
