namespace Serdica.Perf.Delivery.Tests;

/// <summary>The false alarms on a real server that docs/statistics.md publishes are those of the kept count.</summary>
public sealed class AlarmFiguresTests : IAsyncLifetime
{
    private const string Count = "alarms.json";

    private static readonly string[] Lines = File.ReadAllLines(Repository.PathOf("docs/statistics.md"));

    private readonly TemporaryFolder _history = new();
    private JsonNode _kept = null!;

    public async ValueTask InitializeAsync()
    {
        var run = Repository.PathOf("TestResults/baselines/2026-11-24-build-machine-6/alarms");
        _kept = KeptRun.Json(await GitHistory.KeptRunAsync(run, _history.Path), Count);
    }

    public ValueTask DisposeAsync()
    {
        _history.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public void Each_kind_of_comparison_has_its_number_of_pairs_and_of_those_with_an_alarm() =>
        EachItem.Holds(_kept["comparisons"]!.AsArray(), kind =>
        {
            var pairs = kind!["pairs"]!.AsArray();
            var alarmed = pairs.Count(pair => pair!["alarms"]!.AsArray().Count > 0);
            Assert.Contains($"| {kind["kind"]} | {pairs.Count} | {alarmed} |", Lines);
        });

    [Fact]
    public void The_series_of_the_single_runs_have_their_number_of_change_points()
    {
        var series = _kept["trends"]!.AsArray();
        var runs = series.Max(one => one!["values"]!.AsArray().Count);
        var changed = series.Count(one => one!["changesAt"]!.AsArray().Count > 0);

        Assert.Contains($"| `trend`, series of {runs} runs | {series.Count} | {changed} |", Lines);
    }

    /// <summary>A pair without a metric that was judged could raise no alarm.</summary>
    [Fact]
    public void Throughput_was_judged_in_every_pair() =>
        EachItem.Holds(_kept["comparisons"]!.AsArray().SelectMany(kind => kind!["pairs"]!.AsArray()), pair =>
            Assert.Contains(pair!["metrics"]!.AsArray(), metric =>
                (string)metric!["metric"]! == "throughput" && metric["pValue"] is not null
            )
        );
}
