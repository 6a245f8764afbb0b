using static Serdica.Perf.Reports.Html.HtmlPage;

namespace Serdica.Perf.Reports.Html;

/// <summary>The report in tables, for a build without the page. Pure; line feeds.</summary>
internal static class HtmlTables
{
    /// <summary>What a process used and did, after its id.</summary>
    private static readonly string[] UseColumns =
    [
        "CPU s",
        "Memory MiB",
        "Highest memory MiB",
        "Connections",
        "Clock ms",
        "Signals",
        "Activities",
        "Empty claims",
        "Conflicts",
        "Failed calls",
    ];

    public static void Write(TextWriter writer, ReportDocument document)
    {
        HtmlPage.Write(writer, document.Title, () => WriteContent(writer, document));
    }

    private static void WriteContent(TextWriter writer, ReportDocument document)
    {
        var answers = document.Answers;
        writer.Write(
            $"""
            <h1>{answers.Word}: {Escaped(document.Title)}</h1>
            <p>{Escaped(answers.Outcome)}</p>
            <p><strong>Tables only:</strong> this build of serdica-perf was made without Node, and so without the page that
            draws charts. Phases, checks and timelines are in details.md and summary.json; trends and curves need the page with
            charts.</p>

            """
        );
        foreach (var sentence in document.LeftOut)
            writer.Write($"<p><strong>{Escaped(sentence)}</strong></p>\n");
        WriteAnswers(writer, answers);
        WriteWarnings(writer, document.Runs);
        WriteLoadTests(writer, document.LoadTests);
        WriteScenarios(writer, document.Scenarios);
        Table(
            writer,
            "Errors by class",
            4,
            ["Scenario", "Operation", "Class and code", "First message", "Count"],
            from scenario in document.Scenarios
            from error in scenario.Errors
            select (string[])
                [scenario.Name, error.Operation, $"{error.Class} {error.Code}".TrimEnd(), error.FirstMessage, Figure.Of(error.Count)]
        );
        WriteProcesses(writer, document.Processes);
        WriteComparison(writer, document.Comparison);
        WriteLadders(writer, document.Ladders);
        WriteWaits(writer, document.Scenarios);
        WriteCosts(writer, document.Scenarios);
        WriteRuns(writer, document.Runs);
    }

    private static void WriteAnswers(TextWriter writer, ReportAnswers answers)
    {
        Table(
            writer,
            "How fast",
            4,
            ["Backend", "Scenario", "Load", "Operation", "Throughput/s", "P50 ms", "P99 ms", "Alone, P50 ms"],
            answers.Speeds.Select(speed =>
                (string[])
                    [
                        speed.Label,
                        speed.Scenario,
                        speed.Load,
                        speed.Operation,
                        Figure.Of(speed.PerSecond),
                        Figure.Of(speed.P50Ms),
                        Figure.Of(speed.P99Ms),
                        Figure.Of(speed.SerialP50Ms),
                    ]
            )
        );
        Table(
            writer,
            "What limits it",
            4,
            ["Backend", "Limit", "Evidence", "Seen in"],
            answers.Limits.Select(limit => (string[])[limit.Label, limit.Limit, limit.Evidence, limit.Scenario])
        );
        writer.Write($"<h2>What changed</h2>\n<p>{Escaped(answers.Change)}</p>\n");
    }

    private static void WriteWarnings(TextWriter writer, IReadOnlyList<ReportRun> runs)
    {
        Table(
            writer,
            "Warnings",
            4,
            ["Run", "Code", "Scenario", "Warning"],
            from run in runs
            from warning in run.Warnings
            select (string[])[run.Name, warning.Code, warning.Scenario ?? "", warning.Sentence]
        );
        Table(
            writer,
            "Not measured",
            3,
            ["Run", "What", "Why"],
            from run in runs
            from missing in run.NotMeasured
            select (string[])[run.Name, missing.Scenario ?? missing.Backend, missing.Reason]
        );
    }

