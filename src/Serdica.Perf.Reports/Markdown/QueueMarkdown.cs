namespace Serdica.Perf.Reports.Markdown;

/// <summary><c>queue.md</c>: a test of the bare queue for people.</summary>
internal static class QueueMarkdown
{
    public static void Write(TextWriter writer, QueueTestResult test, RunResult run, IReadOnlyList<EngineSettingValue> engine)
    {
        var plan = test.Plan;
        writer.Write($"# Queue test on {test.Backend}: {test.Verdict.ToString().ToUpperInvariant()}\n\n");
        foreach (var reason in test.Reasons)
            writer.Write($"- {reason}\n");
        foreach (var warning in test.Warnings)
            writer.Write($"- Note: {warning}\n");
        writer.Write($"Limited by {test.LimitedBy}: {test.LimitEvidence}\n");

        var table = new MarkdownTable(
            textColumns: 1,
            "",
            "Messages",
            "Messages/s",
            "MiB/s",
            "Samples",
            "Average ms",
            "P50",
            "P90",
            "P95",
            "P99",
            "P99.9",
            "Max"
        );
        Row(table, "Write: call to durable", test.Written, test.ShownWrittenPerSecond, test.WrittenMebibytesPerSecond, test.Write);
        if (test.Response.Count > 0)
            Row(table, "Write: intended start to durable", null, null, null, test.Response);
        Row(table, "Read: claimed to committed, by batch", test.Read, test.ShownReadPerSecond, test.ReadMebibytesPerSecond, test.ReadTime);
        Row(table, "End to end", null, null, null, test.EndToEnd);
        writer.Section(
            "Result",
            $"Unread: at most {Figure.Of(test.PeakUnread)} (allowed {Figure.Of((long)plan.MaxUnread)}), {Figure.Of(test.UnreadAtEnd)} "
                + $"when writing ended. Lost: {Figure.Of(test.Lost)}. Read twice: {Figure.Of(test.Duplicates)}."
                + (
                    test.CommitsPerMessage is { } commits
                        ? $" Commits per message: {Figure.Of(commits)}; log: {Figure.Count(test.LogBytesPerMessage)} bytes."
                        : ""
                ),
            table
        );

        if (test.Ladder.Count > 0)
            WriteLadder(writer, test.Ladder);

        var repeats = new MarkdownTable(
            textColumns: 2,
            "Repeat",
            "Verdict",
            "Written/s",
            "Read/s",
            "Write P99 ms",
            "End to end P50 ms",
            "P95",
            "P99",
            "Max"
        );
        foreach (var repeat in test.Repeats)
        {
            var (write, endToEnd) = (repeat.Write.Shown(), repeat.EndToEnd.Shown());
            repeats.Row(
                $"#{repeat.Number}",
                repeat.Verdict.ToString().ToLowerInvariant(),
                Figure.Of(repeat.ShownWrittenPerSecond),
                Figure.Of(repeat.ShownReadPerSecond),
                Figure.Of(write.P99Ms),
                Figure.Of(endToEnd.P50Ms),
                Figure.Of(endToEnd.P95Ms),
                Figure.Of(endToEnd.P99Ms),
                Figure.Of(endToEnd.MaxMs)
            );
        }

        writer.Section(
            "Repeats",
            $"Each on fresh tables. All other figures here are those of #{test.Repeat}, which has the median end-to-end p99; the verdict "
                + "is the worst of all, and messages lost or read twice are those of all.",
            repeats
        );

        var interim = new MarkdownTable(textColumns: 0, "At s", "Written/s", "Read/s", "Unread", "End to end P99 ms");
        foreach (var interval in test.Intervals)
            interim.Row(
                Figure.Of(interval.AtSeconds),
                Figure.Of(interval.WrittenPerSecond),
                Figure.Of(interval.ReadPerSecond),
                Figure.Of(interval.Unread),
                Figure.Of(interval.EndToEndP99Ms)
            );
        writer.Section("Interim reports", "", interim);
        HostsTable.Write(
            writer,
            "Test",
            ReportProcess.Of(test.Scenario ?? "queue", test.Hosts, run.Scenarios.FirstOrDefault(test.IsOf)),
            "*Signals* are messages that were read. Hosts and generator together are *engine and generator* in *Resources*."
        );
        ResourcesTable.Write(writer, [("queue", test.Resources)]);

        EngineSettingsTable.Write(writer, engine);
        writer.Heading("Conditions");
        var conditions = new MarkdownTable(textColumns: 2, "What", "Value");
        conditions.Row(
            "Mode",
            plan.Mode == QueueMode.Queue
                ? "queue: one reader gets a message"
                : $"publish and subscribe: each of {plan.Subscribers} subscribers gets every message"
        );
        conditions.Row("Queues", Figure.Of((long)plan.Queues));
        conditions.Row("Writers, readers", $"{plan.Writers}, {plan.Readers}");
        if (test.Hosts.Count > 0)
            conditions.Row("Hosts", $"{test.Hosts.Count}, each a separate process that reads; none reads in the process of the writers");
        conditions.Row("Payload", $"{Figure.Of((long)plan.PayloadBytes)} bytes");
        conditions.Row("Throttle", plan.PerSecond is { } rate ? $"{Figure.Of(rate)}/s" : "none");
        if (test.Arrivals is { } pattern)
            conditions.Row("Arrivals", pattern.Word());
        if (test.Seed is { } seed)
            conditions.Row("Seed", Invariant($"{seed}"));
        conditions.Row(
            "Vacuum",
            plan.TuneVacuum ? "early, by the settings of the table and once a second by the suite" : "the server's own"
        );
        RunConditions.AddTo(conditions, run);
        conditions.Write(writer);
        writer.Write(
            "\nConcurrent writers share a commit. A reader claims the due messages with `skip locked` and removes them in one commit. "
                + "Client and server ran on the machines shown above.\n"
        );
        var sizes = test.Ladder is [.., var last]
            ? $"more than {Figure.Of((long)last.Writers)} writers, other numbers of readers and queues"
            : "other numbers of writers, readers and queues";
        var otherMode = plan.Mode == QueueMode.Queue ? "publish and subscribe" : "one reader for each message";
        writer.Write(
            $"\nNot tried: {sizes}, other payloads, {otherMode}, "
                + $"longer than {Figure.Of(plan.Duration.TotalSeconds)} s, and a client on a separate machine.\n"
        );
        writer.HowToRepeat(test.Command);
    }

