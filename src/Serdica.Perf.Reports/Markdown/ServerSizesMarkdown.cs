using Serdica.Perf.Analysis.Capacity;

namespace Serdica.Perf.Reports.Markdown;

/// <summary><c>server-sizes.md</c>: what more processors of the server bring.</summary>
internal static class ServerSizesMarkdown
{
    /// <param name="runs">One for each size.</param>
    public static void Write(TextWriter writer, IReadOnlyList<RunResult> runs, string command)
    {
        var sizes = ServerSizes.Of(runs);
        writer.Write(
            "# Server sizes\n\nEngine and load generator are the same for all sizes and may use the whole machine. Only the server is "
                + "limited.\n\n"
        );
        foreach (var sentence in Sentences(runs))
            writer.Write($"- {sentence}\n");
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Processors of the server",
            "Throughput/s",
            "Response P99 ms",
            "Times the smallest",
            "Per processor",
            "Run folder"
        )
        {
            EndsWithText = true,
        };
        foreach (var size in sizes)
        {
            foreach (var level in size.Rungs)
            {
                table.Row(
                    size.Scenario,
                    Plain(level.Processors),
                    Figure.Of(level.PerSecond),
                    Figure.Of(level.P99Ms),
                    Figure.Of(size.Gain(level)),
                    Figure.Of(size.Efficiency(level)),
                    level.RunId
                );
            }
        }

        writer.Section(
            "Sizes",
            "*Per processor* is 1 when throughput grows in proportion to the processors; below 1, further processors bring less. The run "
                + "folder of a size says what limits it.",
            table
        );
        writer.HowToRepeat(command);
    }

    /// <summary>What a user wants to know of each scenario, and the sizes that failed.</summary>
    public static IEnumerable<string> Sentences(IReadOnlyList<RunResult> runs) =>
        ServerSizes.Of(runs).Select(Sentence).Concat(FailedLevels.Of(runs, Server));

    private static string Server(RunResult run, ScenarioResult scenario) =>
        ServerSizes.Processors(run, scenario) switch
        {
            null => "a server without a limit",
            1 => "1 processor of the server",
            { } processors => $"{Plain(processors)} processors of the server",
        };

    private static string Sentence(ServerSizes sizes)
    {
        var (first, last) = (sizes.Rungs[0], sizes.Rungs[^1]);
        return $"{sizes.Scenario}: {Figure.Of(first.PerSecond)}/s on {Plain(first.Processors)} and {Figure.Of(last.PerSecond)}/s on "
            + $"{Plain(last.Processors)} processors of the server, "
            + $"{Figure.Of(sizes.Gain(last))} times as much for {Plain(last.Processors / first.Processors)} times the processors.";
    }

    private static string Plain(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);
}