    private static void WriteLoadTests(TextWriter writer, IReadOnlyList<ReportLoadTest> tests)
    {
        foreach (var test in tests)
        {
            Table(
                writer,
                $"Steps of {test.Name} on {test.Backend}",
                2,
                [
                    "Step",
                    "Verdict",
                    "Target/s",
                    "Started/s",
                    "Completed/s",
                    "P50 ms",
                    "P99 ms",
                    "Max ms",
                    "Failed",
                    "Late",
                    "Dropped",
                    "Drain s",
                ],
                test.Steps.Select(step =>
                    (string[])
                        [
                            step.Name,
                            $"{step.Verdict.ToString().ToUpperInvariant()} {string.Join(" ", step.Reasons)}".TrimEnd(),
                            Figure.Of(step.TargetPerSecond),
                            Figure.Of(step.StartedPerSecond),
                            Figure.Of(step.CompletedPerSecond),
                            Figure.Of(step.Response.P50Ms),
                            Figure.Of(step.Response.P99Ms),
                            Figure.Of(step.Response.MaxMs),
                            Figure.Of(step.Failed),
                            Figure.Of(step.Late),
                            Figure.Of(step.Dropped),
                            Figure.Of(step.DrainSeconds),
                        ]
                )
            );
            Table(
                writer,
                $"Kinds of operations of {test.Name} on {test.Backend}",
                2,
                ["Step", "Kind", "Started", "Completed", "Failed", "Completed/s", "P50 ms", "P99 ms", "Max ms"],
                from step in test.Steps
                from kind in step.Kinds
                let response = kind.Response
                select (string[])
                    [
                        step.Name,
                        kind.Name,
                        Figure.Of(kind.Started),
                        Figure.Of(kind.Completed),
                        Figure.Of(kind.Failed),
                        Figure.Of(kind.CompletedPerSecond),
                        Figure.Of(response.P50Ms),
                        Figure.Of(response.P99Ms),
                        Figure.Of(response.MaxMs),
                    ]
            );
            Table(
                writer,
                $"Thresholds of {test.Name} on {test.Backend}",
                3,
                ["Step", "Threshold", "Verdict", "Measured"],
                from step in test.Steps
                from threshold in step.Thresholds
                select (string[])[step.Name, threshold.Threshold, threshold.Held ? "kept" : "BROKEN", threshold.Shown ?? Figure.None]
            );
            Table(
                writer,
                $"Hosts of {test.Name} on {test.Backend}",
                1,
                ["Step", "Host", "Process", .. UseColumns],
                from step in test.Steps
                from pair in step.Hosts.Zip(ReportProcess.Of(step.Name, step.Hosts, scenario: null))
                select (string[])[step.Name, Invariant($"{pair.First.Number}"), .. Use(pair.Second)]
            );
            Table(
                writer,
                $"Phases and faults of {test.Name} on {test.Backend}",
                1,
                ["Phase or fault", "From s", "To s"],
                test.Marks.Select(mark =>
                    (string[])[mark.IsFault ? $"FAULT: {mark.Label}" : mark.Label, Figure.Of(mark.FromSeconds), Figure.Of(mark.ToSeconds)]
                )
            );
        }
    }

    private static void WriteProcesses(TextWriter writer, IReadOnlyList<ReportProcess> processes) =>
        Table(
            writer,
            "Hosts, generator and database",
            2,
            ["Scenario", "Process", "Id", .. UseColumns],
            processes.Select(process => (string[])[process.Name, process.Role, .. Use(process)])
        );

    /// <summary>The id of a process, then what it used and did: <see cref="UseColumns"/>.</summary>
    private static string[] Use(ReportProcess process) =>
        [
            process.ProcessId is { } id ? Invariant($"{id}") : Figure.None,
            Figure.Of(process.CpuMs / 1000),
            Figure.Count(process.MemoryBytes / (1 << 20)),
            Figure.Count(process.PeakMemoryBytes / (1 << 20)),
            Figure.Count(process.Connections),
            process.Clock?.Text ?? Figure.None,
            Figure.Count(process.Counters?.Signals),
            Figure.Count(process.Counters?.ActivityAttempts),
            Figure.Count(process.Counters?.EmptyClaims),
            Figure.Count(process.Counters?.Conflicts),
            Figure.Count(process.Counters?.BackendFailures),
        ];

