namespace Serdica.Perf.Reports.Markdown;

/// <summary>What components used, by step.</summary>
internal static class ResourcesTable
{
    public static void Write(TextWriter writer, IEnumerable<(string Step, IReadOnlyList<ResourceFigures> Resources)> steps)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Step",
            "Component",
            "Replicas",
            "Samples",
            "Cores P99",
            "Cores max",
            "Cores average",
            "MiB P99",
            "MiB max",
            "MiB average",
            "Read MiB/s P99",
            "Read MiB/s max",
            "Written MiB/s P99",
            "Written MiB/s max",
            "Reads/s P99",
            "Writes/s P99",
            "Writes/s max",
            "Received MiB/s P99",
            "Sent MiB/s P99"
        );
        var all = new List<ResourceFigures>();
        foreach (var (step, resources) in steps)
        {
            all.AddRange(resources);
            foreach (var component in resources.Where(component => component.Samples > 0))
            {
                table.Row(
                    step,
                    component.Component,
                    Figure.Of((long)component.Replicas),
                    Figure.Of((long)component.Samples),
                    Figure.Of(component.Cpu?.P99),
                    Figure.Of(component.Cpu?.Max),
                    Figure.Of(component.Cpu?.Average),
                    Mebibytes(component.Memory?.P99),
                    Mebibytes(component.Memory?.Max),
                    Mebibytes(component.Memory?.Average),
                    Rate(component.DiskRead?.P99),
                    Rate(component.DiskRead?.Max),
                    Rate(component.DiskWrite?.P99),
                    Rate(component.DiskWrite?.Max),
                    Figure.Count(component.DiskReads?.P99),
                    Figure.Count(component.DiskWrites?.P99),
                    Figure.Count(component.DiskWrites?.Max),
                    Rate(component.NetworkReceived?.P99),
                    Rate(component.NetworkSent?.P99)
                );
            }
        }

        writer.Section(
            "Resources",
            "One sample a second. The total is a series of its own, because percentiles of components do not add up. With several "
                + "replicas the figures are for one of them: the highest of all, and the mean. Read and written are bytes from and to "
                + "the storage layer; for the machine, those of its disks, with the number of requests. Received and sent are bytes on "
                + "the network interfaces of the machine, without the loopback.",
            table
        );
        WriteMissing(writer, all);
    }

    /// <summary>Why figures are missing in a table that leaves out columns without any.</summary>
    public static void WriteMissing(TextWriter writer, IEnumerable<ResourceFigures> resources)
    {
        foreach (
            var reason in resources
                .SelectMany(component => component.Missing.Select(entry => $"{component.Component}, {entry.Key}: {entry.Value}"))
                .Distinct()
        )
            writer.Write($"- Not available: {reason}\n");
    }

    private static string Rate(double? bytes) => Figure.Of(bytes / (1 << 20));

    private static string Mebibytes(double? bytes) => Figure.Count(bytes / (1 << 20));
}
