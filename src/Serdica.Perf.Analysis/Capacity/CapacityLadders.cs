using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Capacity;

/// <summary>Judges the rungs of a <see cref="CapacityLadder"/> and fits the law that they follow.</summary>
public static class CapacityLadders
{
    /// <summary>The ladders among the results of a run, one for each backend and load, with two rungs or more.</summary>
    public static IReadOnlyList<CapacityLadder> Of(IEnumerable<ScenarioResult> scenarios) =>
    [
        .. scenarios
            .Where(scenario => scenario is { ThroughputPerSecond: not null, ResponseTime.P95Ms: not null } && CapacityLadder.IsRung(scenario.Scenario))
            .GroupBy(scenario => (scenario.Backend, scenario.Parameters.Load))
            .Select(ladder => Of(ladder.Key.Backend, ladder.Key.Load, ladder.GroupBy(scenario => scenario.Parameters.Concurrency).Select(Median)))
            .Where(ladder => ladder.Rungs.Count > 1),
    ];

    /// <param name="backend">Where it was measured.</param>
    /// <param name="load">How it was measured.</param>
    /// <param name="measured">The rungs in any order, each number of callers once, throughput and p95 above zero.</param>
    public static CapacityLadder Of(
        string backend, LoadModel load, IEnumerable<(int Concurrency, double ThroughputPerSecond, double P95Ms)> measured)
    {
        var rungs = Judge([.. measured.OrderBy(rung => rung.Concurrency)]);
        var fit = ScalabilityLaw.Fit([.. rungs.Select(rung => ((double)rung.Concurrency, rung.ThroughputPerSecond))], out var refusal);
        return new CapacityLadder
        {
            Backend = backend,
            Load = load,
            Rungs = rungs,
            LastComfortable = rungs.LastOrDefault(rung => rung.Verdict == RungVerdict.Comfortable)?.Concurrency,
            FirstPressure = rungs.FirstOrDefault(rung => rung.Verdict != RungVerdict.Comfortable)?.Concurrency,
            Knee = rungs.FirstOrDefault(rung => rung.Verdict == RungVerdict.Knee)?.Concurrency,
            Fit = fit,
            FitRefusal = refusal,
        };
    }

    private static List<LadderRung> Judge((int Concurrency, double ThroughputPerSecond, double P95Ms)[] measured)
    {
        var rungs = new List<LadderRung>();
        var lastThatPaid = 0;
        for (var index = 0; index < measured.Length; index++)
        {
            var (concurrency, throughput, p95) = measured[index];
            if (index == 0)
            {
                rungs.Add(new(concurrency, throughput, p95, null, null, RungVerdict.Comfortable));
                continue;
            }

            var growth = throughput / measured[index - 1].ThroughputPerSecond - 1;
            var p95Ratio = p95 / measured[index - 1].P95Ms;
            var flat = growth < CapacityLadder.LeastGrowth;
            var verdict = rungs[^1].Verdict switch
            {
                RungVerdict.Knee or RungVerdict.Saturated => RungVerdict.Saturated,
                _ when flat && p95 >= CapacityLadder.KneeLatency * measured[lastThatPaid].P95Ms => RungVerdict.Knee,
                RungVerdict.Pressure => RungVerdict.Pressure,
                _ => flat || 1 + growth < p95Ratio ? RungVerdict.Pressure : RungVerdict.Comfortable,
            };
            rungs.Add(new(concurrency, throughput, p95, growth, p95Ratio, verdict));
            if (!flat)
                lastThatPaid = index;
        }

        return rungs;
    }

    private static (int Concurrency, double ThroughputPerSecond, double P95Ms) Median(IGrouping<int, ScenarioResult> repeats) =>
    (
        repeats.Key,
        Spread.Of(repeats.Select(repeat => repeat.ThroughputPerSecond))!.Median,
        Spread.Of(repeats.Select(repeat => repeat.ResponseTime.P95Ms))!.Median
    );
}
