namespace Serdica.Perf.Reports.Summary;

/// <summary>
/// Backend beside backend in the dimensions of the reference, of any runs together. It ranks nobody: what was not alike is
/// said above the tables. Pure.
/// </summary>
internal static class BackendComparisonMarkdown
{
    private static readonly (string Phase, string Heading)[] Phases =
    [
        (PhaseNames.Start, "Start avg ms"),
        (PhaseNames.SignalPublish, "Publish avg ms"),
        (PhaseNames.SignalToCompletion, "Signal to completion avg ms"),
        (PhaseNames.Enqueue, "Enqueue avg ms"),
        (PhaseNames.EnqueueToHandled, "Enqueue to handled avg ms"),
    ];

    /// <param name="runs">One or more. Of a scenario that several have measured on one backend the typical result is shown, as of
    /// repeats.</param>
    public static void Write(TextWriter writer, IReadOnlyList<RunResult> runs)
    {
        runs = BackendConditions.Apart(runs);
        var view = new ReportView(Merge(runs));
        var scenarios = view.Typical.GroupBy(scenario => scenario.Scenario).ToArray();

        writer.Write("# Backends side by side\n\nRuns:\n\n");
        foreach (var run in runs)
            writer.Write(
                $"- `{run.Publication?.Name ?? run.RunId}`: {TitleSection.Outcome(run.Status)}. {run.StatusReason}".TrimEnd() + "\n"
            );
        WarningsSection.Write(writer, view);
        WriteDatabases(writer, view);
        WriteDifferences(writer, runs, scenarios);
        WriteSpeed(writer, scenarios);
        WritePhases(writer, scenarios);
        WriteCosts(writer, scenarios);
        WriteOutcomes(writer, view, scenarios);
        ReferenceSection.Write(writer, view);
    }

    private static RunResult Merge(IReadOnlyList<RunResult> runs)
    {
        ScenarioResult[] scenarios = [.. runs.SelectMany(run => run.Scenarios)];
        return runs[0] with
        {
            Databases = [.. runs.SelectMany(run => run.Databases).DistinctBy(database => database.Backend)],
            Scenarios = scenarios,
            Warnings = [.. runs.SelectMany(run => run.Warnings)],
            Repeats = RepeatSummary.Of(scenarios),
        };
    }

    private static void WriteDatabases(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(textColumns: 5, "Backend", "Product", "Version", "Source", "Durability");
        foreach (var database in view.Run.Databases)
            table.Row(
                database.Backend,
                database.Product,
                database.Version ?? "unknown",
                database.Source,
                DurabilityWords.Of(database.Durability)
            );
        writer.Section("Databases", "", table);
    }

    private static void WriteDifferences(
        TextWriter writer,
        IReadOnlyList<RunResult> runs,
        IEnumerable<IGrouping<string, ScenarioResult>> scenarios
    )
    {
        string[] differences =
        [
            .. runs.Skip(1).SelectMany(run => Likeness.Differences(runs[0], run)).Distinct(),
            .. from scenario in scenarios
            from other in scenario.Skip(1)
            from difference in Likeness.Differences(other, scenario.First())
            select $"{other.Name} compared with {scenario.First().Name}: {difference}",
            .. BackendConditions.Differences(runs),
            .. from database in runs.SelectMany(run => run.Databases)
            where database is { IsInProcess: false } && database.Durability != Durability.Durable
            select $"{database.Backend}: {DurabilityWords.Of(database.Durability)}",
        ];
        if (differences.Length == 0)
            return;
        writer.Heading("Different conditions");
        writer.Write("Figures that these differences affect cannot be compared:\n\n");
        foreach (var difference in differences)
            writer.Write($"- {difference}\n");
    }

