namespace Serdica.Perf.Analysis.Limits;

/// <summary>
/// The one rule for a load that was limited by its generator. It uses the generator's own lag: from the moment when a call was
/// due and a caller free, to the call. An arrival that waits for a free caller waits for the database, and a run whose database
/// became slower must not be excused by it. A closed load has no schedule to miss.
/// </summary>
internal static class GeneratorLimit
{
    /// <summary>The largest p99 of the generator's own lag, in milliseconds; above it the generator is the limit.</summary>
    public const double LagMs = 10;

    /// <summary>Whether the generator was the limit. A result without the generator's lag is not excused.</summary>
    public static bool IsOf(ScenarioResult scenario)
    {
        var lateness = scenario.Phases.GetValueOrDefault(PhaseNames.ScheduleLag) is { } lag
            ? TotalMs(lag)
            : (scenario.ResponseTime.AverageMs - scenario.ServiceTime.AverageMs) * scenario.ResponseTime.Count;
        return scenario.Parameters.Load == LoadModel.Open && IsLate(scenario.GeneratorLag, lateness);
    }

    /// <inheritdoc cref="IsOf(ScenarioResult)"/>
    public static bool IsOf(StepResult step) => step.Kind == LoadKind.Open && IsLate(step.GeneratorLag, TotalMs(step.ScheduleLag));

    /// <summary>The first repeat that was limited by its generator, in one sentence; null when none is.</summary>
    internal static string? Of(IEnumerable<ScenarioResult> repeats, string side) =>
        repeats.FirstOrDefault(IsOf) is { } limited
            ? Invariant($"Repeat {limited.Parameters.Repeat} of the {side} was limited by its load generator, whose own lag had ")
                + Invariant($"a p99 of {limited.GeneratorLag!.P99Ms:0.0} ms (bound {LagMs} ms).")
            : null;

    /// <summary>
    /// Whether the generator itself was late, and this was not the smaller part of all lateness. When arrivals wait for seconds
    /// until a caller is free, milliseconds of the generator limit nothing.
    /// </summary>
    private static bool IsLate(LatencySummary? own, double? allLatenessMs) => own?.P99Ms > LagMs && !(TotalMs(own) < allLatenessMs / 2);

    private static double? TotalMs(LatencySummary? lag) => lag?.AverageMs * lag?.Count;
}
