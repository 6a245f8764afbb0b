using System.IO.Enumeration;

namespace Serdica.Perf.Analysis.Gates;

/// <summary>
/// Checks a comparison against limits. Only a real regression breaches a relative limit; an inconclusive figure, one measured
/// under different conditions, and one limited by its generator are noted and counted. A scenario of the base that the candidate
/// lacks or failed is a breach. A gate that judged nothing, nothing about the speed of a scenario, an aborted run, or a scenario whose
/// results were not verified, has not held.
/// </summary>
internal static class Gate
{
    /// <summary>Stands for the metric when a scenario is missing or failed.</summary>
    public const string VerificationMetric = "verification";

    /// <summary>A limit that is widened by more than this would not limit anything.</summary>
    private const double WidestNoise = 0.5;

    /// <param name="comparison">Made with <see cref="GateSettings.Comparison"/>.</param>
    /// <param name="candidate">The candidate, whose figures alone are checked against objectives.</param>
    /// <param name="today">The current date in UTC, which decides whether quarantines have expired.</param>
    public static GateResult Judge(GateSettings settings, RunComparison comparison, RunResult candidate, DateOnly today)
    {
        var tally = new GateTally();
        if (Likeness.Unfit("candidate", candidate.Environment.Runtime).FirstOrDefault() is { } unfit)
        {
            return new()
            {
                Notes = [$"The limits could not be judged: {unfit}."],
                NothingBecause = $"the candidate's figures are not those of the code as it is: {unfit}",
            };
        }

        GateBreach[] breaches =
        [
            .. Verification(settings, comparison, candidate, tally),
            .. Relative(settings, comparison, tally),
            .. Objectives(settings, candidate, tally),
        ];
        var quarantined = breaches.Where(breach => IsQuarantined(settings, breach.Scenario, breach.Metric, today)).ToArray();
        var open = breaches.Except(quarantined).ToArray();
        tally.Notes.AddRange(
            from quarantine in settings.Quarantine
            where quarantine.Expires < today
            where open.Any(breach => Covers(quarantine, breach.Scenario, breach.Metric))
            select Invariant($"The quarantine of {quarantine.Scenario} {quarantine.Metric} ({quarantine.Reason.TrimEnd('.')}) expired ")
                + Invariant($"after {quarantine.Expires:yyyy-MM-dd}.")
        );
        return tally.Result(open, quarantined, (scenario, metric) => IsQuarantined(settings, scenario, metric, today)) with
        {
            Unfinished = Unfinished(settings, candidate),
        };
    }

    private static string? Unfinished(GateSettings settings, RunResult candidate) =>
        candidate.Status == RunStatus.Aborted
            ? $"the candidate's run was {UnfitRun.Ended(candidate)}"
            : candidate
                .Scenarios.Where(scenario => IsCovered(settings, scenario.Name))
                .SelectMany(Unverified.Of)
                .Select(unverified => $"the candidate's {unverified.Sentence.TrimEnd('.')}")
                .FirstOrDefault();

    /// <summary>A scenario that the candidate lacks or failed is worse than any figure.</summary>
    private static List<GateBreach> Verification(GateSettings settings, RunComparison comparison, RunResult candidate, GateTally tally)
    {
        var breaches = new List<GateBreach>();
        foreach (var scenario in comparison.Scenarios.Where(scenario => IsCovered(settings, scenario.Name)))
        {
            if (scenario.Lacking is { } lacking)
                breaches.Add(new(scenario.Name, VerificationMetric, null, null, null, $"{scenario.Name}: {lacking}"));
            else if (
                candidate.Scenarios.Where(result => result.Name == scenario.Name).ToArray() is { Length: > 0 } repeats
                && !repeats.SelectMany(Unverified.Of).Any()
            )
                tally.Verified(scenario.Name);
        }

        return breaches;
    }

    private static bool IsCovered(GateSettings settings, string scenario) =>
        settings
            .Relative.Select(limit => limit.Scenario)
            .Concat(settings.Objectives.Select(objective => objective.Scenario))
            .Any(pattern => Matches(pattern, scenario));

