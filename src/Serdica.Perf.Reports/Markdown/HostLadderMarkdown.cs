using Serdica.Perf.Analysis.Capacity;

namespace Serdica.Perf.Reports.Markdown;

/// <summary><c>hosts.md</c>: what more host processes bring.</summary>
internal static class HostLadderMarkdown
{
    /// <param name="runs">One for each number of hosts.</param>
    public static void Write(TextWriter writer, IReadOnlyList<RunResult> runs, string command)
    {
        var ladders = HostLadder.Of(runs);
        writer.Write(
            "# Numbers of hosts\n\nEach host is a separate process, and all hosts of a level claim from one store. Each level has its "
                + "own store. Generator, hosts and database shared one machine, unless the database was elsewhere.\n\n"
        );
        foreach (var sentence in Sentences(runs))
            writer.Write($"- {sentence}\n");
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Hosts",
            "Workers of each",
            "Throughput/s",
            "Of the best",
            "Response P99 ms",
            "Conflicts/op",
            "Empty claims/op",
            "Hosts CPU µs/op",
            "Generator CPU µs/op",
            "DB CPU µs/op",
            "Host connections",
            "DB connections",
            "Run folder"
        )
        {
            EndsWithText = true,
        };
        foreach (var ladder in ladders)
        {
            foreach (var level in ladder.Levels)
            {
                var scenario = level.Scenario;
                table.Row(
                    ladder.Scenario,
                    Figure.Of((long)level.Hosts),
                    Figure.Of((long)scenario.Parameters.Workers),
                    Figure.Of(level.PerSecond),
                    Figure.Of(ladder.ShareOfBest(level)),
                    Figure.Of(scenario.ResponseTime.Shown().P99Ms),
                    Figure.Of(level.ConflictsPerOperation),
                    Figure.Of(level.EmptyClaimsPerOperation),
                    Figure.Each(level.HostCpuMsPerOperation * 1000),
                    Figure.Each(level.GeneratorCpuMsPerOperation * 1000),
                    Figure.Each(level.DatabaseCpuMsPerOperation * 1000),
                    Figure.Count(level.HostConnections),
                    Figure.Count(scenario.DatabaseMetrics.GetValueOrDefault(MetricNames.Connections)?.Value),
                    level.RunId
                );
            }
        }

        writer.Section(
            "Levels",
            "*Of the best* is the throughput as a share of the highest of all levels. A conflict is a batch that was rolled back because "
                + "another host had changed an instance of it, and was retried. An empty claim is a look for due signals that found none.",
            table
        );
        writer.HowToRepeat(command);
    }

    /// <summary>What a user wants to know of each scenario, and the levels that failed.</summary>
    public static IEnumerable<string> Sentences(IReadOnlyList<RunResult> runs) =>
        HostLadder
            .Of(runs)
            .Select(Sentence)
            .Concat(FailedLevels.Of(runs, static (_, scenario) => Figure.Number(scenario.Parameters.Hosts, "host")));

    private static string Sentence(HostLadder ladder)
    {
        var (first, last, best) = (ladder.Levels[0], ladder.Levels[^1], ladder.Best);
        return $"{ladder.Scenario}: {Figure.Of(first.PerSecond)}/s with {Figure.Number(first.Hosts, "host")} and "
            + $"{Figure.Of(last.PerSecond)}/s with {Figure.Number(last.Hosts, "host")}; the most is {Figure.Of(best.PerSecond)}/s with "
            + $"{Figure.Number(best.Hosts, "host")}.";
    }
}
