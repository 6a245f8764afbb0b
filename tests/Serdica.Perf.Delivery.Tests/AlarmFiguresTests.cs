using System.Text.Json.Nodes;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The false alarms on a real server that docs/statistics.md publishes are those of the kept count.</summary>
public sealed class AlarmFiguresTests
{
    private const string Document = "docs/statistics.md";
    private const string Count = "alarms.json";

    private static readonly string[] Lines = File.ReadAllLines(Repository.PathOf(Document));

    private static readonly JsonNode Kept = KeptRun.Json(
        Assert.Single(Lines.SelectMany(line => KeptRun.Cited(Document, line, Count + ".gz")).Distinct()),
        Count
    );

    [Fact]
    public void Each_kind_of_comparison_has_its_number_of_pairs_and_of_those_with_an_alarm() =>
        EachItem.Holds(
            Kept["comparisons"]!.AsArray(),
            kind =>
            {
                var pairs = kind!["pairs"]!.AsArray();
                var alarmed = pairs.Count(pair => pair!["alarms"]!.AsArray().Count > 0);
                Assert.Contains($"| {kind["kind"]} | {pairs.Count} | {alarmed} |", Lines);
            }
        );

    [Fact]
    public void The_series_of_the_single_runs_have_their_number_of_change_points()
    {
        var series = Kept["trends"]!.AsArray();
        var runs = series.Max(one => one!["values"]!.AsArray().Count);
        var changed = series.Count(one => one!["changesAt"]!.AsArray().Count > 0);

        Assert.Contains($"| `trend`, series of {runs} runs | {series.Count} | {changed} |", Lines);
    }

    /// <summary>A pair without a metric that was judged could raise no alarm.</summary>
    [Fact]
    public void Throughput_was_judged_in_every_pair() =>
        EachItem.Holds(
            Kept["comparisons"]!.AsArray().SelectMany(kind => kind!["pairs"]!.AsArray()),
            pair =>
                Assert.Contains(
                    pair!["metrics"]!.AsArray(),
                    metric => (string)metric!["metric"]! == "throughput" && metric["pValue"] is not null
                )
        );
}
