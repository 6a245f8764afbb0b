namespace Serdica.Perf.Reports.Summary;

/// <summary>When, on what, and how long; the details of machine and servers come later.</summary>
internal static class RunMetadataSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var run = view.Run;
        var table = new MarkdownTable(textColumns: 2, "What", "Value");
        table.Row("Date", Figure.Time(run.StartedAt));
        table.Row("Wall clock", Figure.Duration(run.FinishedAt - run.StartedAt));
        table.Row("Run folder", run.RunId);
        foreach (var database in run.Databases.Where(database => !database.IsInProcess || !view.HasDatabase))
            table.Row(database.Backend, Words(database));
        if (run.Environment.Fsync is { } fsync)
        {
            var flush = fsync.Latency.Shown();
            table.Row(
                "Flushed write",
                $"avg {Figure.Of(flush.AverageMs)} ms, "
                    + $"{(flush.P99Ms is { } p99 ? $"P99 {Figure.Of(p99)}" : $"max {Figure.Of(flush.MaxMs)}")} ms on "
                    + $"{fsync.FileSystem ?? "an unknown file system"}"
            );
        }

        table.Row("Commit", SourceWords.Of(run.Environment.Source));
        table.Row("Fingerprint", run.Environment.FingerprintHash);
        writer.Section("Run metadata", "", table);
    }

    private static string Words(DatabaseDescription database) =>
        $"{database.Product} {database.Version}".TrimEnd()
        + $", {database.Source}{(database.Image is { } image ? $" ({image})" : "")}, "
        + $"{DurabilityWords.Of(database.Durability)}{string.Concat(database.Capabilities.Select(capability => $", {capability}"))}";
}
