using Serdica.Perf.Measurement.LoadTests;

namespace Serdica.Perf.Measurement.Reports;

/// <summary>What components used, by step.</summary>
internal static class ResourcesTable
{
    public static void Write(TextWriter writer, IEnumerable<(string Step, IReadOnlyList<ResourceFigures> Resources)> steps)
    {
        var table = new MarkdownTable(textColumns: 2, "Step", "Component", "Samples", "Cores P99", "Cores max", "Cores average", "MiB P99", "MiB max", "MiB average");
        foreach (var (step, resources) in steps)
        {
            foreach (var component in resources.Where(component => component.Samples > 0))
            {
                table.Row(
                    step, component.Component, Figure.Of((long)component.Samples),
                    Figure.Of(component.Cpu?.P99), Figure.Of(component.Cpu?.Max), Figure.Of(component.Cpu?.Average),
                    Mebibytes(component.Memory?.P99), Mebibytes(component.Memory?.Max), Mebibytes(component.Memory?.Average));
            }
        }

        writer.Section("Resources", "From one sample a second. The total is one series too: percentiles of components do not add up.", table);
    }

    private static string Mebibytes(double? bytes) => Figure.Count(bytes / (1 << 20));
}
