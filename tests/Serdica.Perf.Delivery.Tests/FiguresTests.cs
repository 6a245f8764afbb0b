using System.Globalization;
using System.Text.RegularExpressions;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// The figures of the README and of docs/figures.md are those of the kept runs: the raw value, or the median of the raw values of
/// all repeats, rounded once.
/// </summary>
public sealed partial class FiguresTests
{
    private static readonly (string Header, Func<ScenarioResult, double?> Of)[] Columns =
    [
        ("Round trips/s", scenario => scenario.ThroughputPerSecond),
        ("Throughput/s", scenario => scenario.ThroughputPerSecond),
        ("p50", scenario => scenario.ResponseTime.P50Ms),
        ("p99", scenario => scenario.ResponseTime.P99Ms),
        ("Writing commits/op", scenario => scenario.CostPerOperation.GetValueOrDefault(MetricNames.WritingCommits)?.Value),
        ("WAL bytes/op", scenario => scenario.CostPerOperation.GetValueOrDefault(MetricNames.WalBytes)?.Value),
    ];

    [Theory]
    [InlineData("README.md", 3)]
    [InlineData("docs/figures.md", 6)]
    public void Each_figure_is_the_raw_one_rounded_once(string document, int rows)
    {
        var lines = File.ReadAllLines(Repository.PathOf(document));
        var (header, checkedRows, wrong) = (Array.Empty<string>(), 0, new List<string>());
        foreach (var (line, before) in lines.Skip(1).Zip(lines))
        {
            if (line.StartsWith("|--", StringComparison.Ordinal))
                header = Cells(before);
            if (!line.StartsWith('|') || header.Length == 0 || Kept(document, line) is not { Count: > 0 } measured)
                continue;

            var cells = Cells(line);
            foreach (var ((name, of), cell) in header.Zip(cells).SelectMany(pair => Matching(pair.First, pair.Second)))
            {
                var raw = Spread.Of(measured.Select(of));
                var shown = Numbers(cell);
                double[] expected =
                    raw is null ? []
                    : shown.Length == 3 ? [raw.Median, raw.Min, raw.Max]
                    : [raw.Median];
                if (!shown.SequenceEqual(expected.Zip(shown, Rounded)))
                    wrong.Add($"{cells[0]}: {name} is '{cell}', and the raw figures are {string.Join(", ", expected)}");
            }

            checkedRows++;
        }

        Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
        Assert.True(checkedRows >= rows, $"{checkedRows} rows of {document} cite a kept run with its raw figures.");
    }

    private static IEnumerable<((string Name, Func<ScenarioResult, double?> Of) Column, string Cell)> Matching(string header, string cell)
    {
        foreach (var column in Columns)
        {
            if (header.StartsWith(column.Header, StringComparison.Ordinal) && Numbers(cell).Length > 0)
                yield return (column, cell);
        }
    }

    /// <summary>
    /// All passed measurements of the runs that a line cites, without those in memory beside them; empty when their raw figures are
    /// not kept.
    /// </summary>
    private static IReadOnlyList<ScenarioResult> Kept(string document, string line) =>
        [
            .. Citation()
                .Matches(line)
                .Select(match => Path.Combine(Path.GetDirectoryName(Repository.PathOf(document))!, match.Groups[1].Value))
                .Where(folder => File.Exists(Path.Combine(folder, RunFolder.SummaryFile)))
                .SelectMany(folder =>
                    BaselineReader
                        .Read(folder)
                        .Scenarios.Where(scenario => Path.GetFileName(folder).StartsWith(scenario.Backend, StringComparison.Ordinal))
                )
                .Where(scenario => scenario.ThroughputPerSecond is not null),
        ];

    private static string[] Cells(string line) => [.. line.Trim('|', ' ').Split('|').Select(cell => cell.Trim())];

    private static string[] Numbers(string cell) => [.. Number().Matches(Link().Replace(cell, "")).Select(match => match.Value)];

    /// <summary>With as many digits as the document has.</summary>
    private static string Rounded(double value, string shown) =>
        value.ToString(shown.IndexOf('.') is > 0 and var point ? $"N{shown.Length - point - 1}" : "N0", CultureInfo.InvariantCulture);

    [GeneratedRegex(@"\]\(([^)]*)/summary\.md\)")]
    private static partial Regex Citation();

    [GeneratedRegex(@"\[[^\]]*\]\([^)]*\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"\d[\d,]*(\.\d+)?")]
    private static partial Regex Number();
}