    private static void WriteLadder(TextWriter writer, IReadOnlyList<QueueRung> levels)
    {
        var table = new MarkdownTable(
            textColumns: 0,
            "Writers",
            "Written/s",
            "Read/s",
            "End to end P50 ms",
            "P95",
            "P99",
            "Processor µs/message"
        );
        foreach (var level in levels)
        {
            var endToEnd = level.EndToEnd.Shown();
            table.Row(
                Figure.Of((long)level.Writers),
                Figure.Of(level.ShownWrittenPerSecond),
                Figure.Of(level.ShownReadPerSecond),
                Figure.Of(endToEnd.P50Ms),
                Figure.Of(endToEnd.P95Ms),
                Figure.Of(endToEnd.P99Ms),
                Figure.Count(level.ProcessorUs)
            );
        }

        writer.Section(
            "Writers",
            $"**{QueueRung.Sentence(levels)}** Growth below {Figure.Share(CapacityLadder.LeastGrowth)} counts as none. Each number of "
                + "writers had fresh tables. All other figures here are those of the one that wrote the most, and messages lost or read "
                + "twice are those of all.",
            table
        );
    }

    private static void Row(MarkdownTable table, string name, long? messages, double? perSecond, double? mebibytes, LatencySummary recorded)
    {
        var latency = recorded.Shown();
        table.Row([
            name,
            messages is { } count ? Figure.Of(count) : Figure.None,
            Figure.Of(perSecond),
            Figure.Of(perSecond is null ? null : mebibytes),
            Figure.Of(latency.Count),
            .. ScenarioCells.Latencies(latency),
        ]);
    }
}
