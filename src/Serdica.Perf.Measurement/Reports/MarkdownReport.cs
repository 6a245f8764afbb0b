using Serdica.Perf.Measurement.Recording;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports;

/// <summary>
/// A run as Markdown, for <c>summary.md</c> and for the summary page of a pipeline. Pure: the same result gives the same
/// text everywhere, with line feeds.
/// </summary>
public static class MarkdownReport
{
    private const string LatencyTier = "WorkflowPerfLatency";
    private const string ThroughputTier = "WorkflowPerfThroughput";

    public static void Write(TextWriter writer, RunResult run)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(run);

        WriteTitle(writer, run);
        EnvironmentSection.Write(writer, run);
        WriteWarnings(writer, run);
        WriteSummary(writer, run);
        WriteRepeats(writer, run);
        WritePhases(writer, "Serial latency phases", run.Scenarios.Where(scenario => scenario.Tier == LatencyTier));
        WritePhases(writer, "Steady throughput phases", run.Scenarios.Where(scenario => scenario.Tier == ThroughputTier));
        WritePhases(writer, "Phases of the other scenarios", run.Scenarios.Where(scenario => scenario.Tier is not (LatencyTier or ThroughputTier)));
        WriteTransport(writer, run);
        WriteBusinessFlows(writer, run);
        WriteCosts(writer, run);
        WaitsSection.Write(writer, [.. run.Scenarios.Where(scenario => scenario.Status == ScenarioStatus.Passed).Select(scenario => (Name(scenario, run), scenario))]);
        WriteLatencyToDrain(writer, run);
        WriteSteadiness(writer, run);
        WriteVerification(writer, run);
        WriteNotMeasured(writer, run);
        WriteHowToRepeat(writer, run);
    }

    private static void WriteTitle(TextWriter writer, RunResult run)
    {
        var status = run.Status switch
        {
            RunStatus.Passed => "Passed",
            RunStatus.Failed => "FAILED",
            _ => "ABORTED",
        };
        var passed = run.Scenarios.Count(scenario => scenario.Status == ScenarioStatus.Passed);
        writer.Write($"# {status}: workflow performance {run.RunId}\n\n");
        if (run.StatusReason is { } reason)
            writer.Write($"{reason}\n\n");
        writer.Write(
            $"{Figure.Of(passed)} of {Figure.Of(run.Scenarios.Count)} measurements passed, from {Figure.Time(run.StartedAt)} " +
            $"to {Figure.Time(run.FinishedAt)}, on {run.Environment.Machine.MachineName}.\n");
    }

    private static void WriteWarnings(TextWriter writer, RunResult run)
    {
        if (run.Warnings.Count == 0)
            return;

        Heading(writer, "Warnings");
        foreach (var warning in run.Warnings)
            writer.Write($"- **{warning.Code}**: {warning.Sentence}\n");
    }

    private static void WriteSummary(TextWriter writer, RunResult run)
    {
        Heading(writer, "Scenario summary");
        writer.Write("Latency is of each operation to its own completion, from when its call was made. Milliseconds.\n\n");
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario", "Tier", "Ops", "Conc", "Workers", "Duration", "Throughput/s", "Avg", "P50", "P90", "P95", "P99", "P99.9", "Max", "Count");
        foreach (var scenario in run.Scenarios)
        {
            var parameters = scenario.Parameters;
            var latency = Trusted(scenario, scenario.ServiceTime);
            table.Row(
                Name(scenario, run), scenario.Tier, Figure.Of(parameters.Operations), Figure.Of(parameters.Concurrency), Figure.Of(parameters.Workers),
                Figure.Of(scenario.Status == ScenarioStatus.Passed ? scenario.DurationMs : null), Throughput(scenario),
                Figure.Of(latency.AverageMs), Figure.Of(latency.P50Ms), Figure.Of(latency.P90Ms), Figure.Of(latency.P95Ms),
                Figure.Of(latency.P99Ms), Figure.Of(latency.P99Point9Ms), Figure.Of(latency.MaxMs), Figure.Of(latency.Count));
        }

        table.Write(writer);
    }

    private static void WriteRepeats(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario", "Passed", "Throughput/s median", "Min", "Max", "Spread", "P50 ms median", "P95 ms median", "P99 ms median", "P99 ms highest");
        foreach (var repeat in run.Repeats)
        {
            var throughput = repeat.ThroughputPerSecond;
            table.Row(
                repeat.Name, $"{Figure.Of(repeat.Passed)} of {Figure.Of(repeat.Repeats)}",
                Figure.Of(throughput?.Median), Figure.Of(throughput?.Min), Figure.Of(throughput?.Max),
                throughput is null ? Figure.None : Figure.Percent(throughput.Relative * 100),
                Figure.Of(repeat.P50Ms?.Median), Figure.Of(repeat.P95Ms?.Median), Figure.Of(repeat.P99Ms?.Median), Figure.Of(repeat.P99Ms?.Max));
        }

        Section(writer, "Repeats", "Spread is from the slowest to the fastest repeat, relative to the median.", table);
    }

    private static void WritePhases(TextWriter writer, string heading, IEnumerable<ScenarioResult> scenarios)
    {
        var table = new MarkdownTable(textColumns: 2, "Scenario", "Phase", "Avg", "P50", "P95", "P99", "Max", "Count");
        foreach (var scenario in scenarios.Where(scenario => scenario.Status == ScenarioStatus.Passed))
        {
            foreach (var (phase, latency) in scenario.Phases)
            {
                table.Row(
                    scenario.Name, $"`{phase}`", Figure.Of(latency.AverageMs), Figure.Of(latency.P50Ms), Figure.Of(latency.P95Ms),
                    Figure.Of(latency.P99Ms), Figure.Of(latency.MaxMs), Figure.Of(latency.Count));
            }
        }

        Section(writer, heading, "Milliseconds.", table);
    }

    private static void WriteTransport(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Throughput/s", "Avg ms", "Lateness P50 ms", "Lateness P95 ms", "Lateness max ms", "Drain ms");
        foreach (var scenario in run.Scenarios.Where(scenario => scenario.Family == ScenarioFamilies.Transport))
        {
            var lateness = Trusted(scenario, scenario.Lateness ?? LatencySummary.Empty);
            table.Row(
                Name(scenario, run), Throughput(scenario), Figure.Of(Trusted(scenario, scenario.ServiceTime).AverageMs),
                Figure.Of(lateness.P50Ms), Figure.Of(lateness.P95Ms), Figure.Of(lateness.MaxMs), Drain(scenario));
        }

        Section(
            writer, "Transport baselines",
            "Signals alone, no instance is resumed. A delayed burst is judged by its lateness; the delay itself bounds its throughput.", table);
    }

    private static void WriteBusinessFlows(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Throughput/s", "Avg ms", "P95 ms", "Max ms", "Drain ms");
        foreach (var scenario in run.Scenarios.Where(scenario => scenario.Family == ScenarioFamilies.BusinessFlow))
        {
            var latency = Trusted(scenario, scenario.ServiceTime);
            table.Row(
                Name(scenario, run), Throughput(scenario), Figure.Of(latency.AverageMs), Figure.Of(latency.P95Ms), Figure.Of(latency.MaxMs), Drain(scenario));
        }

        Section(writer, "Business flows", "Stand-ins of our own: no public source gives the steps of the originals.", table);
    }

    private static void WriteCosts(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Writing commits", "Round trips", "WAL bytes", "WAL syncs", "Rows touched", "Logical reads", "Database CPU us", "Engine CPU us", "Allocated bytes", "Peak memory MiB");
        foreach (var scenario in run.Scenarios.Where(scenario => scenario.Status == ScenarioStatus.Passed && scenario.CostPerOperation.Count > 0))
        {
            double? Cost(string metric) => scenario.CostPerOperation.GetValueOrDefault(metric)?.Value;
            table.Row(
                Name(scenario, run), Figure.Of(Cost(MetricNames.WritingCommits)), Figure.Of(Cost(MetricNames.RoundTrips)), Figure.Of(Cost(MetricNames.WalBytes)),
                Figure.Of(Cost(MetricNames.WalSyncs)), Figure.Of(Cost(MetricNames.RowsTouched)), Figure.Of(Cost(MetricNames.LogicalReads)),
                Figure.Of(Cost(MetricNames.DatabaseCpu) * 1000), Figure.Of(Cost(MetricNames.EngineCpu) * 1000), Figure.Of(Cost(MetricNames.Allocated)),
                Figure.Of(scenario.EngineMetrics.GetValueOrDefault(MetricNames.PeakWorkingSet)?.Value / (1 << 20)));
        }

        Section(
            writer, "Cost per operation",
            "Database CPU is of all the server's processes. Engine CPU and memory are of the measuring process, load generator included; peak memory is of the process's life so far. A dash: not counted, the summary's JSON says why.",
            table);
    }

    private static void WriteLatencyToDrain(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Own avg ms", "Own P95 ms", "Own max ms", "To drain avg ms", "To drain P95 ms", "To drain max ms");
        foreach (var scenario in run.Scenarios.Where(scenario => scenario.Status == ScenarioStatus.Passed))
        {
            if (scenario.LatencyToDrain is { } toDrain)
                table.Row(
                    Name(scenario, run), Figure.Of(scenario.ServiceTime.AverageMs), Figure.Of(scenario.ServiceTime.P95Ms), Figure.Of(scenario.ServiceTime.MaxMs),
                    Figure.Of(toDrain.AverageMs), Figure.Of(toDrain.P95Ms), Figure.Of(toDrain.MaxMs));
        }

        Section(
            writer, "Latency to drain",
            "The reference's latencies run to the end of the drain of the whole wave, so only the right half of this table may be set beside them.", table);
    }

    private static void WriteSteadiness(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Last tenth / first", "Worst P99 of an interval ms", "Interval ms", "Warm-up ops", "Warm-up ms", "Drain ms");
        foreach (var scenario in run.Scenarios.Where(scenario => scenario.Status == ScenarioStatus.Passed))
        {
            table.Row(
                Name(scenario, run), Figure.Of(scenario.Timeline?.TailRatio), Figure.Of(scenario.Timeline?.WorstP99Ms), Figure.Of(scenario.Timeline?.IntervalMs),
                scenario.WarmUp is { } warmUp ? Figure.Of(warmUp.Operations) : Figure.None, Figure.Of(scenario.WarmUp?.DurationMs), Drain(scenario));
        }

        Section(writer, "Warm-up, steadiness and drain", "None of the warm-up and of the drain is in a latency or a throughput above.", table);
    }

    private static void WriteVerification(TextWriter writer, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 2, "Scenario", "Outcome", "Checks passed", "Started", "Completed", "Failed", "Running", "Dead letters", "Conflicts", "Stuck", "Signals left", "Redeliveries");
        foreach (var scenario in run.Scenarios)
        {
            var counts = scenario.Counts;
            table.Row(
                Name(scenario, run), Outcome(scenario), $"{Figure.Of(scenario.Verification.Count(check => check.Passed))} of {Figure.Of(scenario.Verification.Count)}",
                Figure.Of(counts.Started), Figure.Of(counts.Completed), Figure.Of(counts.Failed), Figure.Of(counts.Running), Figure.Of(counts.DeadLettered),
                Figure.Of(counts.Conflicts), Figure.Of(counts.Stuck), Figure.Of(counts.SignalsLeft), Figure.Of(counts.Redeliveries));
        }

        Section(writer, "Verification", "Counted in the database after each scenario.", table);
        foreach (var scenario in run.Scenarios.Where(scenario => scenario.Status != ScenarioStatus.Passed || scenario.Verification.Any(check => !check.Passed)))
        {
            writer.Write($"\n**{Name(scenario, run)}**\n\n");
            foreach (var reason in scenario.FailureReasons)
                writer.Write($"- {reason}\n");
            foreach (var check in scenario.Verification.Where(check => !check.Passed))
                writer.Write($"- {check.Check}: expected {check.Expected}, found {check.Actual}\n");
        }
    }

    private static void WriteNotMeasured(TextWriter writer, RunResult run)
    {
        if (run.NotMeasured.Count == 0)
            return;

        Heading(writer, "Not measured");
        foreach (var missing in run.NotMeasured)
            writer.Write($"- **{missing.Scenario ?? missing.Backend}**: {missing.Reason}\n");
    }

    private static void WriteHowToRepeat(TextWriter writer, RunResult run)
    {
        Heading(writer, "How to repeat");
        writer.Write($"```\n{run.Command}\n```\n");
    }

    private static void Section(TextWriter writer, string heading, string sentence, MarkdownTable table)
    {
        if (table.IsEmpty)
            return;

        Heading(writer, heading);
        writer.Write($"{sentence}\n\n");
        table.Write(writer);
    }

    private static void Heading(TextWriter writer, string heading) => writer.Write($"\n## {heading}\n\n");

    private static string Name(ScenarioResult scenario, RunResult run) =>
        run.Repeats.Any(repeat => repeat.Name == scenario.Name) ? $"{scenario.Name} #{scenario.Parameters.Repeat}" : scenario.Name;

    private static string Throughput(ScenarioResult scenario) =>
        scenario.Status == ScenarioStatus.Passed ? Figure.Of(scenario.ThroughputPerSecond) : Outcome(scenario);

    private static string Drain(ScenarioResult scenario) => Figure.Of(scenario.Drain?.DurationMs);

    /// <summary>What did not pass has no figures, however much of it was recorded.</summary>
    private static LatencySummary Trusted(ScenarioResult scenario, LatencySummary latency) =>
        scenario.Status == ScenarioStatus.Passed ? latency : LatencySummary.Empty;

    private static string Outcome(ScenarioResult scenario) => scenario.Status switch
    {
        ScenarioStatus.Passed => "passed",
        ScenarioStatus.Failed => "FAILED",
        ScenarioStatus.Aborted => "ABORTED",
        _ => "not measured",
    };
}
