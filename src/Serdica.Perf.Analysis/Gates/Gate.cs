using System.IO.Enumeration;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Analysis.Gates;

/// <summary>
/// Holds a comparison against limits. Only a real regression breaches a relative limit: what is unstable, not comparable,
/// not measured or limited by the generator is noted and does not fail.
/// </summary>
public static class Gate
{
    /// <param name="settings">The limits.</param>
    /// <param name="comparison">Of the base with the candidate, made with <see cref="GateSettings.Comparison"/>.</param>
    /// <param name="candidate">Objectives are held against it alone.</param>
    /// <param name="today">UTC, to tell which quarantines have expired.</param>
    public static GateResult Judge(GateSettings settings, RunComparison comparison, RunResult candidate, DateOnly today)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(comparison);
        ArgumentNullException.ThrowIfNull(candidate);
        if (Likeness.Unfit("candidate", candidate.Environment.Runtime).FirstOrDefault() is { } unfit)
            return new() { Notes = [$"The limits could not be judged: {unfit}."] };

        var notes = new List<string>();
        var breaches = Relative(settings, comparison, notes).Concat(Objectives(settings, candidate, notes)).ToArray();
        var quarantined = breaches.Where(breach => IsQuarantined(settings, breach, today)).ToArray();
        var open = breaches.Except(quarantined).ToArray();
        notes.AddRange(
            from quarantine in settings.Quarantine
            where quarantine.Expires < today
            where open.Any(breach => Covers(quarantine, breach))
            select Invariant($"The quarantine of {quarantine.Scenario} {quarantine.Metric} ({quarantine.Reason.TrimEnd('.')}) expired after {quarantine.Expires:yyyy-MM-dd}."));
        return new() { Breaches = open, Quarantined = quarantined, Notes = notes };
    }

    private static List<GateBreach> Relative(GateSettings settings, RunComparison comparison, List<string> notes)
    {
        var breaches = new List<GateBreach>();
        foreach (var limit in settings.Relative)
        {
            var judged = (from scenario in comparison.Scenarios
                          where Matches(limit.Scenario, scenario.Name)
                          from metric in scenario.Metrics
                          where Matches(limit.Metric, metric.Metric)
                          select (Scenario: scenario, Metric: metric)).ToArray();
            breaches.AddRange(
                from found in judged
                where found.Metric.Verdict == Verdict.Regressed && found.Metric.WorseBy > limit.WorseBy
                select Breach(limit, found.Scenario, found.Metric));

            if (judged.Length == 0)
                notes.Add($"The limit on {limit.Metric} of {limit.Scenario} could not be judged: neither run has it.");
            notes.AddRange(
                from found in judged
                where found.Metric.Verdict is not (Verdict.Regressed or Verdict.Improved or Verdict.Same)
                group found by (found.Scenario.Name, found.Metric.Verdict, found.Metric.Reason) into open
                select $"{open.Key.Name}: {string.Join(", ", open.Select(found => found.Metric.Metric))} could not be judged, {ComparisonText.Words(open.Key.Verdict)}: {open.Key.Reason}");
        }

        return breaches;
    }

    private static GateBreach Breach(RelativeLimit limit, ScenarioComparison scenario, MetricComparison metric)
    {
        var bound = Bound(limit, metric);
        return new(
            scenario.Name, metric.Metric, metric.Before, metric.After!.Value, bound,
            $"{scenario.Name}: {metric.Metric} went from {ComparisonText.Change(metric)}; the limit is {Invariant($"{limit.WorseBy * 100:0.#} %")} worse ({ComparisonText.Value(bound)}). Evidence: {ComparisonText.Evidence(metric)}.");
    }

    private static List<GateBreach> Objectives(GateSettings settings, RunResult candidate, List<string> notes)
    {
        var breaches = new List<GateBreach>();
        foreach (var objective in settings.Objectives)
        {
            var any = false;
            foreach (var repeats in candidate.Scenarios.Where(scenario => Matches(objective.Scenario, scenario.Name)).GroupBy(scenario => scenario.Name))
            {
                var metric = ComparedMetric.Of([.. repeats]).FirstOrDefault(metric => metric.Name == objective.Metric);
                double[] values = metric is null ? [] : MetricComparer.Values(metric, repeats);
                if (values.Length == 0)
                    continue;
                any = true;
                if (metric!.IsTiming && RunComparer.GeneratorLimit(candidate, "candidate", repeats.Key) is { } limited)
                    notes.Add($"The objective on {objective.Metric} of {repeats.Key} could not be judged. {limited}");
                else if (Bound(objective, MetricComparer.Typical(values)!.Value) is { } bound)
                    breaches.Add(Breach(objective, bound, repeats.Key, metric, values));
            }

            if (!any)
                notes.Add($"The objective on {objective.Metric} of {objective.Scenario} could not be judged: the candidate has no such figure.");
        }

        return breaches;
    }

    private static GateBreach Breach(Objective objective, double bound, string scenario, ComparedMetric metric, double[] values)
    {
        var after = MetricComparer.Typical(values)!.Value;
        var unit = metric.Unit is null ? "" : $" {metric.Unit}";
        return new(
            scenario, metric.Name, null, after, bound,
            $"{scenario}: {metric.Name} is {ComparisonText.Value(after)}{unit}; the objective is at {(bound == objective.Least ? "least" : "most")} {ComparisonText.Value(bound)}{unit}. " +
            $"Evidence: {values.Length} repeat(s), {ComparisonText.Value(values.Min())} to {ComparisonText.Value(values.Max())}.");
    }

    /// <summary>The bound that is broken; null when none is.</summary>
    private static double? Bound(Objective objective, double value) =>
        value < objective.Least ? objective.Least : value > objective.Most ? objective.Most : null;

    internal static bool IsQuarantined(GateSettings settings, GateBreach breach, DateOnly today) =>
        settings.Quarantine.Any(quarantine => quarantine.Expires >= today && Covers(quarantine, breach));

    private static bool Covers(Quarantine quarantine, GateBreach breach) =>
        Matches(quarantine.Scenario, breach.Scenario) && Matches(quarantine.Metric, breach.Metric);

    /// <summary>The value of the candidate at which a relative limit ends.</summary>
    internal static double Bound(RelativeLimit limit, MetricComparison metric) =>
        metric.Before!.Value * (metric.HigherIsBetter ? 1 - limit.WorseBy : 1 + limit.WorseBy);

    internal static bool Matches(string pattern, string name) => FileSystemName.MatchesSimpleExpression(pattern, name, ignoreCase: false);
}
