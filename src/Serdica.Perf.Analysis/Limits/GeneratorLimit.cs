using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Analysis.Limits;

/// <summary>
/// The one rule of whether a load generator was the limit: by its own lag, and by nothing else. An arrival that waits for a
/// free caller waits for the database, and a run whose database became slower must not be excused by it.
/// </summary>
public static class GeneratorLimit
{
    /// <summary>In milliseconds. The generator's own lag may have this p99: beyond it what waits is the generator.</summary>
    public const double LagMs = 10;

    /// <param name="own">The generator's own lag: a call was due, and a caller free.</param>
    /// <param name="allLatenessMs">By how much all calls together were late, for whatever reason.</param>
    /// <returns>
    /// Whether the generator was late by itself, and that was not the smaller part of all lateness: where arrivals wait for
    /// seconds until a caller is free, milliseconds of the generator limit nothing.
    /// </returns>
    public static bool Applies(LatencySummary own, double? allLatenessMs)
    {
        ArgumentNullException.ThrowIfNull(own);
        return own.P99Ms > LagMs && !(own.AverageMs * own.Count < allLatenessMs / 2);
    }

    /// <summary>Only an open load has a schedule to be late for. A result without the generator's lag is not excused.</summary>
    public static bool Applies(ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        var lateness = scenario.Phases.GetValueOrDefault(PhaseNames.ScheduleLag) is { } lag
            ? lag.AverageMs * lag.Count
            : (scenario.ResponseTime.AverageMs - scenario.ServiceTime.AverageMs) * scenario.ResponseTime.Count;
        return scenario is { Parameters.Load: LoadModel.Open, GeneratorLag: { } own } && Applies(own, lateness);
    }

    /// <summary>One sentence on the first repeat that its generator limited; null when none is.</summary>
    internal static string? Of(IEnumerable<ScenarioResult> repeats, string side) => repeats.FirstOrDefault(Applies) is { } limited
        ? Invariant($"Of the {side}: repeat {limited.Parameters.Repeat} was limited by its load generator, whose own lag had a p99 of {limited.GeneratorLag!.P99Ms:0.0} ms (bound {LagMs} ms).")
        : null;
}
