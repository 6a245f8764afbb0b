namespace Serdica.Perf.Measurement.Queues;

/// <summary>The figures of a test of queues, its verdict and what limited it.</summary>
internal static class QueueResults
{
    private const double HeldShare = 0.99;
    private const double Mebibyte = 1 << 20;

    public static QueueTestResult Of(
        DrivenQueue load,
        ScenarioResult measured,
        QueueReporter reporter,
        QueuePlan plan,
        string runId,
        string command
    )
    {
        var (recorder, ledger) = (load.Recorder, load.Writes.Ledger);
        var seconds = load.Window.TotalSeconds;
        var (written, read) = (
            recorder.Completed / seconds,
            load.ReadWindow is { TotalSeconds: > 0 and var reading } ? ledger.CopiesRead / reading : 0
        );
        var (limit, evidence) = Limit(load, plan, written);
        var growth = SustainedLoad.GrowingUnread(reporter.Unread, seconds, load.OfferedPerSecond ?? written);
        var isTooShort = !SustainedLoad.CanFindGrowth(reporter.Unread, seconds);
        string[] failures =
        [
            .. measured.FailureReasons,
            .. (IEnumerable<string>)(
                recorder.Dropped == 0 ? [] : [Invariant($"{recorder.Dropped:N0} writes were never started: all writers were busy.")]
            ),
            .. (IEnumerable<string>)(growth is { Share: > 1 - StepJudge.MissedShare } ? [growth.Value.Sentence] : []),
        ];
        string[] doubts =
        [
            .. (IEnumerable<string>)(recorder.Completed == 0 ? ["No message was written, so nothing was tested."] : []),
            .. (IEnumerable<string>)(
                Held(load, written) ? [] : [Invariant($"It wrote {written:N0} of {load.OfferedPerSecond:N0} messages a second.")]
            ),
            .. (IEnumerable<string>)(growth is { Share: <= 1 - StepJudge.MissedShare } ? [growth.Value.Sentence] : []),
            .. (IEnumerable<string>)(
                isTooShort ? ["Not known to be sustained: the test was too short to see whether unread messages grow."] : []
            ),
        ];
        return new()
        {
            Verdict =
                measured.Status != ScenarioStatus.Passed || failures.Length > 0 ? StepVerdict.Failed
                : doubts.Length > 0 ? StepVerdict.Degraded
                : StepVerdict.Passed,
            Reasons = [.. failures, .. doubts],
            Arrivals = plan.PerSecond is null ? null : DrivenQueue.Arrivals,
            Seed = plan.PerSecond is null ? null : DrivenQueue.Seed,
            Repeat = measured.Parameters.Repeat,
            Scenario = measured.Name,
            RunId = runId,
            Backend = measured.Backend,
            Plan = plan,
            Hosts = measured.Processes?.Hosts ?? [],
            Written = recorder.Completed,
            Read = ledger.CopiesRead,
            WrittenPerSecond = written,
            ReadPerSecond = read,
            WrittenMebibytesPerSecond = written * plan.PayloadBytes / Mebibyte,
            ReadMebibytesPerSecond = read * plan.PayloadBytes / Mebibyte,
            PeakUnread = Math.Max(
                load.UnreadAtEnd,
                load.Writes.Waits > 0 ? plan.MaxUnread : (long)reporter.Unread.Select(look => look.Messages).DefaultIfEmpty().Max()
            ),
            UnreadAtEnd = load.UnreadAtEnd,
            Lost = ledger.Lost(recorder.Completed),
            Duplicates = ledger.Duplicates,
            Write = load.Writes.WriteTime.Snapshot().Summarize(),
            Response = measured.ResponseTime,
            ReadTime = ledger.ReadTime.Snapshot().Summarize(),
            EndToEnd = ledger.EndToEnd.Snapshot().Summarize(),
            LimitedBy = limit,
            LimitEvidence = evidence,
            Intervals = reporter.Intervals,
            CommitsPerMessage = measured.CostPerOperation.GetValueOrDefault(MetricNames.Commits)?.Value,
            LogBytesPerMessage = measured.CostPerOperation.GetValueOrDefault(MetricNames.WalBytes)?.Value,
            Command = command,
        };
    }

    /// <summary>By what arrived, which random arrivals make a little more or less than the throttle.</summary>
    private static bool Held(DrivenQueue load, double written) =>
        load.OfferedPerSecond is not { } offered || written >= HeldShare * offered;

    private static (string Limit, string Evidence) Limit(DrivenQueue load, QueuePlan plan, double written)
    {
        if (load.OfferedPerSecond is { } offered && Held(load, written))
            return (
                "the throttle",
                Invariant($"{written:N0} of {offered:N0} a second: what the server could do beyond that is not known.")
            );
        if (load.Writes.Waits > load.Recorder.Completed / 10)
            return (
                "the readers",
                Invariant($"{load.Writes.Waits:N0} of {load.Recorder.Completed:N0} writes waited because {plan.MaxUnread:N0} messages ")
                    + "were unread."
            );
        return (
            "the writers and what they wait for",
            Invariant($"{plan.Writers} writers with one write each in flight, ")
                + Invariant($"{load.Writes.WriteTime.Snapshot().Summarize().AverageMs:0.00} ms on average; details.md shows what the ")
                + "server did."
        );
    }
}
