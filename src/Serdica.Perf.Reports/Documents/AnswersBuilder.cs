namespace Serdica.Perf.Reports.Documents;

/// <summary>What a reader wants to know first.</summary>
internal static class AnswersBuilder
{
    private const string NoBase = "There is nothing to compare with. Name a base: serdica-perf report RUN --base RUN.";

    /// <param name="runs">Each with its load test, when it is one.</param>
    /// <param name="comparison">Null without a base.</param>
    /// <param name="offer">The last comparable run; null without one.</param>
    public static ReportAnswers Build(
        IReadOnlyList<(RunResult Run, ReportLoadTest? Load)> runs,
        RunComparison? comparison,
        BaseOffer? offer = null
    ) =>
        new(
            runs.All(run => run.Run.Status == RunStatus.Passed && run.Load is not { Verdict: StepVerdict.Failed }),
            runs.Any(run => run.Load is { Verdict: StepVerdict.Degraded }),
            string.Join(" ", runs.Select(run => Prefix(runs.Count, run.Run) + Outcome(run.Run, run.Load))),
            [.. runs.SelectMany(run => Speeds(Prefix(runs.Count, run.Run), run.Run, run.Load))],
            [.. runs.SelectMany(run => Limits(Prefix(runs.Count, run.Run), run.Run, run.Load))],
            comparison is not null ? $"{Change(comparison)} {offer?.Sentence}".TrimEnd()
                : offer is null ? NoBase
                : offer.Comparison is { } offered ? $"{offer.Sentence} {Inconclusive(offered, runs[^1]) ?? Change(offered)}"
                : offer.Sentence,
            comparison is null && offer?.Comparison is not null,
            (comparison ?? offer?.Comparison) is { } compared ? Gravest(compared) : null
        );

    private static string Outcome(RunResult run, ReportLoadTest? load)
    {
        if (load is not null)
            return $"{(run.Status == RunStatus.Aborted ? $"Aborted: {run.StatusReason} " : "")}{LoadAnswers.Outcome(load)}";

        var passed = run.Scenarios.Where(scenario => scenario.Status == ScenarioStatus.Passed).ToArray();
        var checks = passed.Sum(scenario => scenario.Verification.Count(check => check.Passed));
        var place = run.Databases.All(database => database.IsInProcess) ? "" : " of the database";
        var sentence =
            $"{Figure.Of(passed.Length)} of {Figure.Of(run.Scenarios.Count)} measurements passed"
            + $"{(checks == 0 ? "" : $", and {Figure.Number(checks, "check")}{place} held")}.";
        if (run.Status == RunStatus.Passed && run.Scenarios.All(scenario => scenario is { ShownPerSecond: null, TooFew: not null }))
            sentence += $" {ComparisonText.CorrectnessOnly}";
        return run.StatusReason is { } reason ? $"{reason} {sentence}" : sentence;
    }

    private static IEnumerable<ReportSpeed> Speeds(string prefix, RunResult run, ReportLoadTest? load) =>
        load is not null
            ? LoadAnswers.Speed(load, prefix + load.Backend) is { } speed
                ? [speed]
                : []
            : from backend in Fastest(run)
              let fastest = backend.Value
              let serial = new ReportView(run).Passed.FirstOrDefault(scenario =>
                  scenario.Backend == backend.Key && scenario.Tier == Tiers.Latency
              )
              let latency = fastest.ResponseTime.Shown()
              select new ReportSpeed(
                  prefix + backend.Key,
                  fastest.Name,
                  ReportBuilder.Load(fastest),
                  OperationWords.Of(fastest),
                  fastest.ShownPerSecond!.Value,
                  latency.P50Ms,
                  latency.P99Ms,
                  serial?.ResponseTime.P50Ms,
                  fastest
              );

    /// <summary>The scenario that the headline names, by backend: its throughput and its limit belong together.</summary>
    private static IEnumerable<KeyValuePair<string, ScenarioResult>> Fastest(RunResult run) =>
        new ReportView(run)
            .Passed.Where(scenario => scenario.ShownPerSecond is not null)
            .GroupBy(scenario => scenario.Backend)
            .Select(backend =>
                KeyValuePair.Create(
                    backend.Key,
                    backend
                        .OrderByDescending(scenario => scenario.Family == ScenarioFamilies.SignalRoundtrip)
                        .ThenByDescending(scenario => scenario.ShownPerSecond)
                        .First()
                )
            );

