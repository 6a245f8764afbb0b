using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Cli.Output;

/// <summary>What is printed at the end of a run.</summary>
internal static class RunSummary
{
    private const string None = "-";

    /// <summary>Columns of a terminal that the whole table needs with the longest of the scenarios' names.</summary>
    private const int WideEnough = 170;

    public static void Write(TextWriter writer, RunResult result, RunFolder folder)
    {
        var console = Consoles.For(writer);
        if (result.Scenarios.Count > 0)
            console.Write(console.Profile.Width >= WideEnough ? Results(result) : NarrowResults(result));
        if (result.Repeats.Count > 0 && console.Profile.Width >= WideEnough)
            console.Write(Repeats(result));
        WriteLadders(writer, result);
        WriteSoaks(writer, result);
        foreach (var warning in result.Warnings.Where(warning => warning.Scenario is null))
            writer.WriteLine($"Warning {warning.Code}: {warning.Sentence}");
        foreach (var warnings in result.Warnings.Where(warning => warning.Scenario is not null).GroupBy(warning => warning.Code))
            writer.WriteLine($"Warning {warnings.Key}: {Figure.Number(warnings.Count(), "scenario")}; see {RunFolder.DetailsFile}.");
        if (result.Status == RunStatus.Passed && result.Scenarios.All(scenario => scenario.ShownPerSecond is null))
        {
            writer.WriteLine(
                "Correctness only: there are too few operations for figures. A minute of measurement gives them: serdica-perf quick"
            );
        }

        WriteNotMeasured(writer, result);
        writer.WriteLine($"{result.Status.ToString().ToUpperInvariant()}{(result.StatusReason is { } reason ? $": {reason}" : ".")}");
        RunPlace.Write(writer, folder);
    }

    public static void WriteNotMeasured(TextWriter writer, RunResult run)
    {
        foreach (var missing in run.NotMeasured)
            writer.WriteLine($"Not measured: {missing.Backend}: {missing.Reason}");
    }

    private static void WriteLadders(TextWriter writer, RunResult result)
    {
        foreach (var ladder in result.Ladders)
        {
            writer.WriteLine(
                $"Capacity ladder of {ladder.Backend}, {ladder.Load.ToString().ToLowerInvariant()} load: {LadderText.SizingNote(ladder)}"
            );
            foreach (var level in ladder.Rungs)
            {
                writer.WriteLine(
                    $"  c{level.Concurrency}: {Number(level.ThroughputPerSecond, "N0")}/s, "
                        + (level.Growth is { } growth ? $"growth {Figure.Percent(growth * 100)}, " : "")
                        + $"p95 {Number(level.P95Ms)} ms, {LadderText.Words(level.Verdict)}"
                );
            }

            writer.WriteLine($"  Universal Scalability Law: {LadderText.Fit(ladder)}");
        }
    }

    private static void WriteSoaks(TextWriter writer, RunResult result)
    {
        foreach (var scenario in result.Scenarios.Where(scenario => scenario is { Status: ScenarioStatus.Passed, Soak: not null }))
        {
            writer.WriteLine($"Soak {scenario.Name}: {SoakText.Load(scenario)}");
            foreach (var series in scenario.Soak!.Series)
                writer.WriteLine($"  {series.Name}: {SoakText.Trend(series)}{(series.IsFinding ? ", a finding" : "")}");
        }
    }

    private static Table Results(RunResult result)
    {
        var table = NewTable(
            "Scenario",
            "Result",
            "Ops",
            "Conc",
            "Throughput/s",
            "Avg ms",
            "P50",
            "P95",
            "P99",
            "Max",
            "Drain ms",
            "Commits/op",
            "WAL B/op"
        );
        foreach (var scenario in result.Scenarios)
        {
            var latency = scenario.Status == ScenarioStatus.Passed ? scenario.ResponseTime.Shown() : new();
            var repeat = scenario.Parameters.Repeat > 1 ? $" #{scenario.Parameters.Repeat}" : "";
            table.AddRow(
                Markup.Escape(scenario.Name + repeat),
                Outcome(scenario),
                Number(scenario.Operations, "N0"),
                Number(scenario.Parameters.Concurrency, "N0"),
                Number(scenario.ShownPerSecond, "N0"),
                Number(latency.AverageMs),
                Number(latency.P50Ms),
                Number(latency.P95Ms),
                Number(latency.P99Ms),
                Number(latency.MaxMs),
                Number(scenario.Drain?.DurationMs),
                Cost(scenario, MetricNames.WritingCommits, "N2"),
                Cost(scenario, MetricNames.WalBytes, "N0")
            );
        }

        return table;
    }

    /// <summary>What matters first, for terminals that have no room for all.</summary>
    private static Table NarrowResults(RunResult result)
    {
        var table = new Table().Border(TableBorder.Simple).AddColumns("Scenario", "Result").AddNumbers("Ops/s", "Avg ms", "P99 ms");
        foreach (var scenario in result.Scenarios)
        {
            var latency = scenario.Status == ScenarioStatus.Passed ? scenario.ResponseTime.Shown() : new();
            table.AddRow(
                Markup.Escape(scenario.Name),
                Outcome(scenario),
                Number(scenario.ShownPerSecond, "N0"),
                Number(latency.AverageMs),
                Number(latency.P99Ms)
            );
        }

        return table;
    }

    private static string Outcome(ScenarioResult scenario) =>
        scenario.Status == ScenarioStatus.Passed ? "[green]passed[/]" : $"[red]{scenario.Status.ToString().ToLowerInvariant()}[/]";

    private static Table Repeats(RunResult result)
    {
        var table = NewTable("Repeats", "Passed", "Throughput/s median", "Min", "Max", "Avg ms median", "P50", "P95", "P99", "P99 highest");
        foreach (var repeat in result.Repeats)
        {
            table.AddRow(
                Markup.Escape(repeat.Name),
                $"{repeat.Passed} of {repeat.Repeats}",
                Number(repeat.ThroughputPerSecond?.Median, "N0"),
                Number(repeat.ThroughputPerSecond?.Min, "N0"),
                Number(repeat.ThroughputPerSecond?.Max, "N0"),
                Number(repeat.AverageMs?.Median),
                Number(repeat.P50Ms?.Median),
                Number(repeat.P95Ms?.Median),
                Number(repeat.P99Ms?.Median),
                Number(repeat.P99Ms?.Max)
            );
        }

        return table;
    }

    private static Table NewTable(string name, string text, params string[] numbers) =>
        new Table()
            .Border(TableBorder.Simple)
            .AddColumn(new TableColumn(name).NoWrap())
            .AddColumn(new TableColumn(text).NoWrap())
            .AddNumbers(numbers);

    private static string Cost(ScenarioResult scenario, string metric, string format) =>
        Number(scenario.CostPerOperation.GetValueOrDefault(metric)?.Value, format);

    private static string Number(double? value, string? format = null) =>
        value?.ToString(format ?? Precision(value.Value), CultureInfo.InvariantCulture) ?? None;

    /// <summary>Three digits or more, whatever the size.</summary>
    private static string Precision(double value) =>
        Math.Abs(value) switch
        {
            < 10 => "N2",
            < 100 => "N1",
            _ => "N0",
        };
}
