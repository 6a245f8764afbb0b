namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// Learns the noise between runs from several runs of the same code.
/// </summary>
internal static class RunNoises
{
    /// <param name="compared">The run whose noise it is to be, which must be measured alike too; its code may be other.</param>
    /// <returns>
    /// Noise by scenario and metric; only for figures that every run has.
    /// </returns>
    /// <exception cref="BaselineException">The runs are too few, or not alike; the message says which and why.</exception>
    public static IReadOnlyDictionary<(string Scenario, string Metric), RunNoise> Learn(
        IReadOnlyList<RunResult> runs,
        RunResult? compared = null
    )
    {
        if (runs.Count < RunNoise.FewestRuns)
            throw new BaselineException(
                $"The noise between runs is estimated from at least {RunNoise.FewestRuns} runs of the same code, not from {runs.Count}."
            );
        foreach (var run in runs.Skip(1))
            RefuseUnlike(runs[0], run);
        if (compared is not null && Likeness.AllDifferences(compared, runs[0]).FirstOrDefault() is { } unlike)
            throw new BaselineException(
                $"The runs {compared.RunId} and {runs[0].RunId} were measured under different conditions: {unlike}. The noise between runs "
                    + "is that of the compared conditions; name runs of those."
            );

        var noises = new Dictionary<(string Scenario, string Metric), RunNoise>();
        foreach (var name in runs[0].Scenarios.Select(scenario => scenario.Name).Distinct())
        {
            var measured = runs.Select(run => run.Scenarios.Where(scenario => scenario.Name == name).ToArray()).ToArray();
            foreach (var metric in ComparedMetric.Of(measured[0]))
            {
                var typical = measured
                    .Select(repeats => MetricComparer.Typical(MetricComparer.Values(metric, repeats)))
                    .OfType<double>()
                    .ToArray();
                if (typical.Length == runs.Count && typical.Min() > 0)
                    noises[(name, metric.Name)] = RunNoise.Learned(
                        metric.Name,
                        metric.Unit,
                        typical.Select(value => Math.Log(value)).Variance(),
                        runs.Count - 1,
                        runs.Count
                    );
            }
        }

        return noises;
    }

    private static void RefuseUnlike(RunResult first, RunResult other)
    {
        string?[] differences =
        [
            .. Likeness.AllDifferences(first, other),
            first.Environment.Source.Commit == other.Environment.Source.Commit
                ? null
                : $"commit: {first.Environment.Source.Commit ?? "unknown"} against {other.Environment.Source.Commit ?? "unknown"}",
        ];
        if (differences.OfType<string>().FirstOrDefault() is { } difference)
            throw new BaselineException(
                $"The runs {first.RunId} and {other.RunId} are not of the same code under the same conditions: {difference}. The noise "
                    + $"between runs cannot be learned from them."
            );
    }
}
