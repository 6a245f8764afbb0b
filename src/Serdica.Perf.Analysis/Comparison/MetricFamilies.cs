namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// Judges all metrics of a comparison together, because each further metric is a further chance of a false alarm. The primary
/// metrics are one family and get most of the allowed false alarms, so that the many others do not hide them; the others are the
/// second family.
/// </summary>
internal static class MetricFamilies
{
    /// <summary>Share of comparisons of equal code that may have an alarm in a primary metric.</summary>
    public const double PrimaryRate = 0.008;

    /// <summary>Share of comparisons of equal code that may have an alarm in any other metric.</summary>
    public const double OtherRate = 0.002;

    /// <summary>The change for which the power is stated: 0.1 is 10 %.</summary>
    public const double ShownChange = 0.1;

    /// <summary>The largest p of the test without a distribution, for each metric; its p has too few values to be corrected.</summary>
    internal const double PermutationSignificance = 0.01;

    /// <summary>How verdicts were corrected, in one sentence; null when nothing was judged.</summary>
    internal static string? Sentence(IReadOnlyList<ScenarioDraft> scenarios)
    {
        var judged = scenarios
            .SelectMany(scenario => scenario.Metrics)
            .Where(metric => metric.Ratio is not null)
            .ToLookup(metric => metric.Compared.IsPrimary);
        return judged.Count == 0
            ? null
            : $"Verdicts are corrected for the number of metrics (Holm): {judged[true].Count()} primary (throughput, p50, p99, writing "
                + Invariant($"commits, bytes of log), with a false alarm in at most {PrimaryRate * 100:0.#} % of comparisons of equal ")
                + Invariant($"code, and {judged[false].Count()} others, which are informative, in at most {OtherRate * 100:0.#} %.");
    }

    internal static IReadOnlyList<ScenarioComparison> Judge(IReadOnlyList<ScenarioDraft> scenarios)
    {
        var all = scenarios.SelectMany(scenario => scenario.Metrics).ToArray();
        var verdicts = all.Select(metric => metric.Compared).ToArray();
        foreach (
            var family in Enumerable
                .Range(0, all.Length)
                .Where(index => all[index].Ratio is not null)
                .GroupBy(index => all[index].Compared.IsPrimary)
        )
        {
            var places = family.ToArray();
            var rate = family.Key ? PrimaryRate : OtherRate;
            foreach (var (place, corrected) in places.Zip(Holm.Correct([.. places.Select(place => all[place].Ratio!.PValue)])))
                verdicts[place] = MetricVerdict.Of(all[place], corrected, rate, places.Length);
        }

        var next = 0;
        return [.. scenarios.Select(draft => draft.Scenario with { Metrics = verdicts[next..(next += draft.Metrics.Count)] })];
    }

    /// <summary>The result of Student's t without a verdict. The interval has no ends where it is too wide to be meaningful.</summary>
    internal static MetricComparison WithFigures(MetricComparison compared, LogRatio ratio) =>
        compared with
        {
            Ratio = ratio.Ratio,
            PValue = ratio.PValue,
            Low = ratio.SaysNothing ? null : ratio.Low,
            High = ratio.SaysNothing ? null : ratio.High,
            NoiseFloor = ratio.SaysNothing ? null : ratio.NoiseFloor,
        };
}
