namespace Serdica.Perf.Reports;

/// <summary>
/// Every measurement as one line of comma-separated values by RFC 4180, for <c>summary.csv</c>: the same columns for every run,
/// empty where there is no figure. Pure; line feeds.
/// </summary>
internal static class CsvReport
{
    /// <summary>With their units, as the summary has them.</summary>
    private static readonly (string Metric, string Column)[] Costs =
    [
        (MetricNames.WritingCommits, "writingCommitsPerOperation"),
        (MetricNames.Commits, "commitsPerOperation"),
        (MetricNames.RoundTrips, "roundTripsPerOperation"),
        (MetricNames.WalBytes, "walBytesPerOperation"),
        (MetricNames.LogicalReads, "logicalReadsPerOperation"),
        (MetricNames.RowsTouched, "rowsTouchedPerOperation"),
        (MetricNames.DatabaseCpu, "databaseCpuMsPerOperation"),
        (MetricNames.EngineCpu, "engineCpuMsPerOperation"),
        (MetricNames.Allocated, "allocatedBytesPerOperation"),
    ];

    private static readonly string[] Columns =
    [
        "run",
        "startedAt",
        "commit",
        "scenario",
        "backend",
        "tier",
        "repeat",
        "status",
        "load",
        "operations",
        "concurrency",
        "workers",
        "durationMs",
        "throughputPerSecond",
        "count",
        "averageMs",
        "p50Ms",
        "p90Ms",
        "p95Ms",
        "p99Ms",
        "p999Ms",
        "maxMs",
        "serviceP50Ms",
        "serviceP99Ms",
        "drainMs",
        "warnings",
    ];

    public static void Write(TextWriter writer, IEnumerable<RunResult> runs)
    {
        Line(writer, [.. Columns, .. Costs.Select(cost => cost.Column)]);
        foreach (var run in runs)
        {
            foreach (var scenario in run.Scenarios)
                Line(writer, Cells(run, scenario));
        }
    }

    private static IEnumerable<string?> Cells(RunResult run, ScenarioResult scenario)
    {
        var (parameters, latency, service) = (
            scenario.Parameters,
            ScenarioCells.Trusted(scenario, scenario.ResponseTime),
            ScenarioCells.Trusted(scenario, scenario.ServiceTime)
        );
        return
        [
            run.Publication?.Name ?? run.RunId,
            run.StartedAt.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
            run.Environment.Source.Commit,
            scenario.Scenario,
            scenario.Backend,
            scenario.Tier,
            Number(parameters.Repeat),
            Word(scenario.Status),
            Word(parameters.Load),
            Number(scenario.Operations),
            Number(parameters.Concurrency),
            Number(parameters.Workers),
            Number(scenario.DurationMs),
            Number(scenario.ShownPerSecond),
            Number(latency.Count),
            Number(latency.AverageMs),
            Number(latency.P50Ms),
            Number(latency.P90Ms),
            Number(latency.P95Ms),
            Number(latency.P99Ms),
            Number(latency.P99Point9Ms),
            Number(latency.MaxMs),
            Number(service.P50Ms),
            Number(service.P99Ms),
            Number(scenario.Drain?.DurationMs),
            string.Join(
                ' ',
                run.Warnings.Where(warning => warning.Scenario is null || warning.Scenario == scenario.Name)
                    .Select(warning => warning.Code)
                    .Distinct()
            ),
            .. Costs.Select(cost => Number(ScenarioCells.PerOperation(scenario, cost.Metric))),
        ];
    }

    private static void Line(TextWriter writer, IEnumerable<string?> cells) => writer.Write(string.Join(',', cells.Select(Quoted)) + "\n");

    private static string Quoted(string? cell) =>
        cell is null ? ""
        : cell.AsSpan().IndexOfAny(",\"\r\n") < 0 ? cell
        : $"\"{cell.Replace("\"", "\"\"", Ordinal)}\"";

    private static string? Number(double? value) => value?.ToString("0.######", CultureInfo.InvariantCulture);

    private static string Word<T>(T value)
        where T : struct, Enum => value.ToString().ToLowerInvariant();
}
