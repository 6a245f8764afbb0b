using System.Globalization;
using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Cli.Output;

/// <summary>A comparison in blocks on one screen: the headline of each scenario and its blocks, then what changed.</summary>
internal static class AbSummary
{
    public static void Write(TextWriter writer, AbResult result)
    {
        ComparisonSummary.Write(writer, result.Comparison, result.Gate);

        // Both are in the order in which the base measured them; figures are kept by the name without backend.
        foreach (var (scenario, bare) in result.Comparison.Scenarios.Zip(result.Blocks[0].Runs[0].Figures.Keys))
        {
            var headline = scenario.Metrics[0];
            if (headline is { Verdict: Verdict.NotMeasured, Before: null, After: null })
            {
                writer.WriteLine($"{scenario.Name}: {headline.Reason}");
                continue;
            }

            writer.WriteLine(
                $"{scenario.Name} {headline.Metric}: {ComparisonText.Change(headline)} ({ComparisonText.Evidence(headline)}): "
                    + $"{ComparisonText.Words(headline).ToUpperInvariant()}"
            );
            writer.WriteLine($"  by block: {string.Join("  ", result.Ratios(bare, headline.Metric).Select(Ratio))}");
        }
    }

    private static string Ratio(double? ratio) => ratio?.ToString("0.000", CultureInfo.InvariantCulture) ?? "-";
}