    private static void WriteSpeed(TextWriter writer, IReadOnlyList<IGrouping<string, ScenarioResult>> scenarios)
    {
        // A round trip has a commit less where signals are decided directly.
        var differ = scenarios.Any(scenario => ScenarioCells.Ways(scenario).Distinct().Count() > 1);
        var ways = scenarios
            .SelectMany(scenario => scenario.Zip(ScenarioCells.Ways(scenario)))
            .ToDictionary<(ScenarioResult Scenario, string Way), ScenarioResult, string>(
                pair => pair.Scenario,
                pair => pair.Way,
                ReferenceEqualityComparer.Instance
            );
        var table = new MarkdownTable(
            textColumns: differ ? 3 : 2,
            ["Scenario", "Backend", .. differ ? ["Signals"] : Array.Empty<string>(), "Throughput/s", "Avg ms", "P95 ms", "P99 ms", "Max ms"]
        );
        Rows(table, scenarios, scenario =>
        {
            var latency = ScenarioCells.Trusted(scenario, scenario.ResponseTime);
            return
            [
                .. differ ? [ways[scenario]] : Array.Empty<string>(),
                ScenarioCells.Throughput(scenario),
                Figure.Of(latency.AverageMs),
                Figure.Of(latency.P95Ms),
                Figure.Of(latency.P99Ms),
                Figure.Of(latency.MaxMs),
            ];
        });
        writer.Section(
            "Throughput and latency",
            "Up to each operation's own completion, without the drain. For repeats: the throughput of the middle one, the median of each "
                + "latency over those that passed, and the highest maximum.",
            table
        );
    }

    private static void WritePhases(TextWriter writer, IEnumerable<IGrouping<string, ScenarioResult>> scenarios)
    {
        var table = new MarkdownTable(textColumns: 2, ["Scenario", "Backend", .. Phases.Select(phase => phase.Heading), "Drain ms"]);
        Rows(table, scenarios, scenario =>
            [
                .. Phases.Select(phase => Figure.Of(Phase(scenario, phase.Phase).AverageMs)),
                Figure.Of(scenario.Status == ScenarioStatus.Passed ? scenario.Drain?.DurationMs : null),
            ]
        );
        writer.Section("Phases", "", table);
    }

    private static void WriteCosts(TextWriter writer, IEnumerable<IGrouping<string, ScenarioResult>> scenarios)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Backend",
            "Writing commits/op",
            "Commits/op",
            "Logical reads/op",
            "Log bytes/op",
            "Database CPU ms/op",
            "Engine CPU ms/op",
            "Top wait"
        )
        {
            EndsWithText = true,
        };
        string[] costs =
        [
            MetricNames.WritingCommits,
            MetricNames.Commits,
            MetricNames.LogicalReads,
            MetricNames.WalBytes,
            MetricNames.DatabaseCpu,
            MetricNames.EngineCpu,
        ];
        Rows(table, scenarios, scenario =>
            [.. costs.Select(cost => Figure.Each(ScenarioCells.PerOperation(scenario, cost))), ScenarioCells.TopWait(scenario)]
        );
        writer.Section(
            "Commits, reads, log and waits",
            "Each database's own counterpart. A dash means that the database does not report it.",
            table
        );
    }

    private static void WriteOutcomes(TextWriter writer, ReportView view, IEnumerable<IGrouping<string, ScenarioResult>> scenarios)
    {
        var table = new MarkdownTable(
            textColumns: 3,
            "Scenario",
            "Backend",
            "Result",
            "Completed",
            "Failed",
            "Dead letters",
            "Conflicts",
            "Stuck"
        );
        Rows(table, scenarios, scenario =>
        {
            var repeats = view.Repeats(scenario);
            string Sum(Func<OperationCounts, long> count) => Figure.Of(repeats.Sum(repeat => count(repeat.Counts)));
            return
            [
                ScenarioCells.Outcome(repeats),
                Sum(counts => counts.Completed),
                Sum(counts => counts.Failed),
                Sum(counts => counts.DeadLettered),
                Sum(counts => counts.Conflicts),
                Sum(counts => counts.Stuck),
            ];
        });
        writer.Section("Failures, dead letters, conflicts, stuck instances", "Sums over all repeats.", table);
        VerificationSection.WriteReasons(writer, view);
    }

    private static void Rows(
        MarkdownTable table,
        IEnumerable<IGrouping<string, ScenarioResult>> scenarios,
        Func<ScenarioResult, string[]> cells
    )
    {
        foreach (var scenario in scenarios)
        {
            foreach (var result in scenario)
                table.Row([scenario.Key, result.Backend, .. cells(result)]);
        }
    }

    private static LatencySummary Phase(ScenarioResult scenario, string phase) =>
        ScenarioCells.Trusted(scenario, scenario.Phases.GetValueOrDefault(phase));
}
