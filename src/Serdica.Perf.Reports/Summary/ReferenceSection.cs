using Serdica.Perf.Analysis.Reference;

namespace Serdica.Perf.Reports.Summary;

/// <summary>Our figures beside those of the suite that this one follows, by its definitions.</summary>
internal static class ReferenceSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        if (!view.HasDatabase)
            return;

        var reference = ReferenceBaseline.OracleAq;
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Backend",
            "Throughput/s",
            "To drain avg ms",
            "P95 ms",
            "Max ms",
            "Commits/op",
            "Logical reads/op",
            "Log bytes/op",
            "DB time ms/op",
            "Top wait"
        )
        {
            EndsWithText = true,
        };
        var comparable = ConstantCheck
            .Of(view.Scenarios, reference)
            .Where(check => check.IsKept && check.Scenario.Status == ScenarioStatus.Passed);
        foreach (var scenario in comparable.GroupBy(check => check.Reference!))
        {
            Row(table, scenario.Key, reference.Backend);
            foreach (var check in scenario)
                Row(table, check.Scenario);
        }

        writer.Section($"Beside the Oracle AQ reference of {Figure.Date(reference.Run.Date)}", Sentence(reference), table);
        if (!table.IsEmpty)
            writer.Write($"\n{Caveats}");
    }

    private const string Caveats =
        "- The reference times every operation to the end of the drain of its whole wave. Public documents of the same family put about "
        + "2.9 s of the 3.1 s of a serial operation on that drain: a wait of its harness and not of Oracle. So do not read a ratio of "
        + "latencies or of throughputs as one of databases.\n"
        + "- Can be compared, because they depend on neither waits nor hardware: commits and log bytes per operation, and which wait "
        + "leads. Of our backends only `oracle-aq-reference` commits as the reference does, each message by itself; the others share "
        + "commits.\n"
        + "- Cannot be compared: absolute times (unknown hardware, other engine), own latencies, phases, P99 (not printed), DB time (the "
        + "unit of the reference is assumed to be microseconds; ours is the active time of the engine's sessions), and the business flows "
        + "beyond their families, whose steps are our stand-ins.\n";

    private static string Sentence(ReferenceBaseline reference) =>
        $"{reference.Run.Database.Product} {reference.Run.Database.Version} ({reference.Run.Database.DockerImage}), transcribed from a "
        + $"public document, "
        + $"{(reference.Run.HardwareUnknown ? "on unknown hardware" : "on its own hardware")}. "
        + "Both rows use the reference's definitions: latency and throughput include the drain here, so our figures differ from the "
        + "summary above. Our commits are those that wrote something. Only scenarios with the same parameters as in the reference are "
        + "shown.";

    private static void Row(MarkdownTable table, ReferenceScenario scenario, string backend)
    {
        var (latency, database) = (scenario.LatencyToDrain, scenario.Database);
        table.Row(
            scenario.Scenario,
            backend,
            Figure.Of(scenario.ThroughputPerSecond),
            Figure.Of(latency.AverageMs),
            Figure.Of(latency.P95Ms),
            Figure.Of(latency.MaxMs),
            Figure.Each(scenario.PerOperation(database.UserCommits)),
            Figure.Each(scenario.PerOperation(database.SessionLogicalReads)),
            Figure.Each(scenario.PerOperation(database.RedoSizeBytes)),
            Figure.Of(scenario.PerOperation(database.DbTimeMicroseconds) / 1_000),
            scenario.TopWait ?? Figure.None
        );
    }

    private static void Row(MarkdownTable table, ScenarioResult scenario)
    {
        double? Cost(string metric) => ScenarioCells.PerOperation(scenario, metric);
        var latency = ScenarioCells.Trusted(scenario, scenario.LatencyToDrain);
        table.Row(
            "",
            scenario.Backend,
            Figure.Of(ScenarioResult.Shown(ToDrain(scenario), scenario.Counts.Completed)),
            Figure.Of(latency.AverageMs),
            Figure.Of(latency.P95Ms),
            Figure.Of(latency.MaxMs),
            Figure.Each(Cost(MetricNames.WritingCommits) ?? Cost(MetricNames.Commits)),
            Figure.Each(Cost(MetricNames.LogicalReads)),
            Figure.Each(Cost(MetricNames.WalBytes)),
            Figure.Of(ScenarioCells.DatabaseTimeMs(scenario) / scenario.Counts.Completed),
            ScenarioCells.TopWait(scenario)
        );
    }

    private static double ToDrain(ScenarioResult scenario) => scenario.Counts.Completed / scenario.WatchedMs * 1000;
}
