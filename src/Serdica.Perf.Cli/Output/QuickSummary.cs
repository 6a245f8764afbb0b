using Serdica.Perf.Analysis.Limits;

namespace Serdica.Perf.Cli.Output;

/// <summary>The end of `quick`: a table as the README has it, what limits the machine, and the published figures beside it.</summary>
internal static class QuickSummary
{
    /// <summary>Shorter steps show that it works, and not how fast it is.</summary>
    private static readonly TimeSpan ShortestStep = FromSeconds(10);

    public static void Write(
        TextWriter writer,
        LoadTestResult test,
        RunResult run,
        IReadOnlyList<PublishedFigure> published,
        RunFolder folder
    )
    {
        var known = published.Where(figure => figure.Backend == test.Backend).ToDictionary(figure => figure.Callers);
        writer.WriteLine();
        writer.WriteLine($"{Database(test, run)} on {run.Environment.Machine.MachineName}");
        writer.WriteLine("A round trip is start, signal and completion; each caller waits for its own.");
        writer.WriteLine();
        WriteTable(writer, test, known);
        writer.WriteLine();
        foreach (var reason in test.Steps.Where(step => step.Verdict == StepVerdict.Failed).SelectMany(step => step.Reasons))
            writer.WriteLine($"FAILED: {reason}");
        if (test.Profile.Steps.Any(step => step.Duration < ShortestStep))
            writer.WriteLine($"Shortened: steps below {ShortestStep.TotalSeconds:0} s are a trial; do not use their figures.");
        foreach (var warnings in run.Warnings.GroupBy(warning => warning.Code))
            writer.WriteLine($"Warning {warnings.Key}: {warnings.First().Sentence}");
        if (Fastest(test) is { } fastest)
        {
            writer.WriteLine(LimitSentence(run, fastest));
            writer.WriteLine(Comparison(test, run, known));
        }

        writer.WriteLine($"{test.Verdict.ToString().ToUpperInvariant()}.");
        RunPlace.Write(writer, folder);
    }

    private static void WriteTable(TextWriter writer, LoadTestResult test, Dictionary<int, PublishedFigure> known)
    {
        string[][] rows =
        [
            ["Callers", "Round trips", "Seconds", "Per second", "p50 ms", "p99 ms", "Published"],
            .. test.Steps.Select(step => Row(step, known.GetValueOrDefault(step.MinUsers))),
        ];
        var widths = rows[0].Select((_, column) => rows.Max(row => row[column].Length)).ToArray();
        foreach (var (index, row) in rows.Index())
        {
            writer.WriteLine($"| {string.Join(" | ", row.Select((cell, column) => cell.PadLeft(widths[column])))} |");
            if (index == 0)
                writer.WriteLine($"| {string.Join(" | ", widths.Select(width => new string('-', width - 1) + ":"))} |");
        }
    }

    /// <summary>A step that failed has no figures.</summary>
    private static string[] Row(StepResult step, PublishedFigure? known)
    {
        string Number(double? value, string format) =>
            step.Verdict == StepVerdict.Failed ? "-" : value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";
        return
        [
            Number(step.MinUsers, "#,0"),
            Number(step.Counts.Completed, "#,0"),
            Number(step.ElapsedSeconds, "0.0"),
            Number(step.ShownPerSecond, "#,0"),
            Number(step.Response.Shown().P50Ms, "0.00"),
            Number(step.Response.Shown().P99Ms, "0.00"),
            known?.PerSecond.ToString("#,0", CultureInfo.InvariantCulture) ?? "-",
        ];
    }

    private static string Database(LoadTestResult test, RunResult run) =>
        run.Databases.FirstOrDefault(database => database.Backend == test.Backend) is { } database
            ? $"{$"{database.Product} {database.Version}".TrimEnd()} ({DurabilityWords.Of(database.Durability)})"
            : test.Backend;

    private static StepResult? Fastest(LoadTestResult test) =>
        test.Steps.Where(step => step.Verdict != StepVerdict.Failed).MaxBy(step => step.CompletedPerSecond);

    /// <summary>The limit of the step with the highest rate, so that figure and limit belong together.</summary>
    private static string LimitSentence(RunResult run, StepResult fastest)
    {
        var finding = LimitAnalysis.Strongest(LimitAnalysis.Of(run).Where(finding => finding.Scenario.Name == fastest.Scenario));
        var limit = finding is null ? "unknown" : LimitFinding.Sentence(finding.Limit);
        return $"What limits it: with {Figure.Number(fastest.MinUsers, "caller")}, {limit}. {finding?.Evidence}".TrimEnd();
    }

    private static string Comparison(LoadTestResult test, RunResult run, Dictionary<int, PublishedFigure> known)
    {
        var pairs = test
            .Steps.Where(step => step is { Verdict: not StepVerdict.Failed, ShownPerSecond: not null } && known.ContainsKey(step.MinUsers))
            .Select(step => (Callers: step.MinUsers, Ratio: step.CompletedPerSecond / known[step.MinUsers].PerSecond))
            .ToArray();
        if (pairs.Length == 0)
            return test.Steps.Any(step => known.ContainsKey(step.MinUsers))
                ? "Compared: no step had enough operations for a throughput."
                : $"Compared: there are no published figures of {test.Backend} with these numbers of callers.";
        var ratios = string.Join(", ", pairs.Select(pair => Invariant($"{pair.Ratio:0.00} times with {pair.Callers}")));
        var machine = known[pairs[0].Callers].Environment;
        return $"Compared with the published figures: {ratios} callers. They were measured on {machine.Machine.MachineName}"
            + $"{Flush(machine, ", where a flushed write takes {0} ms")}{Flush(run.Environment, "; here it takes {0} ms")}.";
    }

    private static string Flush(EnvironmentFingerprint environment, string format) =>
        environment.Fsync?.Latency.P50Ms is { } flush
            ? string.Format(CultureInfo.InvariantCulture, format, Invariant($"{flush:0.00}"))
            : "";
}
