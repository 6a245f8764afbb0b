namespace Serdica.Perf.Reports.Markdown;

/// <summary>Which component is the first to run out of memory, what its memory is, and what maintenance put on top of it.</summary>
internal static class MemoryMarkdown
{
    /// <summary>A maximum of this many times the mean is called a spike.</summary>
    private const double Spike = 1.25;

    public static void Write(TextWriter writer, LoadTestResult test, RunResult run)
    {
        var table = new MarkdownTable(
            textColumns: 3,
            "Step",
            "Component",
            "Spike",
            "Rank",
            "MiB max",
            "Share of the machine",
            "Max/average",
            "What it is, and what ran at the time"
        )
        {
            EndsWithText = true,
        };
        var machine = run.Environment.Machine;
        var room = machine.CgroupMemoryLimitBytes ?? machine.MemoryBytes;
        foreach (var step in test.Steps)
        {
            var scenario = run.Scenarios.FirstOrDefault(step.IsOf);
            var rank = 0;
            foreach (var (component, memory) in Used(step))
            {
                var overMean = memory.Max / memory.Average;
                table.Row(
                    step.Name,
                    component.Component,
                    overMean >= Spike ? "yes" : "no",
                    Figure.Of((long)++rank),
                    Figure.Count(memory.Max / (1 << 20)),
                    Figure.Share(memory.Max * component.Replicas / room),
                    Figure.Of(overMean),
                    Cause(component, scenario, run)
                );
            }
        }

        writer.Section(
            "Memory",
            Invariant($"The first component of a step is the first candidate to run out of memory. A maximum of {Spike:0.##} times the ")
                + "mean or more is a spike. Its cause may be maintenance that ran in the step, or a cache that was still filling: the "
                + "chart in `report.html` shows which.",
            table
        );
    }

    private static IEnumerable<(ResourceFigures Component, ResourceFigures.Usage Memory)> Used(StepResult step) =>
        from component in step.Resources
        where component is { Component: not ResourceFigures.Total, Memory.Average: > 0 }
        orderby component.Memory!.Max * component.Replicas descending
        select (component, component.Memory);

    private static string Cause(ResourceFigures component, ScenarioResult? scenario, RunResult run)
    {
        string Count(IReadOnlyDictionary<string, MetricValue>? metrics, params IReadOnlyList<string> names) =>
            Figure.Count(names.Select(name => metrics?.GetValueOrDefault(name)?.Value).Aggregate((double?)0, (sum, value) => sum + value));

        if (component.Component == ResourceFigures.Engine)
            return $"full collections: {Count(scenario?.EngineMetrics, MetricNames.FullCollections)}";
        var buffers = run.Databases.FirstOrDefault(database => !database.IsInProcess)?.Settings.GetValueOrDefault("shared_buffers");
        var metrics = scenario?.DatabaseMetrics;
        return $"{(buffers is null ? "" : $"shared_buffers {buffers}, ")}connections: {Count(metrics, MetricNames.Connections)}; "
            + $"vacuums: {Count(metrics, MetricNames.Vacuums, MetricNames.Autovacuums)}, checkpoints: "
            + $"{Count(metrics, MetricNames.Checkpoints)}";
    }
}
