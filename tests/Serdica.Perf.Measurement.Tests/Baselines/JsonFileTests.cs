using System.IO.Compression;
using Serdica.Perf.Measurement.Tests.Queues;

namespace Serdica.Perf.Measurement.Tests.Baselines;

/// <summary>A run folder is read in the same way whether its results are compressed or not.</summary>
public sealed class JsonFileTests : FolderTests
{
    private static readonly LoadTestResult LoadTest = new()
    {
        Verdict = StepVerdict.Passed,
        RunId = SampleRun.Passed.RunId,
        StartedAt = DateTimeOffset.UnixEpoch,
        Backend = "in-memory",
        Profile = new() { Name = "test", Steps = [] },
        Steps = [SampleStep.Good],
        Command = "serdica-perf load",
    };

    private static readonly QueueTestResult QueueTest = SampleQueueTest.With(writers: 3, writtenPerSecond: 7) with
    {
        RunId = SampleRun.Passed.RunId,
    };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Summary_load_test_and_queue_test_of_a_folder_are_read(bool compressed)
    {
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed);
        Write(RunFolder.LoadFile, LoadTest, compressed);
        Write(RunFolder.QueueFile, QueueTest, compressed);

        var artifacts = RunArtifacts.Read(Root.Path);

        Assert.Equal(SampleRun.Passed.RunId, artifacts.Run.RunId);
        Assert.Equal(99.9, Assert.Single(artifacts.LoadTest!.Steps).CompletedPerSecond);
        Assert.Equal(7, artifacts.QueueTest!.WrittenPerSecond);
        Assert.Equal(1_000, Assert.Single(LoadResultReader.Read(Root.Path).Steps).Counts.Completed);
    }

    [Fact]
    public void A_compressed_load_test_is_read_by_its_path()
    {
        Write(RunFolder.LoadFile, LoadTest, compressed: true);

        Assert.Equal(LoadTest.RunId, LoadResultReader.Read(Root.Below("load.json.gz")).RunId);
    }

    [Fact]
    public void A_folder_with_both_forms_of_its_summary_is_refused()
    {
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed: false);
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed: true);

        Refused("summary.json", Assert.Throws<BaselineException>(() => BaselineReader.Read(Root.Path)));
    }

    [Fact]
    public void A_folder_with_both_forms_of_its_load_test_is_refused()
    {
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed: true);
        Write(RunFolder.LoadFile, LoadTest, compressed: false);
        Write(RunFolder.LoadFile, LoadTest, compressed: true);

        Refused("load.json", Assert.Throws<BaselineException>(() => RunArtifacts.Read(Root.Path).LoadTest));
        Refused("load.json", Assert.Throws<LoadProfileException>(() => LoadResultReader.Read(Root.Path)));
    }

    [Fact]
    public void A_folder_with_both_forms_of_its_queue_test_is_refused()
    {
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed: true);
        Write(RunFolder.QueueFile, QueueTest, compressed: false);
        Write(RunFolder.QueueFile, QueueTest, compressed: true);

        Refused("queue.json", Assert.Throws<BaselineException>(() => RunArtifacts.Read(Root.Path).QueueTest));
    }

    [Fact]
    public void A_damaged_compressed_load_test_is_refused_with_its_place()
    {
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed: true);
        File.WriteAllBytes(Root.Below("load.json.gz"), [0x1F, 0x8B, 1, 2, 3]);

        Assert.Contains("load.json.gz", Assert.Throws<BaselineException>(() => RunArtifacts.Read(Root.Path).LoadTest).Message);
        Assert.Contains(Root.Path, Mistake(() => LoadResultReader.Read(Root.Path)));
    }

    [Theory]
    [InlineData("""{"schemaVersion": 7}""", "has schema version 7; this program reads version 1.")]
    [InlineData("{}", "is JSON but no load test: it has no schemaVersion.")]
    [InlineData("""{"schemaVersion": 1}""", "is not a load test that can be read: it has no 'verdict'")]
    public void A_load_test_of_another_version_is_refused_for_its_version(string json, string problem)
    {
        Write(RunFolder.SummaryFile, SampleRun.Passed, compressed: false);
        Root.Write(RunFolder.LoadFile, json);

        Assert.Contains(problem, Assert.Throws<BaselineException>(() => RunArtifacts.Read(Root.Path).LoadTest).Message);
        Assert.Contains(problem, Mistake(() => LoadResultReader.Read(Root.Path)));
    }

    private void Refused(string name, Exception error) =>
        Assert.Equal($"'{Root.Path}' has both {name} and {name}.gz; remove the one that does not belong to this run.", error.Message);

    private void Write<T>(string name, T document, bool compressed)
    {
        var json = JsonSerializer.Serialize(document, MeasurementJson.Artifacts);
        if (!compressed)
        {
            Root.Write(name, json);
            return;
        }

        using var zip = new GZipStream(File.Create(Root.Below(name + ".gz")), CompressionLevel.Fastest);
        zip.Write(Encoding.UTF8.GetBytes(json));
    }
}
