using System.Globalization;
using Serdica.Perf.Measurement.Analysis;
using Serdica.Perf.Measurement.Comparisons;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>What a reader wants to know first.</summary>
internal static class AnswersBuilder
{
    private const string NoBase = "There is nothing to compare with. Name a base: serdica-perf report RUN --base RUN.";

    public static ReportAnswers Build(IReadOnlyList<RunResult> runs, RunComparison? comparison) => new(
        runs.All(run => run.Status == RunStatus.Passed),
        string.Join(" ", runs.Select(run => Prefix(runs, run) + Outcome(run))),
        [.. runs.SelectMany(run => Speeds(runs, run))],
        [.. runs.SelectMany(run => Limits(runs, run))],
        comparison is null ? NoBase : Change(comparison),
        comparison is null ? null : Gravest(comparison));

    private static string Outcome(RunResult run)
    {
        var passed = run.Scenarios.Count(scenario => scenario.Status == ScenarioStatus.Passed);
        var sentence = string.Create(CultureInfo.InvariantCulture, $"{passed:#,0} of {run.Scenarios.Count:#,0} measurements passed, with every answer checked in the database.");
        return run.StatusReason is { } reason ? $"{reason} {sentence}" : sentence;
    }

    private static IEnumerable<ReportSpeed> Speeds(IReadOnlyList<RunResult> runs, RunResult run) =>
        from backend in new ReportView(run).Passed.Where(scenario => scenario.ThroughputPerSecond is not null).GroupBy(scenario => scenario.Backend)
        let fastest = backend
            .OrderByDescending(scenario => scenario.Family == ScenarioFamilies.SignalRoundtrip)
            .ThenByDescending(scenario => scenario.ThroughputPerSecond).First()
        let serial = backend.FirstOrDefault(scenario => scenario.Tier == Tiers.Latency)
        select new ReportSpeed(
            Prefix(runs, run) + backend.Key, fastest.Name, ReportBuilder.Load(fastest), fastest.ThroughputPerSecond!.Value,
            fastest.ResponseTime.P50Ms, fastest.ResponseTime.P99Ms, serial?.ResponseTime.P50Ms);

    private static IEnumerable<ReportLimit> Limits(IReadOnlyList<RunResult> runs, RunResult run) =>
        from backend in LimitAnalysis.Of(run).GroupBy(finding => finding.Scenario.Backend)
        let finding = LimitAnalysis.Strongest(backend)
        select new ReportLimit(Prefix(runs, run) + backend.Key, LimitFinding.Sentence(finding.Limit), finding.Evidence, finding.Scenario.Name);

    private static string Change(RunComparison comparison)
    {
        int Count(Verdict verdict) => comparison.With(verdict).Count();
        var withdrawn = Count(Verdict.GeneratorLimited) + Count(Verdict.NotComparable) + Count(Verdict.NotMeasured);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"Of {comparison.Scenarios.Sum(scenario => scenario.Metrics.Count):#,0} metrics against {comparison.Base} {Count(Verdict.Regressed):#,0} are slower or dearer, {Count(Verdict.Improved):#,0} faster or cheaper, {Count(Verdict.Same):#,0} the same; {Count(Verdict.Unstable):#,0} can't be told and {withdrawn:#,0} can't be compared.");
    }

    private static Verdict Gravest(RunComparison comparison) => ((Verdict[])[Verdict.Regressed, Verdict.Improved, Verdict.Same, Verdict.Unstable, Verdict.NotComparable])
        .FirstOrDefault(verdict => comparison.With(verdict).Any(), Verdict.NotMeasured);

    private static string Prefix(IReadOnlyList<RunResult> runs, RunResult run) => runs.Count == 1 ? "" : $"{ReportBuilder.Name(run)}: ";
}
