using Serdica.Perf.Analysis.Recomputing;

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
        var whole = LoadMerge.Of(parts, suite.Folder, profile, command);
        RunArtifacts[] runs =
        [
            .. parts.Where(part => JsonFile.Exists(part.Folder, RunFolder.SummaryFile)).Select(part => RunArtifacts.Read(part.Folder)),
        ];
        foreach (var step in whole.Steps)
        {
            var seen = runs.SelectMany(run => run.Run.Scenarios.Where(step.IsOf).Select(scenario => (Run: run, Scenario: scenario)))
                .ToArray();
            IntervalHistograms[] intervals = [.. seen.Select(part => part.Run.Intervals(part.Scenario)).OfType<IntervalHistograms>()];
            var sum = intervals.Length == 0 ? null : IntervalHistograms.Sum(intervals);
            var histograms = step.Histograms.ToDictionary(
                entry => entry.Key,
                entry => LoadMerge.Merge([Path.Combine(suite.Folder.Path, entry.Value)])
            );
            ScenarioResult[] scenarios = [.. seen.Select(part => part.Scenario)];
            var merged = Scenario(whole, step, scenarios) with
            {
                Phases = ScenarioResults.Phases(histograms),
                WarmUp = LeastWarm(scenarios.Select(part => part.WarmUp)),
            };
            if (sum is not null)
                merged = merged with { Timeline = ScenarioFigures.TimelineOf(sum, merged.DurationMs) };
            suite.Record(new(MergedServer.AddTo(merged, scenarios), histograms) { Intervals = sum }, new(step.Verdict, step.Reasons));
        }

        return whole;
    }

    /// <summary>The whole is as warm as the generator that was cut off; of several alike, the first.</summary>
    private static WarmUp? LeastWarm(IEnumerable<WarmUp?> parts) =>
        parts.OfType<WarmUp>().OrderByDescending(part => part.End is WarmUpEnd.TimeLimit or WarmUpEnd.NothingCompleted).FirstOrDefault();

    /// <summary>What the summary of a run shows of a merged step, without the server.</summary>
    private static ScenarioResult Scenario(LoadTestResult test, StepResult step, IReadOnlyList<ScenarioResult> parts) =>
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
            Parameters = Parameters(test, step, parts.FirstOrDefault()?.Parameters),
            DefinitionHash = parts.Select(part => part.DefinitionHash).Distinct().ToArray() is [var hash] ? hash : null,
            Saturation = step.Saturation,
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
            GeneratorLag = step.GeneratorLag,
            Verification = [.. parts.SelectMany(part => part.Verification).GroupBy(check => check.Check).SelectMany(Checks)],
        };

    /// <summary>What the generators share, from the first of them, and what they have divided, from the whole.</summary>
    private static ScenarioParameters Parameters(LoadTestResult test, StepResult step, ScenarioParameters? shared)
    {
        shared ??= new()
        {
            Operations = 0,
            Repeat = step.Repeat,
            DurationSeconds = step.PlannedSeconds,
            Concurrency = 0,
            Workers = 0,
            Engine = test.Profile.Engine,
            Load = step.Kind switch
            {
                LoadKind.Open => LoadModel.Open,
                LoadKind.Closed => LoadModel.Closed,
                _ => LoadModel.Wave,
            },
        };
        var declared = test.Profile.Steps.FirstOrDefault(candidate => candidate.Title == step.Name);
        var options = new Dictionary<string, string>(shared.Options)
        {
            [StepRunner.RateOption] = StepRunner.RateText(declared?.PerSecond ?? step.TargetPerSecond),
            ["generators"] = $"{test.Generators}",
        };
        if (declared is not null)
        {
            foreach (var (name, value) in StepRunner.Asked(test.Profile, test.Hosts, declared))
                options[name] = value;
        }

        return shared with
        {
            Concurrency = step.Kind == LoadKind.Open ? step.MaxUsers : step.MinUsers,
            Workers = test.Profile.Workers * test.Generators,
            Options = options,
        };
    }

    /// <summary>
    /// One check of all generators. Each generator has a store of its own, so counts are added; what failed, and what is not a count,
    /// is kept as it is.
    /// </summary>
    private static IEnumerable<VerificationCheck> Checks(IEnumerable<VerificationCheck> alike)
    {
        VerificationCheck[] all = [.. alike];
        VerificationCheck[] failed = [.. all.Where(check => !check.Passed).Distinct()];
        if (failed.Length > 0)
            return failed;
        return Sum(all.Select(check => check.Expected)) is { } expected && Sum(all.Select(check => check.Actual)) is { } actual
            ? [all[0] with { Expected = expected, Actual = actual }]
            : all.Distinct();
    }

    /// <summary>Null where one of them is no count.</summary>
    private static string? Sum(IEnumerable<string> counts)
    {
        long sum = 0;
        foreach (var text in counts)
        {
            if (!long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count))
                return null;
            sum += count;
        }

        return sum.ToString(CultureInfo.InvariantCulture);
    }
}
