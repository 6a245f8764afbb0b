namespace Serdica.Perf.Analysis.Comparison;

/// <summary>Compares two runs, scenario by scenario and metric by metric. Pure: the same runs give the same verdicts.</summary>
/// <remarks>
/// The samples are repeats, and repeats of one run are measured within one hour. The noise between runs of the same code is
/// therefore added to their error; it is learned from the history or assumed (<see cref="RunNoise"/>). Operations of one repeat
/// share its checkpoints, its queue and its neighbours, so that a test on their histograms finds a difference between any two
/// runs.
/// </remarks>
internal static class RunComparer
{
    /// <param name="settings">What a change must pass to count.</param>
    public static RunComparison Compare(RunResult before, RunResult after, ComparisonSettings settings, bool allowUnlike = false)
    {
        var unlike = Likeness.Differences(before, after);
        var names = before.Scenarios.Concat(after.Scenarios).Select(scenario => scenario.Name).Distinct();
        var drafts = names.Select(name => Draft(name, before, after, unlike, settings, allowUnlike)).ToArray();
        return new()
        {
            Base = before.Publication?.Name ?? before.RunId,
            Candidate = after.Publication?.Name ?? after.RunId,
            AllowUnlike = allowUnlike,
            Unlike = unlike,
            NotPassed = [.. NotPassed("base", before), .. NotPassed("candidate", after)],
            Cores = new(before.Environment.AvailableCores, after.Environment.AvailableCores),
            Scenarios = MetricFamilies.Judge(drafts),
            Correction = MetricFamilies.Sentence(drafts),
        };
    }

    /// <summary>Failed trials of a search for the highest rate are its way to find it.</summary>
    private static IEnumerable<string> NotPassed(string side, RunResult run)
    {
        if (run.Status != RunStatus.Passed)
            yield return $"The {side}'s run is {UnfitRun.Ended(run)}.";
        foreach (var repeats in run.Scenarios.GroupBy(scenario => scenario.Name))
        {
            if (MissingScenario.Failed([.. repeats], side) is { } failed)
                yield return $"{repeats.Key}: {failed}";
        }

        foreach (var unverified in run.Scenarios.SelectMany(Unverified.Of).Select(warning => warning.Sentence).Distinct())
            yield return $"The {side}'s {unverified}";
    }

    private static ScenarioDraft Draft(
        string name,
        RunResult before,
        RunResult after,
        IReadOnlyList<string> unlikeRuns,
        ComparisonSettings settings,
        bool allowUnlike
    )
    {
        var (left, right) = (Repeats(before, name), Repeats(after, name));
        if (MissingScenario.Draft(name, ([before], left), ([after], right)) is { } missing)
            return missing;

        var unlike = unlikeRuns
            .Concat(Likeness.Differences(Database(before, left[0]), Database(after, right[0])))
            .Concat(Likeness.Differences(left[0], right[0]))
            .ToArray();
        var limited = GeneratorLimit.Of(left, "base") ?? GeneratorLimit.Of(right, "candidate");
        return new(
            new()
            {
                Name = name,
                Unlike = unlike,
                IsExpected = MissingScenario.IsExpected(left),
                Lacking = MissingScenario.Lacking(left, right),
                Metrics = [],
            },
            [
                .. ComparedMetric
                    .Of([.. left, .. right])
                    .Select(metric => (metric.IsTiming, Draft: MetricComparer.Compare(metric, left, right, settings)))
                    .Select(pair =>
                        unlike.Length > 0 && !allowUnlike
                            ? pair.Draft.Withdraw(Verdict.NotComparable, $"Different conditions: {string.Join("; ", unlike)}.")
                        : limited is not null && pair.IsTiming ? pair.Draft.Withdraw(Verdict.GeneratorLimited, limited)
                        : pair.Draft
                    ),
            ]
        );
    }

    private static ScenarioResult[] Repeats(RunResult run, string name) => [.. run.Scenarios.Where(scenario => scenario.Name == name)];

    internal static DatabaseDescription? Database(RunResult run, ScenarioResult scenario) =>
        run.Databases.FirstOrDefault(database => database.Backend == scenario.Backend);
}
