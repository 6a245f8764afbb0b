namespace Serdica.Perf.Reports.Documents;

/// <summary>Makes the <see cref="ReportDocument"/> of one or more runs.</summary>
internal static class ReportBuilder
{
    /// <summary>Points of the line that a law is drawn with.</summary>
    private const int LawPoints = 60;

    /// <param name="runs">One or more, in the order of reading.</param>
    /// <param name="comparison">Of a base with the last of them; null without a base.</param>
    /// <param name="trends">From a history; null without one.</param>
    /// <param name="offer">The last comparable run; null without one. Without a base the run is compared with it.</param>
    /// <exception cref="BaselineException">A histogram of a run folder can't be read.</exception>
    public static ReportDocument Build(
        IReadOnlyList<RunArtifacts> runs,
        RunComparison? comparison = null,
        IReadOnlyList<ReportTrend>? trends = null,
        BaseOffer? offer = null
    )
    {
        var loads = runs.Select(LoadOverview.Of).ToArray();
        var answers = AnswersBuilder.Build([.. runs.Select(run => run.Run).Zip(loads)], comparison, offer);
        return new()
        {
            Title =
                runs.Count == 1
                    ? ReportTitle.Of(runs[0].Run, answers)
                    : $"{runs.Count} runs: {string.Join(", ", runs.Select(run => Name(run.Run)))}",
            Answers = answers,
            Runs = [.. runs.Select(run => Run(run.Run))],
            LoadTests = [.. loads.OfType<ReportLoadTest>()],
            Scenarios = [.. runs.SelectMany(Scenarios)],
            Processes = [.. runs.SelectMany(run => Processes(run.Run, runs.Count > 1))],
            Ladders = [.. runs.SelectMany(run => run.Run.Ladders.Select(ladder => Ladder(run.Run, ladder)))],
            Comparison = comparison ?? offer?.Comparison,
            Trends = trends ?? [],
        };
    }

    /// <summary>The steps of a load test have theirs beside the test.</summary>
    private static IEnumerable<ReportProcess> Processes(RunResult run, bool areSeveral) =>
        from scenario in TypicalRepeat.Of(run.Scenarios)
        where scenario.Tier != Tiers.Load
        from process in ReportProcess.Of(
            areSeveral ? $"{scenario.Name} ({Name(run)})" : scenario.Name,
            scenario.Processes?.Hosts ?? [],
            scenario
        )
        select process;

    internal static string Name(RunResult run) => run.Publication?.Name ?? run.RunId;

    /// <summary>For instance <c>closed load, 256 callers, 2 workers, 20,000 operations</c>.</summary>
    internal static string Load(ScenarioResult scenario)
    {
        var parameters = scenario.Parameters;
        var amount = parameters.DurationSeconds is { } seconds
            ? Figure.Duration(FromSeconds(seconds))
            : Figure.Number(parameters.Operations, "operation") + (scenario.Rounds > 1 ? $" {Figure.Number(scenario.Rounds, "time")}" : "");
        return $"{parameters.Load.ToString().ToLowerInvariant()} load, {Figure.Number(parameters.Concurrency, "caller")}, "
            + $"{Figure.Workers(parameters.Workers, parameters.Hosts)}, {amount}"
            + (ScenarioCells.Way(scenario) is { } way ? $", signals {way}" : "");
    }

    private static ReportRun Run(RunResult run) =>
        new()
        {
            Name = Name(run),
            Status = run.Status,
            StatusReason = run.StatusReason,
            StartedAt = run.StartedAt,
            FinishedAt = run.FinishedAt,
            Command = run.Command,
            Source = SourceWords.Of(run.Environment.Source),
            Environment = run.Environment,
            Databases = run.Databases,
            Warnings = run.Warnings,
            NotMeasured = run.NotMeasured,
            Repeats = run.Repeats,
        };

    private static IEnumerable<ReportScenario> Scenarios(RunArtifacts artifacts)
    {
        var run = artifacts.Run;
        var repeated = run.Repeats.Select(repeat => repeat.Name).ToHashSet();
        var typical = TypicalRepeat.Of(run.Scenarios).ToHashSet(ReferenceEqualityComparer.Instance);
        return run.Scenarios.Select(scenario =>
            Scenario(artifacts, scenario, repeated.Contains(scenario.Name), typical.Contains(scenario)) with
            {
                FailedRepeats = typical.Contains(scenario)
                    ? FailedRepeats([.. run.Scenarios.Where(repeat => repeat.Name == scenario.Name)])
                    : null,
            }
        );
    }

    /// <summary>Null where all repeats end alike: the row of the typical one says it then.</summary>
    private static string? FailedRepeats(IReadOnlyCollection<ScenarioResult> repeats) =>
        repeats.Any(repeat => repeat.FailsTheRun) && repeats.Select(repeat => repeat.Status).Distinct().Count() > 1
            ? $"{ScenarioCells.Outcome(repeats)}: {string.Join(" ", repeats.SelectMany(repeat => repeat.FailureReasons).Distinct())}"
            : null;

