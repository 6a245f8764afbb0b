using Serdica.Perf.Analysis.LoadTests;
using Serdica.Perf.Results;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Reports.Markdown;

/// <summary><c>load.md</c>: a load test for people, what it found first.</summary>
public static class LoadMarkdown
{
    /// <param name="writer">Takes the text.</param>
    /// <param name="test">The load test.</param>
    /// <param name="run">Its run, for machine and database.</param>
    /// <param name="engine">The settings of the engine in force.</param>
    public static void Write(TextWriter writer, LoadTestResult test, RunResult run, IReadOnlyList<EngineSettingValue> engine)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(run);
        writer.Write($"# Load test {test.Profile.Name} on {test.Backend}: {test.Verdict.ToString().ToUpperInvariant()}\n\n");
        if (test.Profile.Description.Length > 0)
            writer.Write($"{test.Profile.Description}\n\n");
        if (test.Scale != 1)
            writer.Write($"**Shortened:** all durations times {Invariant($"{test.Scale:0.######}")}. Figures of a shortened test are no evidence for the full one.\n\n");
        WriteFindings(writer, test);
        WriteSteps(writer, test);
        WriteRepeats(writer, test);
        WriteLatencies(writer, test);
        WriteErrors(writer, test);
        WriteReads(writer, test);
        StepAnalysisMarkdown.Write(writer, test, run);
        WriteAdvice(writer, test, run);
        ResourcesTable.Write(writer, test.Steps.Select(step => (step.Name, step.Resources)));
        MemoryMarkdown.Write(writer, test, run);
        EngineSettingsTable.Write(writer, engine);
        WriteConditions(writer, test, run);
        writer.Heading("How to repeat");
        writer.Write($"```\n{test.Command}\n```\n");
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
                writer.Write($"  The backlog reached its upper bound {Figure.Of((long)swing.Cycles)} times; it was {Figure.Of((long)swing.PeakBacklog)} at most.\n");
            if (step.LimitedBy is { } layer)
                writer.Write($"  Limited by: {layer}. {step.LimitEvidence}\n");
        }
    }

    /// <summary>A trial of a search does not fail: it shows that a rate held or did not hold.</summary>
    private static string Verdict(LoadTestResult test, StepResult step) => test.Found is null
        ? step.Verdict.ToString().ToUpperInvariant()
        : step.Verdict == StepVerdict.Passed ? "held" : "did not hold";

    private static void WriteSteps(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(
            textColumns: 3,
            "Step", "Load", "Verdict", "Target/s", "Offered/s", "Started/s", "Completed/s", "MiB/s", "Offered", "Started", "Completed", "Failed", "Injected failures", "Running", "Late", "Dropped", "Users", "Drain s", "Commits/op", "Conflicts/op");
        foreach (var step in test.Steps)
        {
            var counts = step.Counts;
            table.Row(
                step.Name, step.Kind switch { LoadKind.Open => "open", LoadKind.Closed => "closed", _ => "burn-down" }, step.Verdict.ToString().ToLowerInvariant(),
                Figure.Of(step.TargetPerSecond), Figure.Of(step.OfferedPerSecond), Figure.Of(step.StartedPerSecond), Figure.Of(step.CompletedPerSecond),
                Figure.Of(step.BytesPerSecond / (1 << 20)),
                Figure.Of(counts.Offered), Figure.Of(counts.Started), Figure.Of(counts.Completed), Figure.Of(counts.Failed), Figure.Of(counts.InjectedFailures), Figure.Of(counts.Running),
                Figure.Of(counts.Late), Figure.Of(counts.Dropped), Figure.Of((long)step.PeakUsers), Figure.Of(step.DrainSeconds), Figure.Of(step.CommitsPerOperation), Figure.Of(step.ConflictsPerOperation));
        }

        writer.Section("Steps", "Started = completed + failed + running, and offered = started + dropped. Injected failures are intended and count as completed.", table);
    }

    private static void WriteRepeats(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(
            textColumns: 1, "Step", "Passed", "Completed/s median", "Min", "Max", "P50 ms median", "P99 ms median", "P99 ms lowest", "P99 ms highest", "Max ms highest");
        foreach (var repeats in StepRepeats.Of(test.Steps))
        {
            table.Row(
                repeats.Name, $"{repeats.Passed} of {repeats.Repeats}",
                Figure.Of(repeats.ThroughputPerSecond?.Median), Figure.Of(repeats.ThroughputPerSecond?.Min), Figure.Of(repeats.ThroughputPerSecond?.Max),
                Figure.Of(repeats.P50Ms?.Median), Figure.Of(repeats.P99Ms?.Median), Figure.Of(repeats.P99Ms?.Min), Figure.Of(repeats.P99Ms?.Max), Figure.Of(repeats.MaxMs?.Max));
        }

        writer.Section("Repeats", "Each repeat is judged by itself, and the verdict of the test is the worst of them. The figures include failed repeats. Percentiles of repeats are shown side by side and never averaged.", table);
    }