    private static List<GateBreach> Relative(GateSettings settings, RunComparison comparison, GateTally tally)
    {
        var breaches = new List<GateBreach>();
        foreach (var limit in settings.Relative)
        {
            var scenarios = comparison.Scenarios.Where(scenario => Matches(limit.Scenario, scenario.Name)).ToArray();
            var limited = (
                from scenario in scenarios
                from metric in scenario.Metrics
                where metric.HigherIsBetter is not null && Matches(limit.Metric, metric.Metric)
                where !IsUnmeasured(scenario)
                select (Scenario: scenario, Metric: metric)
            ).ToArray();
            // A scenario that was not measured on both sides has no metrics but this entry, whatever the limit names.
            var unmeasured = scenarios.Where(scenario => scenario.Lacking is null && IsUnmeasured(scenario)).ToArray();
            foreach (var scenario in unmeasured)
                tally.NotJudged(scenario.Name, limit.Metric, Verdict.NotMeasured, scenario.Metrics[0].Reason, scenario.IsExpected);
            foreach (var (scenario, metric) in limited)
            {
                if (IsJudged(limit, metric))
                    tally.Judged(scenario.Name, metric.Metric, IsZero(metric), IsWidened(limit, metric));
                else
                    tally.NotJudged(scenario.Name, metric.Metric, metric.Verdict, metric.Reason, scenario.IsExpected);
            }

            // A count is listed only when it is not 0 everywhere.
            foreach (var scenario in scenarios.Where(scenario => IsCount(limit.Metric) && IsZero(scenario, limit.Metric)))
                tally.Judged(scenario.Name, limit.Metric, isZero: true);

            tally.Notes.AddRange(
                from found in limited
                where IsWidened(limit, found.Metric)
                group found.Metric by found.Scenario.Name into widened
                select Invariant($"{widened.Key}: single runs of equal code differ, so the limit of {limit.WorseBy * 100:0.#} % held only ")
                    + "to exclude what is worse by more than "
                    + string.Join(", ", widened.Select(metric => Invariant($"{metric.WorseAtMost * 100:0} % ({metric.Metric})")))
                    + ". 'ab' holds the limit itself."
            );

            // Without a ratio the figure rose from 0, and a percentage of the base is undefined.
            breaches.AddRange(
                from found in limited
                where found.Metric.Verdict == Verdict.Regressed && (found.Metric.WorseBy ?? double.PositiveInfinity) > limit.WorseBy
                select Breach(limit, found.Scenario, found.Metric)
            );

            if (
                limited.Length == 0
                && unmeasured.Length == 0
                && scenarios.All(scenario => scenario.Lacking is null)
                && !(scenarios.Length > 0 && IsCount(limit.Metric))
            )
                tally.Unmatched($"The limit on {limit.Metric} of {limit.Scenario} could not be judged: neither run has it.");
            tally.Notes.AddRange(
                from found in limited
                where !IsJudged(limit, found.Metric)
                group found by (found.Scenario.Name, found.Metric.Verdict, found.Metric.Reason) into open
                select $"{open.Key.Name}: {string.Join(", ", open.Select(found => found.Metric.Metric))} could not be judged, "
                    + $"{ComparisonText.Words(open.Key.Verdict)}: {open.Key.Reason}"
            );
            tally.Notes.AddRange(
                unmeasured.Select(scenario =>
                    $"{scenario.Name}: {limit.Metric} could not be judged, {ComparisonText.Words(Verdict.NotMeasured)}: "
                    + scenario.Metrics[0].Reason
                )
            );
        }

        return breaches;
    }

    /// <summary>Holds also for an inconclusive verdict, when everything worse than the limit is excluded.</summary>
    private static bool IsJudged(RelativeLimit limit, MetricComparison metric) =>
        metric.Verdict is Verdict.Regressed or Verdict.Improved or Verdict.Same
        || (metric.CorrectedPValue is not null && metric.WorseAtMost <= limit.WorseBy)
        || IsWidened(limit, metric);

    /// <summary>
    /// Two single runs cannot exclude a change below the noise between runs, however many repeats they have. A figure within
    /// its limit then counts as judged by a limit that is wider by that noise: a large slow-down is excluded, and the note
    /// states the wider limit.
    /// </summary>
    private static bool IsWidened(RelativeLimit limit, MetricComparison metric) =>
        metric is { Verdict: Verdict.Unstable, BetweenRuns: not null, CorrectedPValue: not null, NoiseFloor: <= WidestNoise }
        && metric.WorseBy <= limit.WorseBy
        && metric.WorseAtMost > limit.WorseBy;

    /// <summary>One side lacks it.</summary>
    private static bool IsUnmeasured(ScenarioComparison scenario) => scenario.Metrics is [{ Verdict: Verdict.NotMeasured }];

    private static bool IsCount(string metric) => metric is ComparedMetric.Errors or ComparedMetric.DeadLetters;

    private static bool IsZero(ScenarioComparison scenario, string count) =>
        scenario.Lacking is null
        && scenario.Metrics.Any(metric => metric.WasCompared)
        && scenario.Metrics.All(metric => metric.Metric != count);

    /// <summary>Whether both sides have 0, or a time that says as little: see <see cref="ComparedMetric.ShortestLatencyMs"/>.</summary>
    private static bool IsZero(MetricComparison metric) =>
        metric is { Before: 0, After: 0 }
        || (metric.Unit == "ms" && Math.Max(metric.Before ?? 1, metric.After ?? 1) < 1.001 * ComparedMetric.ShortestLatencyMs);

