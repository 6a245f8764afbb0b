namespace Serdica.Perf.Analysis.History;

/// <summary>The noise between runs as the history shows it.</summary>
internal static class HistoryNoise
{
    /// <summary>
    /// The larger of two variances. Half the mean square of successive differences counts a change of level once (J. von Neumann
    /// et al., "The Mean Square Successive Difference", Annals of Mathematical Statistics 12, 1941), but only σ²(1−ρ) of the noise
    /// where a run resembles the one before it by ρ, while two runs that are compared may lie months apart. The variance around the
    /// levels between change points has all of σ², and counts a change of level that is too young or too small to be found as
    /// noise. Both contain what the commits changed in small steps.
    /// </summary>
    /// <remarks>
    /// A short history has not seen all the slow changes of its machine: with ρ 0.5 the variance around a level is about 0.8 σ² in ten
    /// runs and 0.9 σ² in twenty. What is assumed without a history counts beside it.
    /// </remarks>
    /// <param name="history">The lines in any order.</param>
    /// <param name="runs">The runs that are compared. Their series are looked up, and lines of the runs themselves are left out.</param>
    /// <returns>By scenario and metric; only where the history has <see cref="RunNoise.FewestRuns"/> runs or more.</returns>
    public static IReadOnlyDictionary<(string Scenario, string Metric), RunNoise> Of(
        IReadOnlyList<HistoryLine> history,
        params IReadOnlyList<RunResult> runs
    )
    {
        var names = runs.Select(run => run.RunId).ToHashSet();
        var series = runs.SelectMany(HistoryLine.SeriesOf).ToHashSet();
        var noises = new Dictionary<(string Scenario, string Metric), RunNoise>();
        foreach (
            var lines in history
                .Where(line => series.Contains(line.Series) && !names.Contains(line.Run))
                .OrderBy(line => line.At)
                .GroupBy(line => line.Series)
        )
        {
            foreach (
                var (metric, unit) in lines.SelectMany(line => line.Figures).Select(figure => (figure.Key, figure.Value.Unit)).Distinct()
            )
            {
                double[] values =
                [
                    .. lines.Select(line => line.Figures.GetValueOrDefault(metric)?.Value).OfType<double>().Where(value => value > 0),
                ];
                if (values.Length >= RunNoise.FewestRuns)
                    noises[(lines.First().Name, metric)] = Of(metric, unit, values);
            }
        }

        return noises;
    }

    private static RunNoise Of(string metric, string? unit, double[] values)
    {
        double[] logarithms = [.. values.Select(value => Math.Log(value))];
        var differences = logarithms.Zip(logarithms.Skip(1), (before, after) => (after - before) * (after - before)).ToArray();
        int[] bounds = [0, .. ChangePointSearch.Find(values).Select(change => change.Index), values.Length];
        var squares = bounds.Zip(bounds.Skip(1), (from, to) => (to - from - 1) * logarithms[from..to].Variance()).Sum();
        var around = squares / (values.Length - bounds.Length + 1);

        // Successive differences share a value, which leaves about two thirds of the degrees of freedom.
        return RunNoise.Learned(metric, unit, Math.Max(differences.Average() / 2, around), differences.Length * 2 / 3.0, values.Length);
    }
}
