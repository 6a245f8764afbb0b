using Serdica.Perf.Analysis.Recomputing;

namespace Serdica.Perf.Measurement.Tests.Baselines;

/// <summary>What is published in docs/baselines can be checked by anybody.</summary>
public sealed class PublishedBaselinesTests
{
    private static readonly string Folder = Path.Combine(RepositoryRoot.Folder, "docs", "baselines");

    public static TheoryData<string> Names =>
        [
            .. Directory
                .EnumerateFiles(Folder, "*.json.gz")
                .Select(file => Path.GetFileName(file).Replace(".json.gz", "", StringComparison.Ordinal)),
        ];

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_figure_is_that_of_the_raw_data(string name)
    {
        var file = Path.Combine(Folder, $"{name}.json.gz");
        var run = BaselineReader.Read(file);
        var recomputed = Recomputation.Of(file);

        Assert.Empty(recomputed.Wrong);
        Assert.NotEqual(0, recomputed.Figures);
        Assert.NotEmpty(run.Publication!.Samples);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_document_shows_these_figures(string name)
    {
        var run = BaselineReader.Read(Path.Combine(Folder, $"{name}.json.gz"));
        var lines = File.ReadAllLines(Path.Combine(Folder, $"{name}.md"));

        EachItem.Holds(
            TypicalRepeat.WithMedianLatencies(run.Scenarios.Where(scenario => scenario.Backend == run.Publication!.Backend)),
            scenario =>
            {
                var row = Row(lines, scenario.Name);
                Assert.Equal(scenario.ResponseTime.Count, row["Count"]);
                Shows(row, "Throughput/s", scenario.ThroughputPerSecond);
                Shows(row, "Avg", scenario.ResponseTime.AverageMs);
                Shows(row, "P50", scenario.ResponseTime.P50Ms);
                Shows(row, "P90", scenario.ResponseTime.P90Ms);
                Shows(row, "P95", scenario.ResponseTime.P95Ms);
                Shows(row, "P99", scenario.ResponseTime.P99Ms);
                Shows(row, "P99.9", scenario.ResponseTime.P99Point9Ms);
                Shows(row, "Max", scenario.ResponseTime.MaxMs);
            }
        );
    }

    [Fact]
    public void Every_baseline_is_compressed_and_has_its_document() =>
        Assert.Equal(
            Names.Select(row => row.Data).Order(StringComparer.Ordinal),
            Directory
                .EnumerateFiles(Folder)
                .Where(file => !file.EndsWith(".gz", StringComparison.Ordinal))
                .Select(file => Path.GetFileName(file)[..^3])
                .Order(StringComparer.Ordinal)
        );

    /// <summary>A figure is left out of the document where too few operations stand behind it.</summary>
    private static void Shows(Dictionary<string, double?> row, string column, double? figure)
    {
        if (row.GetValueOrDefault(column) is { } shown)
            Assert.InRange(shown, figure!.Value - 0.051, figure.Value + 0.051);
    }

    /// <summary>The figures of a scenario in the first table that has a column of throughput.</summary>
    private static Dictionary<string, double?> Row(string[] lines, string scenario)
    {
        var header = Array.FindIndex(lines, line => line.Contains("| Throughput/s |", StringComparison.Ordinal));
        var row = lines.Skip(header).First(line => line.StartsWith($"| {scenario} |", StringComparison.Ordinal));
        return Cells(lines[header])
            .Zip(Cells(row))
            .ToDictionary(
                cell => cell.First,
                cell =>
                    double.TryParse(cell.Second, NumberStyles.Number, CultureInfo.InvariantCulture, out var figure) ? figure : (double?)null
            );
    }

    private static IEnumerable<string> Cells(string line) => line.Trim('|').Split('|').Select(cell => cell.Trim());
}