    private static void WriteLatencies(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(textColumns: 2, "Step", "Time, ms", "Samples", "Average", "P50", "P90", "P95", "P99", "P99.9", "Max");
        foreach (var step in test.Steps)
        {
            foreach (var (name, latency) in (ReadOnlySpan<(string, LatencySummary)>)[("response", step.Response), ("service", step.Service), ("failed, until the failure", step.UntilFailure), ("schedule lag", step.ScheduleLag), ("generator's own lag", step.GeneratorLag), ("queue time of signals", step.QueueTime)])
            {
                if (latency.Count > 0)
                    table.Row(step.Name, name, Figure.Of(latency.Count), Figure.Of(latency.AverageMs), Figure.Of(latency.P50Ms), Figure.Of(latency.P90Ms), Figure.Of(latency.P95Ms), Figure.Of(latency.P99Ms), Figure.Of(latency.P99Point9Ms), Figure.Of(latency.MaxMs));
            }
        }

        writer.Section("Latencies", "Response time counts from the intended start, service time from the call. Both are of completed operations; failed ones are listed apart. Schedule lag is the difference between the two. The queue time of a signal is the time from its due time until a worker claimed it, by the database's clock.", table);
    }

    private static void WriteErrors(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(textColumns: 3, "Step", "Operation", "Error", "Count", "First after s", "First message") { EndsWithText = true };
        foreach (var step in test.Steps)
        {
            foreach (var error in step.Errors)
                table.Row(step.Name, error.Operation, error.Kind + (error.IsRefusal ? " (refused: backpressure)" : ""), Figure.Of(error.Count), Figure.Of(error.FirstAtSeconds), error.FirstMessage);
        }

        writer.Section("Errors by kind and operation", "Look at the first error of a step first: later ones are often its consequences.", table);
    }

    private static void WriteReads(TextWriter writer, LoadTestResult test)
    {
        var table = new MarkdownTable(textColumns: 1, "Step", "Target/s", "Achieved/s", "Completed", "Failed", "P50", "P95", "P99", "Max");
        foreach (var step in test.Steps)
        {
            if (step.Reads is { } reads)
                table.Row(step.Name, Figure.Of(reads.TargetPerSecond), Figure.Of(reads.AchievedPerSecond), Figure.Of(reads.Completed), Figure.Of(reads.Failed), Figure.Of(reads.Latency.P50Ms), Figure.Of(reads.Latency.P95Ms), Figure.Of(reads.Latency.P99Ms), Figure.Of(reads.Latency.MaxMs));
        }

        writer.Section("Reads beside the load", "Latencies in milliseconds, from the intended start.", table);
    }

    private static void WriteAdvice(TextWriter writer, LoadTestResult test, RunResult run)
    {
        var table = new MarkdownTable(textColumns: 6, "Step", "Kind", "What", "Now", "Advised", "Why");
        foreach (var advice in LoadAdvice.Of(test, run))
            table.Row(advice.Step, advice.Kind.ToString().ToLowerInvariant(), advice.Subject, advice.Now, advice.Advised, advice.Why);
        writer.Section("What to try next", "Calculated from the figures of each step for its target rate. **None of it was tried.**", table);
    }

    private static void WriteConditions(TextWriter writer, LoadTestResult test, RunResult run)
    {
        writer.Heading("Conditions");
        var table = new MarkdownTable(textColumns: 2, "What", "Value");
        table.Row("Workflow", test.Profile.Workflow);
        if (test.Profile.Workflow == LoadProfile.ShapedWorkflow)
            table.Row("Work", test.Profile.Work.Words);
        var several = test.Generators > 1;
        table.Row("Workers", Figure.Of((long)test.Profile.Workers) + (several ? " of each generator" : "") + (test.Profile.Slots is { } slots ? $", {slots} slots{(several ? " in all" : "")}" : ""));
        table.Row("Generators", $"{test.Generators}, ceiling {Figure.Count(test.GeneratorCeilingPerSecond)}/s of operations that do nothing");
        if (test.MaximumPerSecond is { } maximum)
            table.Row("Measured maximum", $"{Figure.Of(maximum)}/s, measured by a closed load before the test");
        RunConditions.AddTo(table, run);
        table.Write(writer);
        writer.Write("\nSettings of the server, statements, waits and costs of each step are in `summary.md` and `summary.json`.\n");
        writer.Write($"\nNot tried: {string.Join(", ", NotTried(test))}, another number of workers, other work, and generators on machines of their own.\n");
    }

    /// <summary>By what was done: a search tries other rates and times than its profile has.</summary>
    private static IEnumerable<string> NotTried(LoadTestResult test)
    {
        if (test.Steps.Select(step => step.TargetPerSecond).Concat(test.Profile.Steps.Select(step => step.Wave?.High)).Max() is { } rate)
            yield return $"more than {Figure.Of(rate)}/s";
        if (test.Steps.Where(step => step.Kind == LoadKind.Closed).Max(step => (int?)step.MinUsers) is { } users)
            yield return $"more than {Figure.Of((long)users)} users";
        if (test.Steps.Max(step => (double?)step.PlannedSeconds) is { } seconds)
            yield return $"steps longer than {Figure.Of(seconds)} s";
    }
}