    private static void WriteScenarios(TextWriter writer, IReadOnlyList<ReportScenario> scenarios) =>
        Table(
            writer,
            "Scenarios",
            3,
            ["Scenario", "Result", "Load", "Throughput/s", "Avg ms", "P50 ms", "P95 ms", "P99 ms", "P99.9 ms", "Max ms", "Drain ms"],
            scenarios.Select(scenario =>
            {
                var latency = scenario.ResponseTime;
                return (string[])
                    [
                        scenario.Name,
                        scenario.Status == ScenarioStatus.Passed
                            ? "passed"
                            : $"{(scenario.DidNotHold ? "did not hold" : scenario.Status.ToString().ToUpperInvariant())}: "
                                + $"{string.Join(" ", scenario.FailureReasons)}",
                        scenario.Load,
                        Figure.Of(scenario.ThroughputPerSecond),
                        Figure.Of(latency.AverageMs),
                        Figure.Of(latency.P50Ms),
                        Figure.Of(latency.P95Ms),
                        Figure.Of(latency.P99Ms),
                        Figure.Of(latency.P99Point9Ms),
                        Figure.Of(latency.MaxMs),
                        Figure.Of(scenario.DrainMs),
                    ];
            })
        );

    private static void WriteComparison(TextWriter writer, RunComparison? comparison)
    {
        if (comparison is null)
            return;

        if (ComparisonText.DifferentConditions(comparison) is { } different)
            writer.Write($"<p><strong>{Escaped(different)}</strong></p>\n");
        Table(
            writer,
            $"Compared with {comparison.Base}",
            3,
            ["Scenario", "Metric", "Verdict", "Change", "Evidence"],
            from scenario in comparison.Scenarios
            from metric in scenario.Metrics
            select (string[])
                [
                    scenario.Name,
                    metric.Metric,
                    $"{ComparisonText.Words(metric)}. {metric.Reason}".TrimEnd(),
                    ComparisonText.Change(metric),
                    ComparisonText.Evidence(metric),
                ]
        );
    }

    private static void WriteLadders(TextWriter writer, IReadOnlyList<ReportLadder> ladders)
    {
        foreach (var (run, ladder, sizing, fit, _) in ladders)
        {
            Table(
                writer,
                $"Capacity ladder: {ladder.Backend}, {ladder.Load.ToString().ToLowerInvariant()} load, {run}",
                1,
                ["Callers", "Throughput/s", "P95 ms", "Growth", "Law's throughput/s", "Verdict"],
                ladder.Rungs.Select(level =>
                    (string[])
                        [
                            Figure.Of((long)level.Concurrency),
                            Figure.Of(level.ThroughputPerSecond),
                            Figure.Of(level.P95Ms),
                            Figure.Share(level.Growth),
                            Figure.Of(ladder.Fit?.ThroughputAt(level.Concurrency)),
                            LadderText.Words(level.Verdict),
                        ]
                )
            );
            writer.Write($"<p>Sizing note: {Escaped(sizing)}</p>\n<p>Universal Scalability Law: {Escaped(fit)}</p>\n");
        }
    }

    private static void WriteWaits(TextWriter writer, IReadOnlyList<ReportScenario> scenarios) =>
        Table(
            writer,
            "Waits of each scenario",
            3,
            ["Scenario", "Wait", "Kind", "µs per operation", "Share"],
            from scenario in scenarios
            from wait in scenario.Waits.Take(5)
            select (string[])[scenario.Name, wait.Name, wait.Kind, Figure.Of(wait.MicrosecondsPerOperation), Figure.Share(wait.Share)]
        );

    private static void WriteCosts(TextWriter writer, IReadOnlyList<ReportScenario> scenarios)
    {
        var metrics = scenarios
            .SelectMany(scenario => scenario.CostPerOperation)
            .Where(cost => cost.Value.Value is not null)
            .DistinctBy(cost => cost.Key)
            .OrderBy(cost => cost.Key, StringComparer.Ordinal)
            .ToArray();
        Table(
            writer,
            "Cost per operation",
            1,
            ["Scenario", .. metrics.Select(metric => $"{metric.Key} {metric.Value.Unit}".TrimEnd())],
            from scenario in scenarios
            where scenario.CostPerOperation.Count > 0
            select (string[])
                [scenario.Name, .. metrics.Select(metric => Figure.Each(scenario.CostPerOperation.GetValueOrDefault(metric.Key)?.Value))]
        );
    }

    private static void WriteRuns(TextWriter writer, IReadOnlyList<ReportRun> runs) =>
        Table(
            writer,
            "Runs",
            6,
            ["Run", "Begun", "Commit", "Machine", "Databases", "How to repeat"],
            runs.Select(run =>
                (string[])
                    [
                        run.Name,
                        Figure.Time(run.StartedAt),
                        run.Source,
                        run.Environment.Machine.MachineName,
                        string.Join(", ", run.Databases.Select(database => $"{database.Product} {database.Version}".TrimEnd())),
                        run.Command,
                    ]
            )
        );
}
