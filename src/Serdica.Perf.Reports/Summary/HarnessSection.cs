namespace Serdica.Perf.Reports.Summary;

/// <summary>What engine and load generator cost by themselves.</summary>
internal static class HarnessSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Throughput/s",
            "In memory/s",
            "Share of time",
            "Engine CPU µs/op",
            "In memory µs/op",
            "Share of CPU"
        );
        foreach (var overhead in view.Overheads)
        {
            var (database, inMemory) = (overhead.Database, overhead.InMemory);
            table.Row(
                view.Name(database),
                Figure.Of(database.ShownPerSecond),
                Figure.Of(inMemory.ShownPerSecond),
                Figure.Share(overhead.TimeShare),
                Figure.Each(ScenarioCells.PerOperation(database, MetricNames.EngineCpu) * 1000),
                Figure.Each(ScenarioCells.PerOperation(inMemory, MetricNames.EngineCpu) * 1000),
                Figure.Share(overhead.CpuShare)
            );
        }

        writer.Section(
            "Harness overhead",
            "The same scenario on the in-memory backend, in this run: the share of its time, and of this process's processor time, that "
                + "remains when the database costs nothing. Near 100 % of the time, the figures are those of the harness and not of the "
                + "database.",
            table
        );
    }
}
