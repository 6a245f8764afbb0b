namespace Serdica.Perf.Reports.Markdown;

/// <summary>What hosts, generator and database used, each by itself, where processes of their own hosted the workflows.</summary>
internal static class HostsTable
{
    /// <param name="processes">Of all steps or scenarios; nothing is written without any.</param>
    public static void Write(TextWriter writer, string unit, IEnumerable<ReportProcess> processes, string more)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            unit,
            "Process",
            "Id",
            "CPU s",
            "MiB",
            "MiB max",
            "Connections",
            "Clock ms",
            "Signals",
            "Activities",
            "Batches",
            "Empty claims",
            "Conflicts",
            "Failed calls"
        );
        foreach (var process in processes)
        {
            var counters = process.Counters;
            table.Row(
                process.Name,
                process.Role,
                process.ProcessId is { } id ? Invariant($"{id}") : Figure.None,
                Figure.Of(process.CpuMs / 1000),
                Figure.Count(process.MemoryBytes / (1 << 20)),
                Figure.Count(process.PeakMemoryBytes / (1 << 20)),
                Figure.Count(process.Connections),
                process.Clock?.Text ?? Figure.None,
                Figure.Count(counters?.Signals),
                Figure.Count(counters?.ActivityAttempts),
                Figure.Count(counters?.Batches),
                Figure.Count(counters?.EmptyClaims),
                Figure.Count(counters?.Conflicts),
                Figure.Count(counters?.BackendFailures)
            );
        }

        writer.Section(
            "Hosts, generator and database",
            "Each host is a separate process, and all claim from the same tables. The generator drives the load and verifies what is "
                + $"left. The figures are from the start of the {unit.ToLowerInvariant()} to the end of its drain; the largest memory is "
                + "since the start of the process. The connections of the database are those of hosts and generator together. *Clock* is "
                + $"how far the clock of a host was ahead of the database's at the end. {more}",
            table
        );
    }
}
