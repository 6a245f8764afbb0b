using System.Text.Json;
using Serdica.Perf.Analysis.LoadTests;
using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class LoadMergeTests : IDisposable
{
    private static readonly VerificationCheck DeadLetter = new("no dead letter", false, "0", "1");

    private readonly TemporaryFolder _root = new();

    [Fact]
    public void What_one_generator_has_found_wrong_fails_the_whole_and_is_told_once()
    {
        var merged = Merge(Part(DeadLetter), Part(), Part(DeadLetter));

        Assert.Equal(StepVerdict.Failed, merged.Verdict);
        Assert.Equal([DeadLetter], merged.FailedChecks);
        Assert.Equal(["no dead letter: expected 0, found 1."], merged.Reasons);
    }

    [Fact]
    public void A_sentence_that_only_looks_like_a_verification_is_none()
    {
        var merged = Merge(Part() with { Verdict = StepVerdict.Degraded, Reasons = ["The server wrote: expected 1, found 2."] }, Part());

        Assert.Equal(StepVerdict.Passed, merged.Verdict);
        Assert.Empty(merged.Reasons);
    }

    [Fact]
    public void A_phase_that_not_every_generator_had_is_merged_of_those_that_had_it()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(TimeSpan.FromMilliseconds(8));
        _root.Write("waited.json", JsonSerializer.Serialize(histogram.ToDocument(), MeasurementJson.Compact));
        var waited = Part() with { Histograms = new Dictionary<string, string> { [PhaseNames.QueueTime] = "waited.json" } };

        var merged = Merge(Part(), waited, waited);

        Assert.Equal((2, 8.0), (merged.QueueTime.Count, merged.QueueTime.MaxMs));
        Assert.Equal([PhaseNames.QueueTime], merged.Histograms.Keys);
    }

    [Fact]
    public void Engine_of_each_generator_is_a_replica_and_the_machine_that_all_saw_is_one()
    {
        var merged = Merge(
            Part() with
            {
                Resources = [Uses(ResourceFigures.Engine, 0.5, 200), Uses("machine", 1.4, 0), Uses(ResourceFigures.Total, 0.5, 200)],
            },
            Part() with
            {
                Resources = [Uses(ResourceFigures.Engine, 0.7, 100), Uses("machine", 1.4, 0), Uses(ResourceFigures.Total, 0.7, 100)],
            }
        );

        Assert.Equal(
            [(ResourceFigures.Engine, 2), ("machine", 1)],
            merged.Resources.Select(figures => (figures.Component, figures.Replicas))
        );
        Assert.Equal((new(0.7, 0.7, 0.6), new(200, 200, 150)), (merged.Resources[0].Cpu, merged.Resources[0].Memory));
    }

    [Fact]
    public void What_the_one_server_did_for_all_generators_is_merged_and_not_left_out()
    {
        var merged = Merge(Part() with { CommitsPerOperation = 4 }, Part() with { CommitsPerOperation = 3.9, ElapsedSeconds = 10.001 });

        // Each of two generators saw 4,000 commits of 2,000 operations.
        Assert.Equal(2, merged.CommitsPerOperation!.Value, 1e-9);
    }

    [Fact]
    public void Figures_of_the_server_are_those_of_the_generator_that_watched_longest_over_the_operations_of_all()
    {
        static ScenarioResult Seen(double durationMs, double commits) =>
            SampleRun.Serial with
            {
                Counts = new() { Started = 1_000, Completed = 1_000 },
                DurationMs = durationMs,
                DatabaseMetrics = new Dictionary<string, MetricValue> { [MetricNames.Commits] = MetricValue.Of(commits) },
                CostPerOperation = new Dictionary<string, MetricValue>
                {
                    [MetricNames.Commits] = MetricValue.Of(commits / 1_000),
                    [MetricNames.EngineCpu] = MetricValue.Of(0.3, "ms"),
                },
                EngineMetrics = new Dictionary<string, MetricValue>
                {
                    [MetricNames.EngineCpu] = MetricValue.Of(300, "ms"),
                    [MetricNames.MachineCpu] = MetricValue.Of(durationMs, "ms"),
                },
            };

        var merged = MergedServer.AddTo(
            SampleRun.Serial with
            {
                Counts = new() { Started = 2_000, Completed = 2_000 },
            },
            [Seen(9_000, 3_900), Seen(10_000, 4_000)]
        );

        Assert.Equal(4_000, merged.DatabaseMetrics[MetricNames.Commits].Value);
        Assert.Equal((2, 0.3), (merged.CostPerOperation[MetricNames.Commits].Value, merged.CostPerOperation[MetricNames.EngineCpu].Value));
        Assert.Equal(
            (600, 10_000),
            (merged.EngineMetrics[MetricNames.EngineCpu].Value, merged.EngineMetrics[MetricNames.MachineCpu].Value)
        );
    }

    public void Dispose() => _root.Dispose();

    private static ResourceFigures Uses(string component, double cores, double memory) =>
        new()
        {
            Component = component,
            Samples = 10,
            Cpu = new(cores, cores, cores),
            Memory = new(memory, memory, memory),
        };

    private StepResult Merge(params StepResult[] parts)
    {
        var profile = new LoadProfile
        {
            Name = "merged",
            Steps =
            [
                new()
                {
                    Name = "open",
                    Kind = LoadKind.Open,
                    PerSecond = 300,
                },
            ],
        };
        var folder = RunFolder.Create(
            _root.Path,
            "in-memory",
            "load",
            RunManifest.Unfinished(DateTimeOffset.UnixEpoch, "serdica-perf load", SampleRun.Environment)
        );
        LoadTestResult Whole(StepResult step) =>
            new()
            {
                Verdict = step.Verdict,
                RunId = "part",
                StartedAt = DateTimeOffset.UnixEpoch,
                Backend = "in-memory",
                Profile = profile,
                Steps = [step],
                Command = "",
            };

        return LoadMerge.Of([.. parts.Select(part => (Whole(part), _root.Path))], folder, profile, "serdica-perf load").Steps[0];
    }

    private static StepResult Part(params VerificationCheck[] failed) =>
        StepJudge.Judge(SampleStep.Good with { Name = "open" }, [], failed);
}
