using Serdica.Perf.Analysis.Recomputing;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class RecomputationTests : FolderTests
{
    [Fact]
    public void Figures_that_the_raw_data_give_are_counted()
    {
        var (artifacts, document) = Run();

        var recomputed = Recomputation.Of(artifacts, document);

        Assert.Empty(recomputed.Wrong);
        Assert.True(recomputed.Figures > 30 * artifacts.Run.Scenarios.Count, $"Only {recomputed.Figures} figures were computed.");
    }

    [Theory]
    [InlineData("scenarios[0].throughputPerSecond")]
    [InlineData("scenarios[0].serviceTime.averageMs")]
    [InlineData("scenarios[0].responseTime.p99Ms")]
    [InlineData("scenarios[1].latencyToDrain.maxMs")]
    [InlineData("scenarios[0].phases.start.p50Ms")]
    [InlineData("scenarios[0].generatorLag.count")]
    [InlineData("scenarios[5].lateness.p99Ms")]
    [InlineData("scenarios[2].timeline.intervals[0].count")]
    [InlineData("scenarios[2].timeline.intervals[0].perSecond")]
    [InlineData("scenarios[2].timeline.worstP99Ms")]
    [InlineData("scenarios[0].costPerOperation.walBytes.value")]
    [InlineData("repeats[0].throughputPerSecond.median")]
    [InlineData("ladders[0].rungs[1].growth")]
    public void A_figure_that_they_do_not_give_is_named(string path)
    {
        var (artifacts, document) = Run();
        Change(document, path);

        var sentence = Assert.Single(Recomputation.Of(artifacts, document).Wrong);

        Assert.Contains(path.Split('.')[^1].Split('[')[0], sentence);
        Assert.Contains("and its raw data give", sentence);
    }

    [Fact]
    public void A_figure_that_no_raw_data_have_is_named()
    {
        var (artifacts, document) = Run();
        document["scenarios"]![0]!["phases"]!["invented"] = new JsonObject { ["p50Ms"] = 1 };

        var sentence = Assert.Single(Recomputation.Of(artifacts, document).Wrong);

        Assert.EndsWith("phases.invented.p50Ms is 1, and its raw data give no such figure.", sentence);
    }

    [Fact]
    public void A_p99_of_an_interval_outside_of_its_bucket_is_wrong()
    {
        var (artifacts, document) = Run();
        Change(document, "scenarios[2].timeline.intervals[0].p99Ms", factor: 1.3);

        Assert.NotEmpty(Recomputation.Of(artifacts, document).Wrong);
    }

    [Fact]
    public void A_run_without_figures_is_not_right()
    {
        var empty = ReferenceSizedRun.Whole with { Scenarios = [], Repeats = [], Ladders = [] };

        var recomputed = Recomputation.Of(new(empty, folder: null), JsonSerializer.SerializeToNode(empty, MeasurementJson.Artifacts)!);

        Assert.Equal("The run measured no scenario: it has no figure that could be checked.", Assert.Single(recomputed.Wrong));
    }

    [Fact]
    public void Raw_data_that_are_missing_are_named()
    {
        var (artifacts, document) = Run();

        var recomputed = Recomputation.Of(new(artifacts.Run, folder: null), document);

        Assert.Contains("postgresql-signal-roundtrip-latency-serial: there is no raw histogram of responseTime.", recomputed.Wrong);
        Assert.Contains("postgresql-immediate-burst-smoke: there is no raw histogram of lateness.", recomputed.Wrong);
        Assert.Contains(recomputed.Wrong, sentence => sentence.EndsWith("of the intervals of its timeline."));
        Assert.Equal(0, recomputed.Figures);
    }

    private (RunArtifacts Artifacts, JsonNode Document) Run()
    {
        var scenarios = ReferenceSizedRun.Whole.Scenarios.Select(ReferenceSizedRun.Longer).ToArray();
        var serial = scenarios[0];
        scenarios[5] = scenarios[5] with { Lateness = SampleRun.Latency(24, 1) };
        var run = ReferenceSizedRun.Whole with
        {
            Scenarios =
            [.. scenarios, serial with { Parameters = serial.Parameters with { Repeat = 2 }, DurationMs = serial.DurationMs * 2 }],
        };
        var artifacts = RunWithRawData.Write(Root.Path, run);
        return (artifacts, JsonSerializer.SerializeToNode(artifacts.Run, MeasurementJson.Artifacts)!);
    }

    private static void Change(JsonNode document, string path, double factor = 1.001)
    {
        var node = path.Split('.', '[')
            .Aggregate(document, (part, name) => name.EndsWith(']') ? part[int.Parse(name[..^1])]! : part[name]!);
        node.ReplaceWith(node.GetValue<double>() * factor);
    }
}
