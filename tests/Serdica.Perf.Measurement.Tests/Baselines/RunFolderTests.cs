using Serdica.Perf.Measurement.Tests.Recording;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class RunFolderTests : FolderTests
{
    private static readonly RunManifest Manifest = RunManifest.Unfinished(
        SampleRun.Passed.StartedAt,
        SampleRun.Passed.Command,
        SampleRun.Environment
    );

    [Fact]
    public void Its_name_tells_time_backend_and_tier()
    {
        var folder = RunFolder.Create(
            Root.Path,
            "postgresql",
            "smoke",
            Manifest with { StartedAt = Manifest.StartedAt.ToOffset(FromHours(2)) }
        );

        Assert.Equal("20260317T100000Z-postgresql-smoke", folder.RunId);
        Assert.Equal(Root.Below(folder.RunId), folder.Path);
    }

    [Fact]
    public void Runs_that_begin_in_the_same_second_get_a_folder_each()
    {
        var folders = new RunFolder[8];

        Parallel.For(0, folders.Length, index => folders[index] = RunFolder.Create(Root.Path, "postgresql", "smoke", Manifest));

        Assert.Equal(
            [
                "20260317T100000Z-postgresql-smoke",
                .. Range(2, 7).Select(number => $"20260317T100000Z-postgresql-smoke-{number}"),
            ],
            folders.Select(folder => folder.RunId).Order(StringComparer.Ordinal)
        );
        Assert.Equal(folders.Length, Directory.GetDirectories(Root.Path).Length);
        EachItem.Holds(folders, folder => Assert.Equal(folder.RunId, ReadManifest(folder).RunId));
    }

    [Fact]
    public void Before_the_end_of_the_run_the_manifest_says_that_it_has_not_finished()
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", Manifest);

        Assert.Equal("\"status\": \"aborted\",", File.ReadLines(Path.Combine(folder.Path, RunFolder.ManifestFile)).ElementAt(2).Trim());
        Assert.Null(ReadManifest(folder).FinishedAt);
    }

    [Fact]
    public void After_the_end_it_holds_manifest_summary_report_and_histograms_and_nothing_else()
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", Manifest);
        var histogram = Latencies.Recorded([1_000, 2_000]);

        var first = folder.WriteHistogram("postgresql-soak", PhaseNames.Start, histogram);
        var second = folder.WriteHistogram("postgresql-soak", PhaseNames.Start, histogram, repeat: 2);
        folder.Write(SampleRun.Passed);
        RunReports.Write(folder, SampleRun.Passed);

        Assert.Equal(("histograms/postgresql-soak.start.json", "histograms/postgresql-soak.start.2.json"), (first, second));
        Assert.Equal(
            [
                "details.md",
                Path.ChangeExtension(second, ".hgrm"),
                second,
                Path.ChangeExtension(first, ".hgrm"),
                first,
                "manifest.json",
                "report.html",
                "summary.csv",
                "summary.json",
                "summary.md",
            ],
            Directory
                .GetFiles(folder.Path, "*", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(folder.Path, file).Replace('\\', '/'))
                .Order(StringComparer.Ordinal)
        );
        Assert.Equal(RunStatus.Passed, ReadManifest(folder).Status);
        var read = JsonSerializer.Deserialize<HistogramDocument>(
            File.ReadAllText(Path.Combine(folder.Path, first)),
            MeasurementJson.Compact
        )!;
        Assert.Equal(histogram.Summarize(), LatencyHistogram.FromDocument(read).Summarize());
    }

    [Fact]
    public void A_failed_run_is_kept_and_says_so_on_its_first_lines()
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", Manifest);

        folder.Write(SampleRun.Failed);
        RunReports.Write(folder, SampleRun.Failed);

        Assert.StartsWith("# NOT PASSED: ", File.ReadLines(Path.Combine(folder.Path, RunFolder.ReportFile)).First());
        foreach (var file in new[] { RunFolder.SummaryFile, RunFolder.ManifestFile })
        {
            var lines = File.ReadLines(Path.Combine(folder.Path, file)).Take(4).ToArray();
            Assert.Contains("\"status\": \"failed\"", lines[2]);
            Assert.Contains(SampleRun.Failed.StatusReason!, lines[3]);
        }
    }

    [Fact]
    public void No_artifact_holds_the_user_or_the_password_of_the_database()
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", Manifest);

        folder.Write(SampleRun.Passed);
        RunReports.Write(folder, SampleRun.Passed);

        var artifacts = Directory.GetFiles(folder.Path, "*", SearchOption.AllDirectories).Select(File.ReadAllText).ToArray();
        EachItem.Holds(artifacts, text => Assert.DoesNotContain("s3cret-Pa55", text, OrdinalIgnoreCase));
        EachItem.Holds(artifacts, text => Assert.DoesNotMatch(@"(?i)\balice\b", text));
        Assert.Contains(artifacts, text => text.Contains("Port=5433", OrdinalIgnoreCase));
    }

    [Theory]
    [InlineData("../outside")]
    [InlineData("a b")]
    [InlineData("")]
    public void Names_that_are_not_fit_for_a_folder_are_refused(string backend)
    {
        var error = Assert.Throws<ArgumentException>(() => RunFolder.Create(Root.Path, backend, "smoke", Manifest));

        Assert.Contains($"'{backend}'", error.Message);
        Assert.Empty(Directory.GetDirectories(Root.Path));
    }

    private static RunManifest ReadManifest(RunFolder folder) =>
        JsonSerializer.Deserialize<RunManifest>(
            File.ReadAllText(Path.Combine(folder.Path, RunFolder.ManifestFile)),
            MeasurementJson.Artifacts
        )!;
}
