using System.IO.Compression;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class BaselineReaderTests : FolderTests
{
    [Fact]
    public void The_summary_of_a_run_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/summary.json",
            Json(SampleRun.Passed with { Scenarios = [.. SampleRun.Passed.Scenarios.Where((_, index) => index is 0 or 1 or 3 or 5)] })
        );

    [Fact]
    public void A_run_is_read_as_it_was_written_from_the_folder_or_the_file()
    {
        Root.Write(RunFolder.SummaryFile, Json(SampleRun.Passed));

        Assert.Equal(Json(SampleRun.Passed), Json(BaselineReader.Read(Root.Path)));
        Assert.Equal(Json(SampleRun.Passed), Json(BaselineReader.Read(Root.Below(RunFolder.SummaryFile))));
    }

    [Fact]
    public void A_compressed_file_is_read_as_the_file_in_it()
    {
        var path = Root.Below("11-a.json.gz");
        using (var zip = new GZipStream(File.Create(path), CompressionLevel.Fastest))
            zip.Write(Encoding.UTF8.GetBytes(Json(SampleRun.Passed)));

        Assert.Equal(Json(SampleRun.Passed), Json(BaselineReader.Read(path)));
    }

    [Fact]
    public void A_damaged_compressed_file_is_refused_with_its_name()
    {
        var path = Root.Below("11-a.json.gz");
        File.WriteAllBytes(path, [0x1F, 0x8B, 1, 2, 3]);

        var error = Assert.Throws<BaselineException>(() => BaselineReader.Read(path));

        Assert.Contains("11-a.json.gz", error.Message);
    }

    [Fact]
    public void Ladders_and_soaks_are_read_as_they_were_written()
    {
        var run = SampleRun.Passed with { Ladders = [SampleRun.Ladder], Scenarios = [SampleRun.Soak] };
        Root.Write(RunFolder.SummaryFile, Json(run));

        Assert.Equal(Json(run), Json(BaselineReader.Read(Root.Path)));
    }

    [Fact]
    public void Members_that_may_be_missing_have_their_defaults()
    {
        var summary = JsonSerializer.SerializeToNode(SampleRun.Passed, MeasurementJson.Artifacts)!.AsObject();
        summary.Remove("warnings");
        summary["scenarios"]![0]!.AsObject().Remove("phases");
        summary["scenarios"]![0]!["parameters"]!.AsObject().Remove("repeat");
        Root.Write(RunFolder.SummaryFile, summary.ToJsonString());

        var run = BaselineReader.Read(Root.Path);

        Assert.Empty(run.Warnings);
        Assert.Empty(run.Scenarios[0].Phases);
        Assert.Equal(1, run.Scenarios[0].Parameters.Repeat);
    }

    [Theory]
    [InlineData("no json", "is not a run that can be read: it is not JSON (line 1).")]
    [InlineData("[]", "has no schemaVersion")]
    [InlineData("{}", "has no schemaVersion")]
    [InlineData("""{"schemaVersion": 0}""", "has schema version 0; this program reads version 1.")]
    [InlineData("""{"schemaVersion": "new"}""", "has schema version \"new\"; this program reads version 1.")]
    [InlineData("""{"schemaVersion": 1, "status": "passed"}""", "is not a run that can be read: it has no 'runId', ")]
    [InlineData("""{"schemaVersion": 1, "status": "fine"}""", "'status' (line 1) does not have a valid value.")]
    public void What_is_no_baseline_is_refused_with_the_reason(string text, string reason)
    {
        Root.Write(RunFolder.SummaryFile, text);

        var error = Assert.Throws<BaselineException>(() => BaselineReader.Read(Root.Path));

        Assert.Contains(reason, error.Message);
        Assert.Contains(RunFolder.SummaryFile, error.Message);
    }

    [Fact]
    public void A_path_without_a_baseline_is_refused_with_what_to_name_instead()
    {
        var error = Assert.Throws<BaselineException>(() => BaselineReader.Read(Root.Below("nowhere")));

        Assert.Contains("nowhere", error.Message);
        Assert.Contains("name a run folder", error.Message);
    }

    private static string Json(RunResult run) => JsonSerializer.Serialize(run, MeasurementJson.Artifacts) + "\n";
}
