namespace Serdica.Perf.Analysis.Gates;

/// <summary>
/// Finds the futility stop of a run in progress. A limit that every repeat so far has missed by a wide margin will be breached
/// whatever comes, although so few repeats could not distinguish a small change from chance. Pure.
/// </summary>
internal static class FutilityStop
{
    /// <param name="before">The base of relative limits; null when there is none.</param>
    /// <param name="scenario">The scenario that was measured last, starting with the backend.</param>
    /// <param name="today">The current date in UTC, which decides whether quarantines have expired.</param>
    /// <returns>The first limit that cannot be met any more; null when there is none, or when it is unknown.</returns>
    public static GateBreach? Find(GateSettings settings, RunResult? before, RunResult soFar, string scenario, DateOnly today)
    {
        var repeats = soFar.Scenarios.Where(result => result.Name == scenario).ToArray();
        if (
            settings.Abort is not { } rule
            || repeats.Length < rule.AfterRepeats
            || repeats.Any(repeat => repeat.ThroughputPerSecond is null)
        )
            return null;

        var limited = repeats.Any(GeneratorLimit.IsOf);
        var bounds = Relative(settings, before, soFar, repeats)
            .Concat(Absolute(settings, repeats))
            .Where(bound => !(limited && bound.Metric.IsTiming) && MetricComparer.TooFew(bound.Metric, repeats) is null);
        foreach (var (metric, bound, isLeast, start) in bounds)
        {
            double[] values = [.. repeats.Select(metric.Read).OfType<double>()];
            var line = isLeast ? bound / rule.Factor : bound * rule.Factor;
            if (
                values.Length == repeats.Length
                && values.All(value => isLeast ? value < line : value > line)
                && Breach(scenario, metric, start, values, bound, isLeast, rule) is var breach
                && !Gate.IsQuarantined(settings, scenario, breach.Metric, today)
            )
                return breach;
        }

        return null;
    }

    private static IEnumerable<(ComparedMetric Metric, double Bound, bool IsLeast, double? Before)> Relative(
        GateSettings settings,
        RunResult? before,
        RunResult soFar,
        ScenarioResult[] repeats
    )
    {
        var scenario = repeats[0].Name;
        var compared = before is null
            ? null
            : RunComparer.Compare(Only(before, scenario), Only(soFar, scenario), settings.Comparison).Scenarios[0];
        return from found in compared?.Metrics ?? []
               where found is { Before: > 0, HigherIsBetter: not null, WasCompared: true }
               from limit in settings.Relative
               where Gate.Matches(limit.Scenario, scenario) && Gate.Matches(limit.Metric, found.Metric)
               select (ComparedMetric.Find(found.Metric, repeats)!, Gate.Bound(limit, found), found.HigherIsBetter == true, found.Before);
    }

    private static IEnumerable<(ComparedMetric Metric, double Bound, bool IsLeast, double? Before)> Absolute(
        GateSettings settings,
        ScenarioResult[] repeats
    ) =>
        from objective in settings.Objectives
        where Gate.Matches(objective.Scenario, repeats[0].Name)
        from metric in ComparedMetric.Find(objective.Metric, repeats) is { } found ? (ComparedMetric[])[found] : []
        from bound in new[] { (Value: objective.Least, IsLeast: true), (Value: objective.Most, IsLeast: false) }
        where bound.Value is not null
        select (metric, bound.Value!.Value, bound.IsLeast, (double?)null);

    private static RunResult Only(RunResult run, string scenario) =>
        run with { Scenarios = [.. run.Scenarios.Where(result => result.Name == scenario)] };

    private static GateBreach Breach(
        string scenario,
        ComparedMetric metric,
        double? before,
        double[] values,
        double bound,
        bool isLeast,
        AbortRule rule
    )
    {
        var unit = metric.Unit is null ? "" : $" {metric.Unit}";
        var typical = MetricComparer.Typical(values)!.Value;
        return new(
            scenario,
            metric.Name,
            before,
            typical,
            bound,
            $"{scenario}: {metric.Name} is {ComparisonText.Value(typical)}{unit}; the limit is at {(isLeast ? "least" : "most")} "
                + $"{ComparisonText.Value(bound)}{unit}. "
                + Invariant(
                    $"Each of {values.Length} repeats missed it by more than a factor of {rule.Factor:0.##}, so the rest was not measured."
                )
        );
    }
}