    /// <summary>Callers who wait for their own completions have no rate to miss: their limit is that of the fastest step.</summary>
    private static IEnumerable<ReportLimit> Limits(string prefix, RunResult run, ReportLoadTest? load) =>
        load is not null && load.Steps.Any(step => step.TargetPerSecond is not null || step.LimitedBy is not null)
            ? LoadAnswers.Limit(load, prefix + load.Backend) is { } limit
                ? [limit]
                : []
            : from backend in LimitAnalysis.Of(run).GroupBy(finding => finding.Scenario.Backend)
              let headline = Fastest(run).FirstOrDefault(fastest => fastest.Key == backend.Key).Value?.Name
              let finding = LimitAnalysis.Strongest(backend.Where(finding => finding.Scenario.Name == headline))
                  ?? LimitAnalysis.Strongest(backend)
              select new ReportLimit(prefix + backend.Key, LimitFinding.Sentence(finding.Limit), finding.Evidence, finding.Scenario.Name);

    private static string Change(RunComparison comparison)
    {
        int Count(Verdict verdict) => comparison.With(verdict).Count();
        var withdrawn = Count(Verdict.GeneratorLimited) + Count(Verdict.NotComparable) + Count(Verdict.NotMeasured);
        var gravest = Largest(comparison) is { } found
            ? $"{found.Scenario.Name} {found.Metric.Metric}: {ComparisonText.Change(found.Metric)}. "
            : "";
        var changed = Count(Verdict.Changed) is > 0 and var count ? Invariant($", {count:#,0} neither better nor worse") : "";
        var correctness = ComparisonText.OnlyCorrectness(comparison) is { } only ? $"{only} " : "";
        return correctness
            + gravest
            + Invariant($"Metrics compared with {comparison.Base}: {Count(Verdict.Regressed):#,0} slower or more expensive, ")
            + Invariant($"{Count(Verdict.Improved):#,0} faster or cheaper, {Count(Verdict.Same):#,0} the same{changed}, ")
            + Invariant($"{Count(Verdict.Unstable):#,0} inconclusive, {withdrawn:#,0} not comparable.");
    }

    /// <summary>The change that the card names: of what regressed, else of what improved, the first of the primary metrics.</summary>
    private static (ScenarioComparison Scenario, MetricComparison Metric)? Largest(RunComparison comparison)
    {
        foreach (var verdict in (Verdict[])[Verdict.Regressed, Verdict.Improved])
        {
            var found = comparison
                .With(verdict)
                .OrderByDescending(change => change.Metric.Metric == ComparedMetric.Throughput)
                .ThenByDescending(change => change.Metric.IsPrimary)
                .ThenByDescending(change => Math.Abs(Math.Log(change.Metric.Ratio ?? 1)))
                .ToArray();
            if (found.Length > 0)
                return found[0];
        }

        return null;
    }

    /// <summary>
    /// What single runs mostly have in place of a verdict: a primary metric, of the scenario of the headline where it is among them,
    /// and why it says nothing. Null where there is a graver verdict.
    /// </summary>
    private static string? Inconclusive(RunComparison comparison, (RunResult Run, ReportLoadTest? Load) run)
    {
        if (Gravest(comparison) != Verdict.Unstable)
            return null;

        var headline = Speeds("", run.Run, run.Load).Select(speed => speed.Measured?.Name).FirstOrDefault();
        var (scenario, metric) = comparison
            .With(Verdict.Unstable)
            .OrderByDescending(found => found.Metric is { IsPrimary: true, HasTooFew: false })
            .ThenByDescending(found => found.Scenario.Name == headline)
            .First();
        return $"{scenario.Name} {metric.Metric}: {ComparisonText.Change(metric)}. {metric.Reason}";
    }

    /// <summary>Counts that are 0 on both sides are no reason to say that nothing changed while a primary metric is open.</summary>
    private static Verdict Gravest(RunComparison comparison) =>
        comparison.With(Verdict.Unstable).Any(found => found.Metric.IsPrimary)
        && !comparison.With(Verdict.Regressed).Concat(comparison.With(Verdict.Improved)).Any()
            ? Verdict.Unstable
            : ((Verdict[])[Verdict.Regressed, Verdict.Improved, Verdict.Same, Verdict.Unstable, Verdict.NotComparable]).FirstOrDefault(
                verdict => comparison.With(verdict).Any(),
                Verdict.NotMeasured
            );

    private static string Prefix(int runs, RunResult run) => runs == 1 ? "" : $"{ReportBuilder.Name(run)}: ";
}
