namespace Serdica.Perf.Faults.History;

/// <summary>What a decision says, as lines of a history.</summary>
internal static class DecisionRecords
{
    /// <summary>The timers that a claim has found due, but for those that are put off.</summary>
    public static IEnumerable<HistoryRecord> Claimed(long operation, ClaimedInstance claimed, Decision decision, DateTimeOffset now) =>
        claimed
            .Signals.Where(signal => signal.Kind == SignalKind.Timer && decision.Sent?.Exists(sent => sent.Id == signal.Id) != true)
            .Select(signal => new HistoryRecord
            {
                Kind = HistoryKind.TimerFired,
                Operation = operation,
                Instance = signal.InstanceId,
                Id = signal.Id,
                Time = now,
            });

    /// <param name="now">The database's clock at the claim; null for a start, whose time is that of its row.</param>
    public static IEnumerable<HistoryRecord> Of(long operation, Decision decision, DateTimeOffset? now)
    {
        if (decision is { Instance: { } instance, ExpectedVersion: >= 0 })
        {
            yield return new HistoryRecord
            {
                Kind = HistoryKind.Turn,
                Operation = operation,
                Instance = instance.Id,
                Version = decision.ExpectedVersion,
                Next = instance.Version,
                Status = instance.Status,
            };
        }

        foreach (var started in decision.Started ?? [])
        {
            var continues = decision.Continued?.Exists(continuation => continuation.To == started.Id) == true;
            yield return new HistoryRecord
            {
                Kind = HistoryKind.Started,
                Operation = operation,
                Instance = started.Id,
                Parent = continues ? decision.Instance?.Id : started.ParentId,
                Definition = started.Definition,
                Continues = continues ? true : null,
            };
        }

        foreach (var timer in decision.Sent ?? [])
        {
            if (timer.Kind == SignalKind.Timer)
            {
                yield return new HistoryRecord
                {
                    Kind = HistoryKind.TimerArmed,
                    Operation = operation,
                    Instance = timer.InstanceId,
                    Id = timer.Id,
                    Time = timer.Due.At ?? now,
                    Delay = (long)timer.Due.Delay.TotalMicroseconds,
                };
            }
        }
    }
}
