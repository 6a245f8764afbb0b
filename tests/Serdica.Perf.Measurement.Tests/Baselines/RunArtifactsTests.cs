namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class RunArtifactsTests : FolderTests
{
    /// <summary>Shells complete the name of a folder with a separator.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("/")]
    public void What_was_written_beside_the_summary_is_read_back(string ending)
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", RunManifest.Of(SampleRun.Passed));
        var (histogram, timeline) = (new LatencyHistogram(), new ThroughputTimeline());
        histogram.Record(FromMilliseconds(3));
        timeline.Record(FromSeconds(1), FromMilliseconds(3));
        var scenario = SampleRun.Serial with
        {
            Histograms = new Dictionary<string, string>
            {
                [PhaseNames.Start] = folder.WriteHistogram(SampleRun.Serial.Name, PhaseNames.Start, histogram),
            },
            IntervalHistograms = folder.WriteIntervals(SampleRun.Serial.Name, timeline.Histograms(FromSeconds(2))),
        };
        folder.Write(SampleRun.Passed with { Scenarios = [scenario] });

        var artifacts = RunArtifacts.Read(folder.Path + ending);

        var read = artifacts.Run.Scenarios[0];
        Assert.Equal(1, artifacts.Histogram(read, PhaseNames.Start)!.Count);
        Assert.Equal(1, artifacts.Intervals(read)!.Intervals.SelectMany(interval => interval.Counts).Sum());
        Assert.Null(artifacts.Histogram(read, PhaseNames.SignalPublish));
        Assert.Empty(artifacts.Samples(read));
    }

    [Fact]
    public void A_summary_that_names_a_file_outside_of_its_folder_gets_nothing_of_it()
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", RunManifest.Of(SampleRun.Passed));
        var outside = RunFolder
            .Create(Root.Path, "postgresql", "latency", RunManifest.Of(SampleRun.Passed))
            .WriteHistogram("a", "b", new LatencyHistogram());
        var path = $"../{SampleRun.Passed.RunId.Replace("smoke", "latency")}/{outside}";
        Assert.True(File.Exists(Path.Combine(folder.Path, path)));
        var scenario = SampleRun.Serial with { Histograms = new Dictionary<string, string> { [PhaseNames.Start] = path } };

        Assert.Null(new RunArtifacts(SampleRun.Passed, folder.Path).Histogram(scenario, PhaseNames.Start));
    }

    [Fact]
    public void A_histogram_that_is_none_is_named_in_a_sentence()
    {
        Root.Write("bad.json", "{ \"version\": 1 }");
        var scenario = SampleRun.Serial with { Histograms = new Dictionary<string, string> { [PhaseNames.Start] = "bad.json" } };

        var error = Assert.Throws<BaselineException>(() =>
            new RunArtifacts(SampleRun.Passed, Root.Path).Histogram(scenario, PhaseNames.Start)
        );

        Assert.Contains("bad.json", error.Message);
    }
}
