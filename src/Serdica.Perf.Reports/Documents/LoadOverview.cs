namespace Serdica.Perf.Reports.Documents;

/// <summary>Puts the steps of a load test on one time axis.</summary>
internal static class LoadOverview
{
    /// <summary>Null of a run that is none.</summary>
    public static ReportLoadTest? Of(RunArtifacts artifacts) =>
        artifacts.LoadTest is { } load ? Of(artifacts, load)
        : artifacts.QueueTest is { } queue ? Of(artifacts, queue)
        : null;

    private static ReportLoadTest Of(RunArtifacts artifacts, LoadTestResult test)
    {
        // A step that was broken off has no result; its samples are there.
        LoadStep? Declared(LoadPhase phase) => test.Profile.Steps.FirstOrDefault(step => step.Title == phase.Step);
        var windows = LoadMarks
            .Measured(test.Phases)
            .Select(phase => (Begin: phase.FromSeconds, Name: Declared(phase)?.Name ?? phase.Step, Declared(phase)?.Repeat))
            .Select(step => new SampleWindow(
                step.Begin,
                artifacts.Samples($"{test.Backend}-{test.Profile.Name}-{step.Name}", step.Repeat ?? 1)
            ))
            .ToArray();
        var rates = new LoadRates("target", "completed");
        foreach (var (phase, window) in LoadMarks.Measured(test.Phases).Zip(windows))
        {
            var step = test.Steps.FirstOrDefault(step => step.Name == phase.Step);
            var target = step?.TargetPerSecond ?? Declared(phase)?.PerSecond;
            var scenario = step is null ? null : artifacts.Run.Scenarios.FirstOrDefault(step.IsOf);
            if (scenario?.Timeline is { } timeline)
                rates.Add(phase.FromSeconds, target, timeline, scenario.DurationMs / 1000);
            else
                rates.Add(phase.FromSeconds, target, window.Samples);
        }

        return new()
        {
            Run = ReportBuilder.Name(artifacts.Run),
            Name = test.Profile.Name,
            Backend = test.Backend,
            Operation = OperationWords.Of(test.Profile),
            Verdict = test.Verdict,
            Found = test.Found,
            Steps = [.. test.Steps.Select(step => Step(step, artifacts.Run.Scenarios.FirstOrDefault(step.IsOf)))],
            Marks = [.. LoadMarks.Of(test).Concat(windows.SelectMany(SampleCurves.Events)).OrderBy(mark => mark.FromSeconds)],
            Rates = rates.Curves("P99 of the response time"),
            Curves = SampleCurves.Of(windows),
        };
    }

    private static ReportLoadTest Of(RunArtifacts artifacts, QueueTestResult test)
    {
        var phase = LoadMarks.Measured(test.Phases).FirstOrDefault();
        var begin = phase?.FromSeconds ?? 0;
        var scenario = artifacts.Run.Scenarios.FirstOrDefault(test.IsOf);
        var window = new SampleWindow(begin, scenario is null ? [] : artifacts.Samples(scenario));
        var rates = new LoadRates("throttle", "written", test.Plan.Copies > 1 ? "copies read" : "read");
        if (test.Intervals.Count > 0)
            rates.Add(begin, test.Plan.PerSecond, test.Intervals);
        return new()
        {
            Run = ReportBuilder.Name(artifacts.Run),
            Name = "bare queue",
            Backend = test.Backend,
            Operation = OperationWords.OfQueue,
            Verdict = test.Verdict,
            Steps =
            [
                new()
                {
                    Name = phase?.Step ?? "queue",
                    Verdict = test.Verdict,
                    Reasons = test.Reasons,
                    TargetPerSecond = test.Plan.PerSecond,
                    StartedPerSecond = test.WrittenPerSecond,
                    // A message is complete when each subscriber has read its copy.
                    CompletedPerSecond = test.ShownReadPerSecond / test.Plan.Copies,
                    Response = test.EndToEnd.Shown(),
                    Hosts = test.Hosts,
                    LimitedBy = test.LimitedBy,
                    LimitEvidence = test.LimitEvidence,
                    Measured = scenario,
                },
            ],
            Marks = [.. test.Phases.Select(LoadMarks.Of).Concat(SampleCurves.Events(window)).OrderBy(mark => mark.FromSeconds)],
            Rates = rates.Curves("P99 from the write to the removal"),
            Curves = SampleCurves.Of([window]),
        };
    }

    private static ReportLoadStep Step(StepResult step, ScenarioResult? measured) =>
        new()
        {
            Name = step.Name,
            Verdict = step.Verdict,
            Reasons = step.Reasons,
            TargetPerSecond = step.TargetPerSecond,
            StartedPerSecond = step.StartedPerSecond,
            CompletedPerSecond = step.ShownPerSecond,
            Response = step.Response.Shown(),
            Failed = step.Counts.Failed,
            Late = step.Counts.Late,
            Dropped = step.Counts.Dropped,
            DrainSeconds = step.DrainSeconds,
            Kinds =
            [
                .. step.Kinds.Select(kind => new ReportKind(
                    kind.Name,
                    kind.Started,
                    kind.Completed,
                    kind.Failed,
                    kind.ShownPerSecond,
                    kind.Response.Shown()
                )),
            ],
            Thresholds = step.Thresholds,
            Hosts = step.Hosts,
            LimitedBy = step.LimitedBy,
            LimitEvidence = step.LimitEvidence,
            Measured = measured,
        };
}
