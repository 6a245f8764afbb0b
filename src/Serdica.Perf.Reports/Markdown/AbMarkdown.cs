using Serdica.Perf.Analysis.Blocks;

namespace Serdica.Perf.Reports.Markdown;

/// <summary>A comparison in blocks as Markdown: the verdicts, then the ratio of each block. Pure.</summary>
internal static class AbMarkdown
{
    public static void Write(TextWriter writer, AbResult result)
    {
        ComparisonMarkdown.Write(writer, result.Comparison, result.Gate);

        var scenarios = result.Blocks.SelectMany(block => block.Runs).SelectMany(run => run.Figures.Keys).Distinct().ToArray();
        var table = new MarkdownTable(textColumns: 2, ["Block", "Order", .. scenarios]);
        var ratios = scenarios.Select(scenario => result.Ratios(scenario, ComparedMetric.Throughput).ToArray()).ToArray();
        foreach (var (index, block) in result.Blocks.Index())
        {
            table.Row([
                block.Number.ToString(CultureInfo.InvariantCulture),
                string.Concat(block.Runs.Select(run => run.Side == AbSide.Base ? 'A' : 'B')),
                .. ratios.Select(ratio => ratio[index]?.ToString("0.000", CultureInfo.InvariantCulture) ?? Figure.None),
            ]);
        }

        writer.Section("Throughput by block", "Candidate over base; A is the base, B the candidate.", table);
        writer.Heading("How it was calculated");
        writer.Write($"{result.Method}\n\n```\n{result.Command}\n```\n");
    }
}
