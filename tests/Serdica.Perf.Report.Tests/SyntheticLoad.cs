using Serdica.Perf.Reports;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Report.Tests;

/// <summary>
/// The folder of a load test that was stopped: a step that passed, one that was given up after errors, and one that was
/// broken off and of which there are only samples.
/// </summary>
internal static class SyntheticLoad
{
    private const string Backend = "postgresql";
    private const int Seconds = 20;

    private static readonly DateTimeOffset Begin = new(2026, 3, 17, 10, 0, 0, TimeSpan.Zero);

    private static readonly LoadProfile Profile = new()
    {
        Name = "ramp",
        Cooldown = FromSeconds(5),
        Steps = [Open("low", 500), Open("high", 5_000), Open("after", 500)],
    };

    /// <param name="isStopped">Whether the third step was broken off; else it is not there at all.</param>
    /// <returns>The run folder.</returns>
    public static string Write(string root, bool isStopped = true, Func<StepResult, StepResult>? change = null)
    {
        var folder = RunFolder.Create(
            root,
            Backend,
            "load-ramp",
            RunManifest.Unfinished(Begin, "serdica-perf load", SyntheticRun.Environment)
        );
        StepResult[] steps =
        [
            Step("low", 500, 500, StepVerdict.Passed) with { Hosts = [Host(1), Host(2)] },
            Step("high", 5_000, 3_100, StepVerdict.Failed) with
            {
                Reasons = ["It started 3,100.0 of 5,000.0 operations a second (62.0 %)."],
                GivenUp = true,
                Errors =
                [new() { Operation = "start", Kind = "TimeoutException", Count = 7, FirstMessage = "late", FirstAtSeconds = 12 }],
                LimitedBy = "the processors of the machine",
                LimitEvidence = "1.9 of 2 cores were busy.",
            },
        ];
        steps = [.. steps.Select(change ?? (step => step))];
        ScenarioResult[] scenarios = [.. steps.Select(Scenario)];
        foreach (
            var (name, perSecond, seconds) in ((string, int, int)[])
                [("low", 500, Seconds), ("high", 3_100, Seconds), .. isStopped ? [("after", 480, 8)] : ((string, int, int)[])[]]
        )
        {
            for (var second = 0; second <= seconds; second++)
                folder.Append(SyntheticRun.Sample($"{Backend}-ramp-{name}", second, perSecond));
        }

        var run = new RunResult
        {
            Status = isStopped ? RunStatus.Aborted : RunStatus.Failed,
            StatusReason = isStopped ? "Stopped by the user." : "1 of 2 scenarios failed: postgresql-ramp-high.",
            RunId = folder.RunId,
            StartedAt = Begin,
            FinishedAt = Begin.AddMinutes(1),
            Command = "serdica-perf load --profile ramp",
            Environment = SyntheticRun.Environment,
            Databases = SyntheticRun.Databases,
            Scenarios = scenarios,
        };
        var test = new LoadTestResult
        {
            Verdict = StepVerdict.Failed,
            RunId = folder.RunId,
            StartedAt = Begin,
            Backend = Backend,
            Profile = Profile,
            Steps = steps,
            Phases = Phases(isStopped),
            Command = run.Command,
        };
        folder.Write(run);
        folder.Write(test);
        RunReports.Write(folder, run, test, engine: []);
        return folder.Path;
    }

    private static LoadStep Open(string name, double perSecond) =>
        new() { Name = name, Kind = LoadKind.Open, PerSecond = perSecond, Duration = FromSeconds(Seconds) };

    internal static HostFigures Host(int number) =>
        new()
        {
            Number = number,
            ProcessId = 4_700 + number,
            CpuMs = 1_500 * number,
            WorkingSetBytes = (90L << 20) + number,
            PeakWorkingSetBytes = 120L << 20,
            Connections = 10 + number,
            Counters = new() { Signals = 5_000, ActivityAttempts = 2_500 },
        };

    private static LoadPhase[] Phases(bool isStopped) =>
        [
            new(LoadPhaseKind.Ceiling, null, 0, 0.3),
            new(LoadPhaseKind.WarmUp, null, 0.3, 4),
            new(LoadPhaseKind.Step, "low", 4, 24),
            new(LoadPhaseKind.Drain, "low", 24, 24.5),
            new(LoadPhaseKind.Cooldown, null, 24.5, 29.5),
            new(LoadPhaseKind.Step, "high", 29.5, 49.5),
            new(LoadPhaseKind.Drain, "high", 49.5, 53),
            .. isStopped
                ? [new(LoadPhaseKind.Cooldown, null, 53, 58), new(LoadPhaseKind.Step, "after", 58, 66, BrokenOff: true)]
                : (LoadPhase[])[],
        ];

    private static StepResult Step(string name, double target, double perSecond, StepVerdict verdict)
    {
        var operations = (long)(perSecond * Seconds);
        var latency = new LatencySummary { Count = operations, AverageMs = 3, P50Ms = 2.5, P99Ms = target / 100, MaxMs = 90 };
        return new()
        {
            Name = name,
            Kind = LoadKind.Open,
            Verdict = verdict,
            Scenario = $"{Backend}-ramp-{name}",
            TargetPerSecond = target,
            OfferedPerSecond = target,
            StartedPerSecond = perSecond,
            CompletedPerSecond = perSecond,
            PlannedSeconds = Seconds,
            ElapsedSeconds = Seconds,
            DrainSeconds = 0.5,
            Counts = new() { Offered = operations, Started = operations, Completed = operations, Failed = 0, Running = 0 },
            Response = latency,
            Service = latency,
            ScheduleLag = LatencySummary.Empty,
            GeneratorLag = LatencySummary.Empty,
            MinUsers = 16,
            PeakUsers = 40,
        };
    }

    private static ScenarioResult Scenario(StepResult step)
    {
        var timeline = new ThroughputTimeline();
        for (var operation = 0; operation < step.Counts.Started; operation++)
            timeline.Record(FromSeconds((operation + 0.5) / step.StartedPerSecond), FromMilliseconds(2 + operation % 5));
        return new()
        {
            Name = step.Scenario,
            Status = step.Verdict == StepVerdict.Failed ? ScenarioStatus.Failed : ScenarioStatus.Passed,
            FailureReasons = step.Reasons,
            Scenario = $"ramp-{step.Name}",
            Backend = Backend,
            Tier = Tiers.Load,
            Family = ScenarioFamilies.Load,
            Description = "A step of the tests.",
            Parameters = new() { Operations = 0, DurationSeconds = Seconds, Concurrency = 40, Workers = 2, Load = LoadModel.Open },
            Counts = new() { Started = step.Counts.Started, Completed = step.Counts.Completed },
            DurationMs = Seconds * 1000,
            ServiceTime = step.Service,
            ResponseTime = step.Response,
            Timeline = timeline.Snapshot(FromSeconds(Seconds)),
        };
    }
}
