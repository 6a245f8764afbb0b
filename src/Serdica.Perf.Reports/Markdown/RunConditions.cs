namespace Serdica.Perf.Reports.Markdown;

/// <summary>Machine, database and what to distrust, as rows of a table.</summary>
internal static class RunConditions
{
    public static void AddTo(MarkdownTable table, RunResult run)
    {
        var machine = run.Environment.Machine;
        table.Row("Date", Figure.Time(run.StartedAt));
        table.Row(
            "Machine",
            $"{machine.MachineName}: {machine.CpuModel ?? "unknown processor"}, {machine.LogicalCores} cores, "
                + $"{Figure.Bytes(machine.MemoryBytes)}, {machine.OperatingSystem}"
        );
        foreach (var (key, value) in run.Environment.Labels)
            table.Row($"Label `{key}`", value);
        table.Row(
            "Load average",
            $"{Figure.Of(run.Environment.LoadAverageAtStart)} at the start, {Figure.Of(run.Environment.LoadAverageAtEnd)} at the end"
        );
        foreach (var database in run.Databases)
            table.Row("Database", $"{database.Product} {database.Version}, {database.Source}, {DurabilityWords.Of(database.Durability)}");
        foreach (var warning in run.Warnings.Where(warning => warning.Scenario is null))
            table.Row($"Warning {warning.Code}", warning.Sentence);
    }
}