    private static GateBreach Breach(RelativeLimit limit, ScenarioComparison scenario, MetricComparison metric)
    {
        if (metric.Ratio is null)
        {
            return new(
                scenario.Name,
                metric.Metric,
                metric.Before,
                metric.After,
                0,
                $"{scenario.Name}: {metric.Metric} went from {ComparisonText.Change(metric)}. {metric.Reason}"
            );
        }

        var bound = Bound(limit, metric);
        return new(
            scenario.Name,
            metric.Metric,
            metric.Before,
            metric.After!.Value,
            bound,
            $"{scenario.Name}: {metric.Metric} went from {ComparisonText.Change(metric)}; the limit is "
                + $"{Invariant($"{limit.WorseBy * 100:0.#} %")} worse ({ComparisonText.Value(bound)}). Evidence: "
                + $"{ComparisonText.Evidence(metric)}."
        );
    }

    private static List<GateBreach> Objectives(GateSettings settings, RunResult candidate, GateTally tally)
    {
        var breaches = new List<GateBreach>();
        foreach (var objective in settings.Objectives)
        {
            var any = false;
            foreach (
                var repeats in candidate
                    .Scenarios.Where(scenario => Matches(objective.Scenario, scenario.Name))
                    .GroupBy(scenario => scenario.Name)
            )
            {
                var metric = ComparedMetric.Find(objective.Metric, [.. repeats]);
                double[] values = metric is null ? [] : MetricComparer.Values(metric, repeats);
                any |= values.Length > 0;
                if (WhyNotJudged(values.Length == 0 ? null : metric, repeats) is var (verdict, reason))
                {
                    tally.NotJudged(repeats.Key, objective.Metric, verdict, reason);
                    tally.Notes.Add($"The objective on {objective.Metric} of {repeats.Key} could not be judged. {reason}");
                    continue;
                }

                tally.Judged(repeats.Key, metric!.Name);
                if (Bound(objective, MetricComparer.Typical(values)!.Value) is { } bound)
                    breaches.Add(Breach(objective, bound, repeats.Key, metric, values));
            }

            if (!any)
                tally.Unmatched(
                    $"The objective on {objective.Metric} of {objective.Scenario} could not be judged: the candidate has no such figure."
                );
        }

        return breaches;
    }

    /// <summary>Why a figure of the candidate cannot be held against an objective; null when it can.</summary>
    private static (Verdict Verdict, string Reason)? WhyNotJudged(ComparedMetric? metric, IEnumerable<ScenarioResult> repeats) =>
        metric is null ? (Verdict.NotMeasured, "The candidate has no such figure.")
        : metric.IsTiming && GeneratorLimit.Of(repeats, "candidate") is { } generator ? (Verdict.GeneratorLimited, generator)
        : MetricComparer.TooFew(metric, repeats) is { } operations ? (Verdict.Unstable, MetricComparer.TooFewReason(operations))
        : null;

    private static GateBreach Breach(Objective objective, double bound, string scenario, ComparedMetric metric, double[] values)
    {
        var after = MetricComparer.Typical(values)!.Value;
        var unit = metric.Unit is null ? "" : $" {metric.Unit}";
        return new(
            scenario,
            metric.Name,
            null,
            after,
            bound,
            $"{scenario}: {metric.Name} is {ComparisonText.Value(after)}{unit}; the objective is at "
                + $"{(bound == objective.Least ? "least" : "most")} {ComparisonText.Value(bound)}{unit}. "
                + $"Evidence: {Figure.Number(values.Length, "repeat")}, {ComparisonText.Value(values.Min())} to "
                + $"{ComparisonText.Value(values.Max())}."
        );
    }

    /// <summary>The bound that is exceeded; null when none is.</summary>
    private static double? Bound(Objective objective, double value) =>
        value < objective.Least ? objective.Least
        : value > objective.Most ? objective.Most
        : null;

    internal static bool IsQuarantined(GateSettings settings, string scenario, string metric, DateOnly today) =>
        settings.Quarantine.Any(quarantine => quarantine.Expires >= today && Covers(quarantine, scenario, metric));

    private static bool Covers(Quarantine quarantine, string scenario, string metric) =>
        Matches(quarantine.Scenario, scenario) && Matches(quarantine.Metric, metric);

    /// <summary>The value of the candidate that corresponds to a relative limit.</summary>
    internal static double Bound(RelativeLimit limit, MetricComparison metric) =>
        metric.Before!.Value * (metric.HigherIsBetter == true ? 1 - limit.WorseBy : 1 + limit.WorseBy);

    internal static bool Matches(string pattern, string name) => FileSystemName.MatchesSimpleExpression(pattern, name, ignoreCase: false);
}
