using Serdica.Perf.Analysis.LoadTests;

namespace Serdica.Perf.Reports.Markdown;

/// <summary><c>load.md</c>: a load test for people, what it found first.</summary>
internal static class LoadMarkdown
{
    public static void Write(TextWriter writer, LoadTestResult test, RunResult run, IReadOnlyList<EngineSettingValue> engine)
    {
        writer.Write($"# Load test {test.Profile.Name} on {test.Backend}: {test.Verdict.ToString().ToUpperInvariant()}\n\n");
        if (test.Profile.Description.Length > 0)
            writer.Write($"{test.Profile.Description}\n\n");
        if (test.Scale != 1)
            writer.Write(
                $"**Shortened:** all durations times {Invariant($"{test.Scale:0.######}")}. Figures of a shortened test are no evidence "
                    + $"for the full one.\n\n"
            );
        WriteFindings(writer, test);
        WriteDebts(writer, test);
        WriteThresholds(writer, test);
        WriteSteps(writer, test);
        WriteRepeats(writer, test);
        WriteKinds(writer, test);
        WriteHosts(writer, test, run);
        WriteLatencies(writer, test);
        ErrorsTable.Write(writer, "Step", test.Steps.Select(step => (step.Name, step.Errors)));
        WriteReads(writer, test);
        StepAnalysisMarkdown.Write(writer, test, run);
        WriteAdvice(writer, test, run);
        ResourcesTable.Write(writer, test.Steps.Select(step => (step.Name, step.Resources)));
        MemoryMarkdown.Write(writer, test, run);
        EngineSettingsTable.Write(writer, engine);
        WriteConditions(writer, test, run);
        writer.HowToRepeat(test.Command);
    }

    private static void WriteFindings(TextWriter writer, LoadTestResult test)
    {
        if (test.Found is { } found)
            writer.Write($"**{found.Sentence}**\n\n");
        else if (LatencyOnset.Sentence(test.Steps) is { } onset)
            writer.Write($"{onset}\n\n");
        foreach (var step in test.Steps)
        {
            writer.Write($"- **{step.Name}: {Verdict(test, step)}.** {string.Join(" ", step.Reasons)}".TrimEnd() + "\n");
            if (step.Oscillation is { } swing)
                writer.Write(
                    $"  The backlog reached its upper bound {Figure.Number(swing.Cycles, "time")}; it was "
                        + $"{Figure.Of((long)swing.PeakBacklog)} at most.\n"
                );
            if (step.LimitedBy is { } layer)
                writer.Write($"  Limited by: {layer}. {step.LimitEvidence}\n");
        }

        if (test.NotRun.Count > 0)
            writer.Write($"\n**Not completed**, because the test was ended: {string.Join(", ", test.NotRun)}.\n");
    }

    private static void WriteThresholds(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(textColumns: 3, "Step", "Threshold", "Verdict", "Measured");
        foreach (var step in test.Steps)
        {
            foreach (var threshold in step.Thresholds)
                table.Row(step.Name, threshold.Threshold, threshold.Held ? "kept" : "broken", threshold.Shown ?? Figure.None);
        }

        writer.Section("Thresholds", "A threshold without a figure could not be judged and counts as broken.", table);
    }

    private static void WriteDebts(TextWriter writer, LoadTestResult test)
    {
        foreach (var sentence in CarriedDebt.Of(test.Steps))
            writer.Write($"- **Carried over:** {sentence}\n");
    }

    /// <summary>A trial of a search does not fail: it shows that a rate held or did not hold.</summary>
    private static string Verdict(LoadTestResult test, StepResult step) =>
        test.Found is null ? step.Verdict.ToString().ToUpperInvariant()
        : step.Verdict == StepVerdict.Passed ? "held"
        : "did not hold";

    private static void WriteSteps(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(
            textColumns: 3,
            "Step",
            "Load",
            "Verdict",
            "Target/s",
            "Offered/s",
            "Started/s",
            "Completed/s",
            "MiB/s",
            "Offered",
            "Started",
            "Completed",
            "Failed",
            "Injected failures",
            "Running",
            "Late",
            "Dropped",
            "Callers",
            "Drain s",
            "Commits/op",
            "Conflicts/op",
            "Empty claims/op",
            "Dead rows at end",
            "Log since checkpoint MiB"
        );
        foreach (var step in test.Steps)
        {
            var counts = step.Counts;
            table.Row(
                step.Name,
                step.Kind switch
                {
                    LoadKind.Open => "open",
                    LoadKind.Closed => "closed",
                    _ => "burn-down",
                },
                step.Verdict.ToString().ToLowerInvariant(),
                Figure.Of(step.TargetPerSecond),
                Figure.Of(step.OfferedPerSecond),
                Figure.Of(step.StartedPerSecond),
                Figure.Of(step.ShownPerSecond),
                Figure.Of(step.ShownPerSecond is null ? null : step.BytesPerSecond / (1 << 20)),
                Figure.Of(counts.Offered),
                Figure.Of(counts.Started),
                Figure.Of(counts.Completed),
                Figure.Of(counts.Failed),
                Figure.Of(counts.InjectedFailures),
                Figure.Of(counts.Running),
                Figure.Of(counts.Late),
                Figure.Of(counts.Dropped),
                Figure.Of((long)step.PeakUsers),
                Figure.Of(step.DrainSeconds),
                Figure.Of(step.CommitsPerOperation),
                Figure.Of(step.ConflictsPerOperation),
                Figure.Of(step.EmptyClaimsPerOperation),
                Figure.Count(step.Debt?.DeadRowsAtEnd),
                Figure.Of(step.Debt?.LogBytesAtEnd / (1 << 20))
            );
        }

        writer.Section(
            "Steps",
            "Started = completed + failed + running, and offered = started + dropped. Injected failures are intended and count as "
                + $"completed. The generator alone reaches {Ceiling(test)}.",
            table
        );
    }

    private static string Ceiling(LoadTestResult test) =>
        $"{Figure.Count(test.GeneratorCeilingPerSecond)} round trips/s over the loopback";

    private static void WriteRepeats(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Step",
            "Passed",
            "Completed/s median",
            "Min",
            "Max",
            "P50 ms median",
            "P99 ms median",
            "P99 ms lowest",
            "P99 ms highest",
            "Max ms highest"
        );
        foreach (var repeats in StepRepeats.Of(test.Steps))
        {
            table.Row(
                repeats.Name,
                $"{repeats.Passed} of {repeats.Repeats}",
                Figure.Of(repeats.ThroughputPerSecond?.Median),
                Figure.Of(repeats.ThroughputPerSecond?.Min),
                Figure.Of(repeats.ThroughputPerSecond?.Max),
                Figure.Of(repeats.P50Ms?.Median),
                Figure.Of(repeats.P99Ms?.Median),
                Figure.Of(repeats.P99Ms?.Min),
                Figure.Of(repeats.P99Ms?.Max),
                Figure.Of(repeats.MaxMs?.Max)
            );
        }

        writer.Section(
            "Repeats",
            "Each repeat is judged separately, and the verdict of the test is the worst of them. The figures include failed repeats. "
                + "Percentiles of repeats are shown side by side and never averaged.",
            table
        );
    }

