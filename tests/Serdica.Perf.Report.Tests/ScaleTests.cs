namespace Serdica.Perf.Report.Tests;

/// <summary>An hour at 5,000 operations a second: docs/report.md says how long its report takes.</summary>
public sealed class ScaleTests(HourLongRun hour) : IClassFixture<HourLongRun>
{
    private const int Megabyte = 1_000_000;

    [Fact]
    public void The_page_of_an_hour_is_smaller_than_three_megabytes() =>
        Assert.InRange(new FileInfo(Path.Combine(hour.Folder, RunFolder.PageFile)).Length, 1, 3 * Megabyte);

    [Fact]
    public void No_operation_of_the_hour_is_lost_from_the_curves()
    {
        var soak = ReportBuilder.Build([RunArtifacts.Read(hour.Folder)]).Scenarios[0];

        var latency = Assert.Single(soak.Latencies);
        Assert.Equal(HourLongRun.Operations, latency.Summary.Count);
        Assert.Equal(HourLongRun.Operations, latency.Distribution.Sum(bucket => bucket[2]));
        Assert.Equal(HourLongRun.Operations, soak.HeatMap!.Cells.Sum(cell => cell[2]));
        Assert.Equal(HourLongRun.Operations, latency.Percentiles[^1][0]);
        Assert.Equal(latency.Summary.MaxMs!.Value, latency.Percentiles[^1][1], latency.Summary.MaxMs.Value * 1e-4);
        Assert.Equal(3_600, soak.Timeline!.IntervalSeconds * soak.Timeline.Seconds.Count, soak.Timeline.IntervalSeconds);
    }

    [Fact]
    public void Samples_are_drawn_together_and_the_page_says_how_many()
    {
        var curves = ReportBuilder.Build([RunArtifacts.Read(hour.Folder)]).Scenarios[0].Curves!;

        Assert.Equal(7, curves.SamplesPerPoint);
        Assert.InRange(curves.Seconds.Count, 500, 600);
        EachItem.Holds(curves.Panels.SelectMany(panel => panel.Curves), curve => Assert.Equal(curves.Seconds.Count, curve.Values.Count));
        var completed = curves.Panels[0].Curves.Single(curve => curve.Name == "completed");
        EachItem.Holds(completed.Values.Skip(1), value => Assert.Equal(HourLongRun.PerSecond, value!.Value, 1e-6));
    }

    [Fact]
    public void The_data_are_JSON_that_can_stand_within_a_script()
    {
        var json = ReportJson.Of(ReportBuilder.Build([RunArtifacts.Read(hour.Folder)]));

        using var document = JsonDocument.Parse(json);
        Assert.Equal(1, document.RootElement.GetProperty("schemaVersion").GetInt32());
        Assert.DoesNotContain('<', json);
    }
}
