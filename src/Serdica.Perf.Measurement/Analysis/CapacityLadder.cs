using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Measurement.Analysis;

/// <summary>
/// The same work at rising numbers of callers on one backend: where more callers stop to pay, and the law that the rungs
/// follow.
/// </summary>
/// <remarks>
/// <para>
/// The <b>knee</b> is the first rung whose throughput is less than 10 % above that of the rung below, while its p95 is at
/// least twice that of the last rung that did grow by so much. Directly behind such a rung that is the rung below. Behind
/// a flat one it is not: by Little's law twice the callers at a constant throughput just double the latency, and so a
/// ladder that saturates in small steps would never show its knee.
/// </para>
/// <para>
/// A rung is <b>comfortable</b> as long as throughput grows by 10 % or more and by a larger factor than p95, which is to
/// say that throughput over latency still rises: L. Kleinrock's <i>power</i>, whose maximum he proposed as the point to
/// work at ("Power and deterministic rules of thumb for probabilistic problems in computer communications", ICC 1979).
/// </para>
/// </remarks>
public sealed record CapacityLadder
{
    /// <summary>Throughput that grows by less than this part from rung to rung is flat.</summary>
    public const double LeastGrowth = 0.10;

    /// <summary>So many times the p95 of the last rung that paid is too much for flat throughput.</summary>
    public const double KneeLatency = 2;

    public required string Backend { get; init; }

    /// <summary>What the callers did between two operations; the rungs of a ladder share it.</summary>
    public required LoadModel Load { get; init; }

    /// <summary>By rising concurrency; only rungs that passed.</summary>
    public required IReadOnlyList<LadderRung> Rungs { get; init; }

    /// <summary>Callers of the last rung before the first under pressure; null for a ladder without rungs.</summary>
    public int? LastComfortable { get; init; }

    /// <summary>Callers of the first rung that is not comfortable; null when all are.</summary>
    public int? FirstPressure { get; init; }

    /// <summary>Callers of the knee; null when no rung has reached it.</summary>
    public int? Knee { get; init; }

    /// <summary>The Universal Scalability Law through the rungs; null when it was refused.</summary>
    public ScalabilityFit? Fit { get; init; }

    /// <summary>One sentence: why there is no fit; null when there is one.</summary>
    public string? FitRefusal { get; init; }

    /// <summary>The ladders among the results of a run, one for each backend and load, with two rungs or more.</summary>
    public static IReadOnlyList<CapacityLadder> Of(IEnumerable<ScenarioResult> scenarios) =>
    [
        .. scenarios
            .Where(scenario => scenario is { ThroughputPerSecond: not null, ResponseTime.P95Ms: not null } && ScenarioCatalog.IsRung(scenario.Scenario))
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
        var fit = ScalabilityFit.Of([.. rungs.Select(rung => ((double)rung.Concurrency, rung.ThroughputPerSecond))], out var refusal);
        return new()
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
            var flat = growth < LeastGrowth;
            var verdict = rungs[^1].Verdict switch
            {
                RungVerdict.Knee or RungVerdict.Saturated => RungVerdict.Saturated,
                _ when flat && p95 >= KneeLatency * measured[lastThatPaid].P95Ms => RungVerdict.Knee,
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
