namespace Serdica.Perf.Analysis.Capacity;

/// <summary>Judges the levels of a <see cref="CapacityLadder"/> and fits the scalability law to them.</summary>
internal static class CapacityLadders
{
    /// <summary>
    /// The ladders among the results of a run, one for each backend and load model with at least two levels. A level with too few
    /// operations for its throughput or its p95 is none: its verdict would be chance.
    /// </summary>
    public static IReadOnlyList<CapacityLadder> Of(IEnumerable<ScenarioResult> scenarios) =>
        [
            .. scenarios
                .Where(scenario =>
                    CapacityLadder.IsRung(scenario.Scenario)
                    && scenario.ShownPerSecond is not null
                    && scenario.ResponseTime.Shown().P95Ms is not null
                )
                .GroupBy(scenario => (scenario.Backend, scenario.Parameters.Load))
                .Select(ladder =>
                    Of(ladder.Key.Backend, ladder.Key.Load, ladder.GroupBy(scenario => scenario.Parameters.Concurrency).Select(Median))
                )
                .Where(ladder => ladder.Rungs.Count > 1),
        ];

    /// <param name="measured">The levels in any order, each number of callers once, throughput and p95 above zero.</param>
    public static CapacityLadder Of(
        string backend,
        LoadModel load,
        IEnumerable<(int Concurrency, double ThroughputPerSecond, double P95Ms)> measured
    )
    {
        var levels = Judge([.. measured.OrderBy(level => level.Concurrency)]);
        var fit = ScalabilityLaw.Fit([.. levels.Select(level => ((double)level.Concurrency, level.ThroughputPerSecond))], out var refusal);
        return new CapacityLadder
        {
            Backend = backend,
            Load = load,
            Rungs = levels,
            LastComfortable = levels.LastOrDefault(level => level.Verdict == RungVerdict.Comfortable)?.Concurrency,
            FirstPressure = levels.FirstOrDefault(level => level.Verdict != RungVerdict.Comfortable)?.Concurrency,
            Knee = levels.FirstOrDefault(level => level.Verdict == RungVerdict.Knee)?.Concurrency,
            Fit = fit,
            FitRefusal = refusal,
        };
    }

    private static List<LadderRung> Judge((int Concurrency, double ThroughputPerSecond, double P95Ms)[] measured)
    {
        var levels = new List<LadderRung>();
        var lastThatPaid = 0;
        for (var index = 0; index < measured.Length; index++)
        {
            var (concurrency, throughput, p95) = measured[index];
            if (index == 0)
            {
                levels.Add(new(concurrency, throughput, p95, null, null, RungVerdict.Comfortable));
                continue;
            }

            var growth = throughput / measured[index - 1].ThroughputPerSecond - 1;
            var p95Ratio = p95 / measured[index - 1].P95Ms;
            var flat = growth < CapacityLadder.LeastGrowth;
            var verdict = levels[^1].Verdict switch
            {
                RungVerdict.Knee or RungVerdict.Saturated => RungVerdict.Saturated,
                _ when flat && p95 >= CapacityLadder.KneeLatency * measured[lastThatPaid].P95Ms => RungVerdict.Knee,
                RungVerdict.Pressure => RungVerdict.Pressure,
                _ => flat || 1 + growth < p95Ratio ? RungVerdict.Pressure : RungVerdict.Comfortable,
            };
            levels.Add(new(concurrency, throughput, p95, growth, p95Ratio, verdict));
            if (!flat)
                lastThatPaid = index;
        }

        return levels;
    }

    private static (int Concurrency, double ThroughputPerSecond, double P95Ms) Median(IGrouping<int, ScenarioResult> repeats) =>
        (
            repeats.Key,
            Spread.Of(repeats.Select(repeat => repeat.ThroughputPerSecond))!.Median,
            Spread.Of(repeats.Select(repeat => repeat.ResponseTime.P95Ms))!.Median
        );
}
