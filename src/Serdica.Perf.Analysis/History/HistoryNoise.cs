using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.History;

/// <summary>The noise between runs as the history shows it.</summary>
internal static class HistoryNoise
{
    /// <summary>
    /// From the differences between successive runs of a series, so that a change of level counts once (J. von Neumann et al.,
    /// "The Mean Square Successive Difference", Annals of Mathematical Statistics 12, 1941). They contain what the commits
    /// changed, and so overestimate the noise rather than underestimate it.
    /// </summary>
    /// <param name="history">The lines in any order.</param>
    /// <param name="runs">The runs that are compared. Their series are looked up, and lines of the runs themselves are left out.</param>
    /// <returns>By scenario and metric; only where the history has <see cref="RunNoise.FewestRuns"/> runs or more.</returns>
    public static IReadOnlyDictionary<(string Scenario, string Metric), RunNoise> Of(
        IReadOnlyList<HistoryLine> history,
        params IReadOnlyList<RunResult> runs
    )
    {
        ArgumentNullException.ThrowIfNull(history);
        ArgumentNullException.ThrowIfNull(runs);
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
                double[] logarithms =
                [
                    .. lines
                        .Select(line => line.Figures.GetValueOrDefault(metric)?.Value)
                        .OfType<double>()
                        .Where(value => value > 0)
                        .Select(value => Math.Log(value)),
                ];
                if (logarithms.Length >= RunNoise.FewestRuns)
                    noises[(lines.First().Name, metric)] = Of(metric, unit, logarithms);
            }
        }

        return noises;
    }

    private static RunNoise Of(string metric, string? unit, double[] logarithms)
    {
        var differences = logarithms.Zip(logarithms.Skip(1), (before, after) => (after - before) * (after - before)).ToArray();

        // Successive differences share a value, which leaves about two thirds of the degrees of freedom.
        return RunNoise.Learned(metric, unit, differences.Average() / 2, differences.Length * 2 / 3.0, logarithms.Length);
    }
}
