namespace Serdica.Perf.Reports.Summary;

/// <summary>Machine, runtime and servers in full.</summary>
internal static class EnvironmentSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        writer.Heading("Environment");
        WriteMachine(writer, view.Run.Environment);
        foreach (var database in view.Run.Databases.Where(database => !database.IsInProcess))
            WriteDatabase(writer, database);
    }

    private static void WriteMachine(TextWriter writer, EnvironmentFingerprint environment)
    {
        var (machine, runtime) = (environment.Machine, environment.Runtime);
        var table = new MarkdownTable(textColumns: 2, "What", "Value");
        table.Row("Machine", machine.MachineName);
        table.Row(
            "Processor",
            $"{machine.CpuModel ?? "unknown"}, {machine.LogicalCores} logical cores, {runtime.AvailableProcessors} for this process, "
                + $"{machine.Architecture}"
        );
        table.Row("Memory", Figure.Bytes(machine.MemoryBytes));
        table.Row(
            "Control group limits",
            $"{(machine.CgroupCpuLimit is { } cpu ? Figure.Of(cpu) + " cores" : "no processor limit")}, "
                + (machine.CgroupMemoryLimitBytes is { } memory ? Figure.Bytes(memory) : "no memory limit")
        );
        table.Row("System", $"{machine.OperatingSystem}, kernel {machine.Kernel}{(machine.InContainer ? ", in a container" : "")}");
        table.Row(
            ".NET",
            $"{runtime.DotNetVersion}, {(runtime.ServerGc ? "server" : "workstation")} GC, "
                + $"{(runtime.ConcurrentGc ? "concurrent" : "not concurrent")}, "
                + $"program {runtime.EntryConfiguration ?? "unknown"}, suite "
                + $"{runtime.SuiteConfiguration ?? "unknown"}{(runtime.DebuggerAttached ? ", debugger attached" : "")}"
        );
        foreach (var (key, value) in environment.Labels)
            table.Row($"Label `{key}`", value);
        if (environment.Source.InformationalVersion is { } version)
            table.Row("Version", version);
        table.Row(
            "Load average",
            $"{Figure.Of(environment.LoadAverageAtStart)} at the start, {Figure.Of(environment.LoadAverageAtEnd)} at the end"
        );
        table.Row(
            "Flushed write",
            environment.Fsync is { } fsync
                ? $"{Figure.Of(fsync.WritesPerSecond)}/s of {fsync.BlockBytes} bytes on {fsync.FileSystem ?? "unknown file system"}: "
                    + $"avg {Figure.Of(fsync.Latency.AverageMs)}, "
                    + $"{(fsync.Latency.Shown().P99Ms is { } p99 ? $"P99 {Figure.Of(p99)}, " : "")}max {Figure.Of(fsync.Latency.MaxMs)} ms"
                : "not measured: no server has its volume on this machine"
        );
        table.Write(writer);
    }

    private static void WriteDatabase(TextWriter writer, DatabaseDescription database)
    {
        writer.Write($"\n### {database.Backend}\n\n");
        var table = new MarkdownTable(textColumns: 2, "What", "Value");
        table.Row("Product", $"{database.Product} {database.Version ?? "of unknown version"}");
        table.Row("Source", database.Source + (database.Image is { } image ? $", {image}" : ""));
        if (database.Connection is { } connection)
            table.Row("Connection", connection);
        table.Row("Durability", DurabilityWords.Of(database.Durability));
        if (database.DataFileSystem is { } fileSystem)
            table.Row("File system of the data", fileSystem);
        foreach (var (setting, value) in database.Settings)
            table.Row($"`{setting}`", value);
        if (database.Capabilities.Count > 0)
            table.Row("Capabilities", string.Join(", ", database.Capabilities));
        table.Write(writer);
    }
}
