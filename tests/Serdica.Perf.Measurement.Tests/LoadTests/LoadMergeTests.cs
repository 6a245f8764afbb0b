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
            Part() with { Resources = [Uses(ResourceFigures.Engine, 0.5, 200), Uses("machine", 1.4, 0), Uses(ResourceFigures.Total, 0.5, 200)] },
            Part() with { Resources = [Uses(ResourceFigures.Engine, 0.7, 100), Uses("machine", 1.4, 0), Uses(ResourceFigures.Total, 0.7, 100)] });

        Assert.Equal([(ResourceFigures.Engine, 2), ("machine", 1)], merged.Resources.Select(figures => (figures.Component, figures.Replicas)));
        Assert.Equal((new(0.7, 0.7, 0.6), new(200, 200, 150)), (merged.Resources[0].Cpu, merged.Resources[0].Memory));
    }

    public void Dispose() => _root.Dispose();

    private static ResourceFigures Uses(string component, double cores, double memory) =>
        new() { Component = component, Samples = 10, Cpu = new(cores, cores, cores), Memory = new(memory, memory, memory) };

    private StepResult Merge(params StepResult[] parts)
    {
        var profile = new LoadProfile { Name = "merged", Steps = [new() { Name = "open", Kind = LoadKind.Open, PerSecond = 300 }] };
        var folder = RunFolder.Create(_root.Path, "in-memory", "load", RunManifest.Unfinished(DateTimeOffset.UnixEpoch, "serdica-perf load", SampleRun.Environment));
        LoadTestResult Whole(StepResult step) => new()
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

    private static StepResult Part(params VerificationCheck[] failed) => StepJudge.Judge(SampleStep.Good with { Name = "open" }, new(), failed);
}
