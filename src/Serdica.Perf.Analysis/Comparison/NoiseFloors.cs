using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// What is learned from several runs of the same code: by how much a figure differs from one run to another although nothing
/// was changed. Repeats of one run lie in one hour and can't tell.
/// </summary>
public static class NoiseFloors
{
    /// <summary>Two runs give one difference, which may be small by luck.</summary>
    public const int FewestRuns = 3;

    /// <param name="runs">Of the same code, measured alike.</param>
    /// <returns>
    /// By scenario and metric, the largest difference between any two of the runs: 0.2 means that the higher figure is 20 %
    /// above the lower. Only what every run has.
    /// </returns>
    /// <exception cref="BaselineException">The runs are too few, or not alike; the message says which and why.</exception>
    public static IReadOnlyDictionary<(string Scenario, string Metric), double> Learn(IReadOnlyList<RunResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        if (runs.Count < FewestRuns)
            throw new BaselineException($"A noise floor is learned from {FewestRuns} runs of the same code or more; {runs.Count} can't tell it.");
        foreach (var run in runs.Skip(1))
            RefuseUnlike(runs[0], run);

        var floors = new Dictionary<(string Scenario, string Metric), double>();
        foreach (var name in runs[0].Scenarios.Select(scenario => scenario.Name).Distinct())
        {
            var measured = runs.Select(run => run.Scenarios.Where(scenario => scenario.Name == name).ToArray()).ToArray();
            foreach (var metric in ComparedMetric.Of(measured[0]))
            {
                var typical = measured.Select(repeats => MetricComparer.Typical(MetricComparer.Values(metric, repeats))).OfType<double>().ToArray();
                if (typical.Length == runs.Count && typical.Min() > 0)
                    floors[(name, metric.Name)] = typical.Max() / typical.Min() - 1;
            }
        }

        return floors;
    }

    private static void RefuseUnlike(RunResult first, RunResult other)
    {
        string?[] differences =
        [
            .. Likeness.Differences(first, other),
            .. from before in first.Scenarios
               let after = other.Scenarios.FirstOrDefault(scenario => scenario.Name == before.Name)
               where after is not null
               from phrase in Likeness.Differences(before, after).Concat(Likeness.Differences(RunComparer.Database(first, before), RunComparer.Database(other, after)))
               select phrase,
            first.Environment.Source.Commit == other.Environment.Source.Commit
                ? null : $"commit: {first.Environment.Source.Commit ?? "unknown"} against {other.Environment.Source.Commit ?? "unknown"}",
        ];
        if (differences.OfType<string>().FirstOrDefault() is { } difference)
            throw new BaselineException($"The runs {first.RunId} and {other.RunId} are not of the same code, measured alike: {difference}. No noise floor can be learned from them.");
    }
}