    private static void WriteKinds(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Step",
            "Kind",
            "Weight",
            "Started",
            "Completed",
            "Failed",
            "Completed/s",
            "Response P50",
            "P95",
            "P99",
            "Max",
            "Service P50",
            "Service P99"
        );
        foreach (var step in test.Steps)
        {
            foreach (var kind in step.Kinds)
            {
                var (response, service) = (kind.Response.Shown(), kind.Service.Shown());
                table.Row(
                    step.Name,
                    kind.Name,
                    Figure.Each(kind.Weight),
                    Figure.Of(kind.Started),
                    Figure.Of(kind.Completed),
                    Figure.Of(kind.Failed),
                    Figure.Of(kind.ShownPerSecond),
                    Figure.Of(response.P50Ms),
                    Figure.Of(response.P95Ms),
                    Figure.Of(response.P99Ms),
                    Figure.Of(response.MaxMs),
                    Figure.Of(service.P50Ms),
                    Figure.Of(service.P99Ms)
                );
            }
        }

        writer.Section("Kinds of operations", "Times in milliseconds. The seed decides the kind of each operation.", table);
    }

    private static void WriteHosts(TextWriter writer, LoadTestResult test, RunResult run) =>
        HostsTable.Write(
            writer,
            "Step",
            test.Steps.SelectMany(step => ReportProcess.Of(step.Name, step.Hosts, run.Scenarios.FirstOrDefault(step.IsOf))),
            "Conflicts and empty claims per operation are in *Steps*. Hosts and generator together are *engine and generator* in "
                + "*Resources*. How long signals waited for a worker is known in the processes of the hosts only."
        );

    private static void WriteLatencies(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(textColumns: 2, "Step", "Time, ms", "Samples", "Average", "P50", "P90", "P95", "P99", "P99.9", "Max");
        foreach (var step in test.Steps)
        {
            foreach (
                var (name, latency) in (ReadOnlySpan<(string, LatencySummary)>)
                    [
                        ("response", step.Response.Shown()),
                        ("service", step.Service.Shown()),
                        ("failed, until the failure", step.UntilFailure.Shown()),
                        ("schedule lag", step.ScheduleLag.Shown()),
                        ("generator's own lag", step.GeneratorLag.Shown()),
                        ("queue time of signals", step.QueueTime.Shown()),
                    ]
            )
            {
                if (latency.Count > 0)
                    table.Row([step.Name, name, Figure.Of(latency.Count), .. ScenarioCells.Latencies(latency)]);
            }
        }

        writer.Section(
            "Latencies",
            "Response time counts from the intended start, service time from the call. Both cover completed operations only; "
                + "failed ones are listed separately. Schedule lag is the difference between the two. The queue time of a signal is the "
                + "time from its due time until a worker claimed it, by the database's clock.",
            table
        );
    }

    private static void WriteReads(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(textColumns: 1, "Step", "Target/s", "Achieved/s", "Completed", "Failed", "P50", "P95", "P99", "Max");
        foreach (var step in test.Steps)
        {
            if (step.Reads is { } reads)
            {
                var latency = reads.Latency.Shown();
                table.Row(
                    step.Name,
                    Figure.Of(reads.TargetPerSecond),
                    Figure.Of(ScenarioResult.Shown(reads.AchievedPerSecond, reads.Completed)),
                    Figure.Of(reads.Completed),
                    Figure.Of(reads.Failed),
                    Figure.Of(latency.P50Ms),
                    Figure.Of(latency.P95Ms),
                    Figure.Of(latency.P99Ms),
                    Figure.Of(latency.MaxMs)
                );
            }
        }

        writer.Section("Reads in parallel with the load", "Latencies in milliseconds, from the intended start.", table);
    }

    private static void WriteAdvice(TextWriter writer, LoadTestResult test, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 6, "Step", "Kind", "What", "Now", "Advised", "Why");
        foreach (var advice in LoadAdvice.Of(test, run).Concat(OperatingAdvice.Of(test)))
            table.Row(advice.Step, advice.Kind.ToString().ToLowerInvariant(), advice.Subject, advice.Now, advice.Advised, advice.Why);
        writer.Section(
            "What to try next",
            "Calculated from the figures of each step for its target rate. **None of it was tried.**",
            table
        );
    }

    private static void WriteConditions(TextWriter writer, LoadTestResult test, RunResult run)
    {
        writer.Heading("Conditions");
        var table = new MarkdownTable(textColumns: 2, "What", "Value");
        table.Row("Workflow", test.Profile.WorkName);
        if (test.Profile.Workflow == LoadProfile.ShapedWorkflow)
            table.Row("Work", test.Profile.Work.Words);
        AddArrivals(table, test.Profile);
        var several = test.Generators > 1;
        table.Row(
            "Workers",
            Figure.Of((long)test.Profile.Workers)
                + (
                    several ? " of each generator"
                    : test.Hosts > 0 ? " of each host"
                    : ""
                )
                + (test.Profile.Slots is { } slots ? $", {slots} slots{(several || test.Hosts > 0 ? " in all" : "")}" : "")
        );
        if (test.Hosts > 0)
            table.Row("Hosts", $"{test.Hosts}, each a separate process on the same store; none in the process of the generator");
        table.Row("Generators", $"{test.Generators}, ceiling {Ceiling(test)}");
        if (test.MaximumPerSecond is { } maximum)
            table.Row("Measured maximum", $"{Figure.Of(maximum)}/s, measured by a closed load before the test");
        RunConditions.AddTo(table, run);
        table.Write(writer);
        writer.Write("\nSettings of the server, statements, waits and costs of each step are in `details.md` and `summary.json`.\n");
        writer.Write(
            $"\nNot tried: {string.Join(", ", NotTried(test))}, another number of workers, other work, and generators on separate "
                + $"machines.\n"
        );
    }

    /// <summary>The seed decides random arrivals, and the kinds of a mix.</summary>
    private static void AddArrivals(MarkdownTable table, LoadProfile profile)
    {
        var patterns = profile.Steps.Where(step => step.Kind == LoadKind.Open).ToLookup(step => step.Arrivals, step => step.Name);
        if (patterns.Count > 0)
            table.Row(
                "Arrivals",
                string.Join(
                    "; ",
                    patterns.Select(steps => steps.Key.Word() + (patterns.Count > 1 ? $" in {string.Join(", ", steps.Distinct())}" : ""))
                )
            );
        if (patterns.Count > 0 || profile.Mix.Count > 0)
            table.Row("Seed", Invariant($"{profile.Seed}"));
    }

    /// <summary>By what was done: a search tries other rates and times than its profile has.</summary>
    private static IEnumerable<string> NotTried(LoadTestResult test)
    {
        if (test.Steps.Select(step => step.TargetPerSecond).Concat(test.Profile.Steps.Select(step => step.Wave?.High)).Max() is { } rate)
            yield return $"more than {Figure.Of(rate)}/s";
        if (test.Steps.Where(step => step.Kind == LoadKind.Closed).Max(step => (int?)step.MinUsers) is { } users)
            yield return $"more than {Figure.Of((long)users)} callers";
        if (test.Steps.Max(step => (double?)step.PlannedSeconds) is { } seconds)
            yield return $"steps longer than {Figure.Of(seconds)} s";
    }
}
