using Serdica.Perf.Analysis.Sizing;

namespace Serdica.Perf.Reports.Markdown;

/// <summary>Sizes for people, with the fragments for Kubernetes.</summary>
internal static class SizingMarkdown
{
    public static void Write(TextWriter writer, SizingAdvice advice)
    {
        writer.Write(
            Invariant($"# Sizes\n\nRequests cover the P99 of a passed step plus {advice.Rule.Headroom * 100:0.##} % of headroom. Limits ")
                + "are 50 to 100 % above the requests. Each size was checked against this rule. Replicas are as measured: one database, "
                + "and one engine for each generator (`--generators`); the figures are for one replica. Engine and generator share a "
                + "process, so an engine alone needs less.\n"
        );
        foreach (var breach in advice.Breaches)
            writer.Write($"\n- Not printed: {breach}\n");
        WriteSizes(writer, advice);
        WriteTotals(writer, advice);
        WriteGrowth(writer, advice);
        foreach (var projection in advice.Projections)
            WriteProjection(writer, projection);
        foreach (var step in advice.LeftOut)
            writer.Write($"\nLeft out: {step}.\n");
        foreach (var size in advice.Sizes)
            writer.Write($"\n## {size.Name} for Kubernetes\n\n```yaml\n{KubernetesFragment.Of(size)}```\n");
    }

    private static void WriteSizes(TextWriter writer, SizingAdvice advice)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Size",
            "Component",
            "Up to ops/s",
            "Replicas",
            "CPU P99 m",
            "CPU max m",
            "CPU request m",
            "CPU limit m",
            "Memory P99 Mi",
            "Memory max Mi",
            "Memory request Mi",
            "Memory limit Mi",
            "Disk read Mi/s",
            "Disk written Mi/s"
        );
        foreach (var size in advice.Sizes)
        {
            foreach (var component in size.Components)
            {
                var (cpu, memory) = (component.Measured.Cpu!, component.Measured.Memory!);
                table.Row(
                    size.Name,
                    component.Component,
                    Figure.Of(size.UpToPerSecond),
                    Figure.Of((long)component.Replicas),
                    Figure.Count(cpu.P99 * 1000),
                    Figure.Count(cpu.Max * 1000),
                    Figure.Of((long)component.CpuRequest),
                    Figure.Of((long)component.CpuLimit),
                    Figure.Count(memory.P99 / (1 << 20)),
                    Figure.Count(memory.Max / (1 << 20)),
                    Figure.Of((long)component.MemoryRequest),
                    Figure.Of((long)component.MemoryLimit),
                    Disk(component.Measured.DiskRead, advice.Rule),
                    Disk(component.Measured.DiskWrite, advice.Rule)
                );
            }
        }

        writer.Section(
            "Components",
            "Processors are in thousandths of a core (m), memory is in MiB (Mi). Disk figures are the P99 of what was read and written, "
                + "with the same headroom. Kubernetes has no request for them.",
            table
        );
        ResourcesTable.WriteMissing(writer, advice.Sizes.SelectMany(size => size.Components).Select(component => component.Measured));
    }

    private static string Disk(ResourceFigures.Usage? usage, SizeRule rule) => Figure.Of(usage?.P99 * (1 + rule.Headroom) / (1 << 20));

    private static void WriteTotals(TextWriter writer, SizingAdvice advice)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Size",
            "Up to ops/s",
            "CPU request m",
            "CPU limit m",
            "Memory request Mi",
            "Memory limit Mi"
        );
        foreach (var size in advice.Sizes)
            table.Row(
                size.Name,
                Figure.Of(size.UpToPerSecond),
                Figure.Of((long)size.CpuRequest),
                Figure.Of((long)size.CpuLimit),
                Figure.Of((long)size.MemoryRequest),
                Figure.Of((long)size.MemoryLimit)
            );
        writer.Section("Totals", "", table);
    }

    private static void WriteGrowth(TextWriter writer, SizingAdvice advice)
    {
        var table = new MarkdownTable(
            textColumns: 3,
            "Component",
            "CPU",
            "Memory",
            "CPU exponent",
            "± error",
            "Memory exponent",
            "± error ",
            "Share of CPU",
            "Share of memory"
        );
        foreach (var growth in advice.Growths)
        {
            table.Row(
                growth.Component,
                Words(growth.Cpu),
                Words(growth.Memory),
                Figure.Of(growth.Cpu.Exponent),
                Figure.Of(growth.Cpu.StandardError),
                Figure.Of(growth.Memory.Exponent),
                Figure.Of(growth.Memory.StandardError),
                Figure.Share(growth.CpuShare),
                Figure.Share(growth.MemoryShare)
            );
        }

        writer.Section(
            "Growth",
            "Exponent of use over rate, by regression over the steps: 0 is constant, 1 is proportional to the rate. Below 0.25 is fixed, "
                + "above 1.15 steep, between them linear; unknown with fewer than three steps or an error above 0.35.",
            table
        );
    }

    private static void WriteProjection(TextWriter writer, Projection projection)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Component",
            "Resource",
            "Measured",
            "Projected",
            "95 % interval",
            "Machines",
            "One machine up to ops/s",
            "95 % interval "
        );
        foreach (var use in projection.Uses)
        {
            table.Row(
                use.Component,
                Projection.Words(use.Resource),
                Figure.Each(use.Measured),
                Figure.Each(use.Use.Value),
                Interval(use.Use, Figure.Each),
                Figure.Count(use.Machines),
                Figure.Count(use.OneMachine?.Value),
                use.OneMachine is { } rate ? Interval(rate, Figure.Count) : Figure.None
            );
        }

        writer.Section(
            $"Projection to {Figure.Count(projection.PerSecond)} ops/s",
            Invariant($"Extrapolated from {projection.Rates} rates of up to {projection.MeasuredPerSecond:#,0} ops/s, ")
                + Invariant($"{projection.PerSecond / projection.MeasuredPerSecond:0.#} times as far as was measured. Each use is a ")
                + "straight line: a fixed part, and a part in proportion to the rate. The intervals are those of the line and of the noise "
                + "between steps. What only higher rates would show is not in them: more operations share a commit, so a projection from "
                + Invariant($"far below is too high; contention makes it too low. A machine has {projection.Cores} cores (`--cores`) as ")
                + Invariant($"fast as the measured ones, and {Projection.PlannedShare * 100:0} % of them are planned with. Work is ")
                + "assumed to divide among machines without cost.",
            table
        );
        if (projection.FirstLimit is { OneMachine: { } one } first)
            writer.Write(
                Invariant(
                    $"\nThe first limit is the {first.Component}: one server of this size is used up at about {one.Value:#,0} ops/s. "
                )
                    + (
                        first.Machines == 1
                            ? "It is enough for this rate.\n"
                            : $"Hosts can be added on one store, but for this rate the instances must be divided among "
                                + $"{Figure.Number(first.Machines!.Value, "database server")}.\n"
                    )
            );
        foreach (var resource in projection.LeftOut)
            writer.Write($"\nNot projected, because it does not grow with the rate, or too few steps have it: {resource}.\n");
    }

    private static string Interval(Estimate estimate, Func<double?, string> figure) =>
        $"{figure(estimate.Low)} to {(double.IsFinite(estimate.High) ? figure(estimate.High) : "unknown")}";

    private static string Words(Growth growth) => growth.Class.ToString().ToLowerInvariant();
}