    private static ReportScenario Scenario(RunArtifacts artifacts, ScenarioResult scenario, bool isRepeated, bool isTypical)
    {
        var samples = artifacts.Samples(scenario);
        var passed = scenario.Status == ScenarioStatus.Passed;
        // The report shows intervals of a failed load-test step too, because the reader needs to see when it failed.
        var isShown = passed || scenario.Tier == Tiers.Load;
        var intervals = isShown ? artifacts.Intervals(scenario) : null;
        var curves = SampleCurves.Of(samples);
        return new()
        {
            Run = Name(artifacts.Run),
            Name = isRepeated ? $"{scenario.Name} #{scenario.Parameters.Repeat}" : scenario.Name,
            Scenario = scenario.Scenario,
            Backend = scenario.Backend,
            Tier = scenario.Tier,
            Description = scenario.Description,
            Status = scenario.Status,
            DidNotHold = !passed && !scenario.FailsTheRun,
            FailureReasons = scenario.FailureReasons,
            Errors =
            [
                .. scenario.Errors.Select(error => new ReportError(
                    error.Operation,
                    ErrorWords.Of(error.Class),
                    error.Code,
                    error.Count,
                    error.FirstMessage
                )),
            ],
            Load = Load(scenario),
            IsTypical = isTypical,
            Concurrency = scenario.Parameters.Concurrency,
            Operations = scenario.Operations,
            ThroughputPerSecond = scenario.ShownPerSecond,
            DurationMs = scenario.DurationMs,
            DrainMs = scenario.Drain?.DurationMs,
            ResponseTime = ScenarioCells.Trusted(scenario, scenario.ResponseTime),
            Latencies = passed ? Latencies(artifacts, scenario) : [],
            Timeline = isShown && scenario.Timeline is { } timeline ? Timeline(timeline, scenario.DurationMs) : null,
            HeatMap = intervals is null ? null : HeatMap.Of(intervals),
            HeatMapMissing = intervals is null
                ? "Latencies by interval are not in this run: it is a published baseline without raw data, was written by a version that "
                    + "did not keep them, or did not pass."
                : null,
            Marks = [.. SampleCurves.Marks(scenario, samples), .. Faults(artifacts, scenario)],
            Curves = curves,
            CurvesMissing = curves is null ? CurvesMissing(artifacts.Run, samples.Count) : null,
            Waits = Waits(scenario),
            WaitsMissing = scenario.WaitsMissing,
            CostPerOperation = passed ? scenario.CostPerOperation : new Dictionary<string, MetricValue>(),
            Verification = scenario.Verification,
        };
    }

    private static IEnumerable<ReportMark> Faults(RunArtifacts artifacts, ScenarioResult scenario) =>
        artifacts.LoadTest?.Steps.FirstOrDefault(step => step.IsOf(scenario)) is { } step ? LoadMarks.FaultsOf(step) : [];

    private static string CurvesMissing(RunResult run, int samples) =>
        run.Publication is { Samples.Count: 0 } ? "This published baseline has no samples."
        : samples == 0 ? "There are no samples of this window: statistics were turned off, or the scenario ended before it."
        : "The window was shorter than two seconds, and samples are taken once a second: too few for curves.";

    /// <summary>In closed loads response time is service time; shown once.</summary>
    private static IReadOnlyList<ReportLatency> Latencies(RunArtifacts artifacts, ScenarioResult scenario)
    {
        ReportLatency Shape(string phase, LatencySummary summary)
        {
            var shown = summary.Shown();
            if (artifacts.Histogram(scenario, phase) is not { } histogram)
                return new(phase, shown, [], []);
            // With too few samples for the p99, the curve would join single operations.
            return new(phase, shown, shown.P99Ms is null ? [] : LatencyShape.Percentiles(histogram), LatencyShape.Distribution(histogram));
        }

        return
        [
            Shape(PhaseNames.ResponseTime, scenario.ResponseTime),
            .. scenario.ServiceTime == scenario.ResponseTime ? [] : (ReportLatency[])[Shape(PhaseNames.ServiceTime, scenario.ServiceTime)],
            .. scenario.Lateness is { } lateness ? (ReportLatency[])[Shape(PhaseNames.Lateness, lateness)] : [],
            .. scenario.GeneratorLag is { Count: > 0 } lag ? (ReportLatency[])[Shape(PhaseNames.GeneratorLag, lag)] : [],
            .. scenario.Phases.Where(phase => phase.Value.Count > 0).Select(phase => Shape(phase.Key, phase.Value)),
        ];
    }

    private static ReportTimeline Timeline(Timeline timeline, double windowMs)
    {
        var intervals = timeline.WithoutShortEnd(windowMs);
        return new(
            timeline.IntervalMs / 1000,
            [.. intervals.Select(interval => Significant.Of(interval.OffsetMs / 1000))],
            [.. intervals.Select(interval => Significant.Of(interval.PerSecond))],
            [.. intervals.Select(interval => Significant.Of(interval.ShownP99Ms))]
        );
    }

    private static IReadOnlyList<ReportWait> Waits(ScenarioResult scenario)
    {
        var active = WaitCategories.Active(scenario);
        var total = active.Sum(wait => wait.Microseconds);
        return scenario.Counts.Completed == 0 || scenario.Status != ScenarioStatus.Passed || total <= 0
            ? []
            :
            [
                .. active.Select(wait => new ReportWait(
                    ScenarioCells.Words(wait),
                    WaitCategories.Words(WaitCategories.Of(wait)),
                    wait.Microseconds / scenario.Counts.Completed,
                    wait.Microseconds / total
                )),
            ];
    }

    private static ReportLadder Ladder(RunResult run, CapacityLadder ladder)
    {
        var (first, last) = (ladder.Rungs[0].Concurrency, ladder.Rungs[^1].Concurrency);
        var callers = Enumerable.Range(0, LawPoints).Select(point => first * Math.Pow((double)last / first, point / (LawPoints - 1.0)));
        return new(
            Name(run),
            ladder,
            LadderText.SizingNote(ladder),
            LadderText.Fit(ladder),
            ladder.Fit is { } fit
                ? [.. callers.Select(count => (IReadOnlyList<double>)[Significant.Of(count), Significant.Of(fit.ThroughputAt(count))])]
                : []
        );
    }
}
