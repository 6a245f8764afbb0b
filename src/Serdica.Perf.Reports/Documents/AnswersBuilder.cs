using System.Globalization;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.Limits;
using Serdica.Perf.Reports.Text;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Reports.Documents;

/// <summary>What a reader wants to know first.</summary>
internal static class AnswersBuilder
{
    private const string NoBase = "There is nothing to compare with. Name a base: serdica-perf report RUN --base RUN.";

    /// <param name="runs">Each with its load test, when it is one.</param>
    /// <param name="comparison">Null without a base.</param>
    public static ReportAnswers Build(IReadOnlyList<(RunResult Run, ReportLoadTest? Load)> runs, RunComparison? comparison) => new(
        runs.All(run => run.Run.Status == RunStatus.Passed && run.Load is not { Verdict: StepVerdict.Failed }),
        runs.Any(run => run.Load is { Verdict: StepVerdict.Degraded }),
        string.Join(" ", runs.Select(run => Prefix(runs.Count, run.Run) + Outcome(run.Run, run.Load))),
        [.. runs.SelectMany(run => Speeds(Prefix(runs.Count, run.Run), run.Run, run.Load))],
        [.. runs.SelectMany(run => Limits(Prefix(runs.Count, run.Run), run.Run, run.Load))],
        comparison is null ? NoBase : Change(comparison),
        comparison is null ? null : Gravest(comparison));

    private static string Outcome(RunResult run, ReportLoadTest? load)
    {
        if (load is not null)
            return $"{(run.Status == RunStatus.Aborted ? $"Aborted: {run.StatusReason} " : "")}{LoadAnswers.Outcome(load)}";

        var passed = run.Scenarios.Count(scenario => scenario.Status == ScenarioStatus.Passed);
        var sentence = string.Create(CultureInfo.InvariantCulture, $"{passed:#,0} of {run.Scenarios.Count:#,0} measurements passed, with every answer checked in the database.");
        return run.StatusReason is { } reason ? $"{reason} {sentence}" : sentence;
    }

    private static IEnumerable<ReportSpeed> Speeds(string prefix, RunResult run, ReportLoadTest? load) => load is not null
        ? LoadAnswers.Speed(load, prefix + load.Backend) is { } speed ? [speed] : []
        : from backend in new ReportView(run).Passed.Where(scenario => scenario.ThroughputPerSecond is not null).GroupBy(scenario => scenario.Backend)
          let fastest = backend
              .OrderByDescending(scenario => scenario.Family == ScenarioFamilies.SignalRoundtrip)
              .ThenByDescending(scenario => scenario.ThroughputPerSecond).First()
          let serial = backend.FirstOrDefault(scenario => scenario.Tier == Tiers.Latency)
          select new ReportSpeed(
              prefix + backend.Key, fastest.Name, ReportBuilder.Load(fastest), fastest.ThroughputPerSecond!.Value,
              fastest.ResponseTime.P50Ms, fastest.ResponseTime.P99Ms, serial?.ResponseTime.P50Ms);

    private static IEnumerable<ReportLimit> Limits(string prefix, RunResult run, ReportLoadTest? load) => load is not null
        ? LoadAnswers.Limit(load, prefix + load.Backend) is { } limit ? [limit] : []
        : from backend in LimitAnalysis.Of(run).GroupBy(finding => finding.Scenario.Backend)
          let finding = LimitAnalysis.Strongest(backend)
          select new ReportLimit(prefix + backend.Key, LimitFinding.Sentence(finding.Limit), finding.Evidence, finding.Scenario.Name);

    private static string Change(RunComparison comparison)
    {
        int Count(Verdict verdict) => comparison.With(verdict).Count();
        var withdrawn = Count(Verdict.GeneratorLimited) + Count(Verdict.NotComparable) + Count(Verdict.NotMeasured);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"Of {comparison.Scenarios.Sum(scenario => scenario.Metrics.Count):#,0} metrics against {comparison.Base} {Count(Verdict.Regressed):#,0} are slower or more expensive, {Count(Verdict.Improved):#,0} faster or cheaper, {Count(Verdict.Same):#,0} the same{(Count(Verdict.Changed) is > 0 and var changed ? Invariant($", {changed:#,0} changed without better or worse") : "")}; {Count(Verdict.Unstable):#,0} are inconclusive and {withdrawn:#,0} can't be compared.");
    }

    private static Verdict Gravest(RunComparison comparison) => ((Verdict[])[Verdict.Regressed, Verdict.Improved, Verdict.Same, Verdict.Unstable, Verdict.NotComparable])
        .FirstOrDefault(verdict => comparison.With(verdict).Any(), Verdict.NotMeasured);

    private static string Prefix(int runs, RunResult run) => runs == 1 ? "" : $"{ReportBuilder.Name(run)}: ";
}
