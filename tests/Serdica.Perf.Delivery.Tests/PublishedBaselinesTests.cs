using Serdica.Perf.Analysis.Recomputing;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// What is published in docs/baselines can be checked by anybody: its raw data lie beside it, or in the history at the commit that the
/// document names.
/// </summary>
public sealed class PublishedBaselinesTests : FolderTests
{
    private const string Folder = "docs/baselines";

    public static TheoryData<string> Names =>
        [.. Directory.EnumerateFiles(Repository.PathOf(Folder), "*.md").Select(file => Path.GetFileNameWithoutExtension(file))];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Each_figure_is_that_of_the_raw_data(string name)
    {
        var file = await GitHistory.RawDataAsync(name, Root.Path);
        var run = BaselineReader.Read(file);
        var recomputed = Recomputation.Of(file);

        Assert.Empty(recomputed.Wrong);
        Assert.NotEqual(0, recomputed.Figures);
        Assert.NotEmpty(run.Publication!.Samples);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Its_document_shows_these_figures(string name)
    {
        var run = BaselineReader.Read(await GitHistory.RawDataAsync(name, Root.Path));
        var lines = await File.ReadAllLinesAsync(Repository.PathOf($"{Folder}/{name}.md"), Token);

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

    /// <summary>Raw data that are still in the checkout are compressed.</summary>
    [Fact]
    public void Every_baseline_is_compressed_and_has_its_document()
    {
        var files = Directory.EnumerateFiles(Repository.PathOf(Folder)).Select(file => Path.GetFileName(file)!).ToArray();

        Assert.NotEmpty(Names);
        EachItem.Holds(files, file => Assert.Contains(file.Replace(".json.gz", ".md"), Names.Select(row => $"{row.Data}.md")));
    }

    /// <summary>A figure is left out of the document where too few operations stand behind it.</summary>
    private static void Shows(Dictionary<string, double?> row, string column, double? figure)
    {
        if (row.GetValueOrDefault(column) is { } shown)
            Assert.InRange(shown, figure!.Value - 0.051, figure.Value + 0.051);
    }

    /// <summary>The figures of a scenario in the first table that has a column of throughput.</summary>
    private static Dictionary<string, double?> Row(string[] lines, string scenario)
    {
        var header = Array.FindIndex(lines, line => line.Contains("| Throughput/s |"));
        var row = lines.Skip(header).First(line => line.StartsWith($"| {scenario} |"));
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
