using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Merges the load tests of several generators into one run.</summary>
internal static class MergedLoad
{
    /// <inheritdoc cref="LoadMerge.Of"/>
    public static LoadTestResult Record(
        SuiteRun suite,
        IReadOnlyList<(LoadTestResult Result, string Folder)> parts,
        LoadProfile profile,
        string command
    )
    {
        ArgumentNullException.ThrowIfNull(suite);
        var whole = LoadMerge.Of(parts, suite.Folder, profile, command);
        RunArtifacts[] runs =
        [
            .. parts
                .Where(part => File.Exists(Path.Combine(part.Folder, RunFolder.SummaryFile)))
                .Select(part => RunArtifacts.Read(part.Folder)),
        ];
        foreach (var step in whole.Steps)
        {
            var seen = runs.SelectMany(run => run.Run.Scenarios.Where(step.IsOf).Select(scenario => (Run: run, Scenario: scenario)))
                .ToArray();
            IntervalHistograms[] intervals = [.. seen.Select(part => part.Run.Intervals(part.Scenario)).OfType<IntervalHistograms>()];
            suite.Record(
                new(
                    MergedServer.AddTo(Scenario(whole, step), [.. seen.Select(part => part.Scenario)]),
                    new Dictionary<string, LatencyHistogram>()
                )
                {
                    Intervals = intervals.Length == 0 ? null : IntervalHistograms.Sum(intervals),
                }
            );
        }

        return whole;
    }

    /// <summary>What the summary of a run shows of a merged step, without the server.</summary>
    private static ScenarioResult Scenario(LoadTestResult test, StepResult step) =>
        new()
        {
            Name = step.Scenario,
            Status = step.Verdict == StepVerdict.Failed ? ScenarioStatus.Failed : ScenarioStatus.Passed,
            Unverified = step.Unverified,
            FailureReasons = step.Verdict == StepVerdict.Failed ? step.Reasons : [],
            Scenario = step.Scenario[(test.Backend.Length + 1)..],
            Backend = test.Backend,
            Tier = Tiers.Load,
            Family = ScenarioFamilies.Load,
            Description = $"Step '{step.Name}' of the load test '{test.Profile.Name}', {test.Generators} generators merged.",
            Parameters = new()
            {
                Operations = 0,
                Repeat = step.Repeat,
                DurationSeconds = step.PlannedSeconds,
                Concurrency = step.PeakUsers,
                Workers = test.Profile.Workers * test.Generators,
                Engine = test.Profile.Engine,
                Load = step.Kind switch
                {
                    LoadKind.Open => LoadModel.Open,
                    LoadKind.Closed => LoadModel.Closed,
                    _ => LoadModel.Wave,
                },
                Options = new Dictionary<string, string> { ["generators"] = $"{test.Generators}" },
            },
            Counts = new()
            {
                Started = step.Counts.Started,
                Completed = step.Counts.Completed,
                Failed = step.Counts.Failed,
                Running = step.Counts.Running,
                Late = step.Counts.Late,
                Dropped = step.Counts.Dropped,
            },
            Errors = step.Errors,
            DurationMs = Math.Max(step.PlannedSeconds, step.ElapsedSeconds) * 1000,
            ServiceTime = step.Service,
            ResponseTime = step.Response,
            Histograms = step.Histograms,
        };
}
