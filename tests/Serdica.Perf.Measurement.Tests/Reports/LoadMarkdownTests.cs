namespace Serdica.Perf.Measurement.Tests.Reports;

/// <summary>A test of two steps: one passed on a quiet server, one failed while the log was the limit.</summary>
public sealed class LoadMarkdownTests
{
    private static readonly LoadProfile Profile = new()
    {
        Name = "orders",
        Description = "A load of the tests.",
        Steps =
        [new() { Name = "low", Kind = LoadKind.Open, PerSecond = 100 }, new() { Name = "high", Kind = LoadKind.Open, PerSecond = 2_000 }],
    };

    private static readonly IReadOnlyList<EngineSettingValue> Engine = EngineSettings.Values(
        EngineSettings.Options(Profile.Workers, Profile.Engine)
    );

    private static readonly StepResult Low = SampleStep.Good with
    {
        Name = "low",
        Scenario = "postgresql-orders-low",
        Response = SampleRun.Latency(1_000, 3),
        Service = SampleRun.Latency(1_000, 2.9),
        ScheduleLag = SampleRun.Latency(1_000, 0.1),
        GeneratorLag = SampleRun.Latency(1_000, 0.1),
        QueueTime = SampleRun.Latency(1_000, 0.7),
        CommitsPerOperation = 2.9,
    };

    [Fact]
    public void A_load_test_reads_as_its_golden_file()
    {
        using var text = new StringWriter();

        LoadMarkdown.Write(text, Test, Run, Engine);

        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/load.md", text.ToString());
    }

    [Fact]
    public void What_a_search_has_tried_is_not_called_untried()
    {
        using var text = new StringWriter();
        var pattern = new LoadStep { Name = "rate", Kind = LoadKind.Open, Duration = FromSeconds(10) };

        LoadMarkdown.Write(
            text,
            Test with
            {
                Profile = Profile with { Steps = [pattern] },
                Found = new(800, 1_000, true, "800/s held."),
                Steps =
                [
                    Low with { TargetPerSecond = 1_000, Verdict = StepVerdict.Failed },
                    Low with { TargetPerSecond = 800, PlannedSeconds = 30 },
                ],
            },
            Run,
            Engine
        );

        Assert.Contains("Not tried: more than 1,000.0/s, steps longer than 30.00 s, ", text.ToString());
    }

    [Fact]
    public void First_candidate_to_run_out_of_memory_comes_first_with_its_spike()
    {
        using var text = new StringWriter();
        static ResourceFigures Uses(string component, double max, double average) =>
            new() { Component = component, Samples = 10, Memory = new(max * (1 << 20), max * (1 << 20), average * (1 << 20)) };
        var step = Low with
        {
            Resources = [Uses(ResourceFigures.Engine, 100, 95), Uses("database", 600, 400), Uses(ResourceFigures.Total, 700, 495)],
        };

        LoadMarkdown.Write(text, Test with { Steps = [step] }, Run, Engine);

        var rows = text.ToString()
            .Split("## Memory")[1]
            .Split('\n')
            .Where(line => line.StartsWith("| low"))
            .Select(line => string.Join(' ', line.Split(' ', RemoveEmptyEntries)));
        Assert.Collection(
            rows,
            row => Assert.StartsWith("| low | database | yes | 1 | 600 | ", row),
            row => Assert.StartsWith("| low | engine and generator | no | 2 | 100 | ", row)
        );
    }

    [Fact]
    public void Each_host_process_has_a_row()
    {
        using var text = new StringWriter();
        static HostFigures Host(int number) =>
            new()
            {
                Number = number,
                ProcessId = 4_000 + number,
                CpuMs = 1_500,
                WorkingSetBytes = 90 << 20,
                PeakWorkingSetBytes = 96 << 20,
                Connections = 4,
                Clock = number == 1 ? new() { AheadMs = -0.75, UncertaintyMs = 0.25 } : null,
                Counters = new() { Batches = 70, EmptyClaims = 5, Signals = 720, Conflicts = 2 },
            };

        LoadMarkdown.Write(
            text,
            Test with { Hosts = 2, Steps = [Low with { Hosts = [Host(1), Host(2)], EmptyClaimsPerOperation = 0.01 }] },
            Run,
            Engine
        );

        var rows = text.ToString()
            .Split('\n')
            .Where(line => line.StartsWith("| low  | "))
            .Select(line => string.Join(' ', line.Split(' ', RemoveEmptyEntries)))
            .ToArray();
        Assert.Contains("| low | host 1 | 4001 | 1.50 | 90 | 96 | 4 | -0.75 ± 0.25 | 720 | 0 | 70 | 5 | 2 | 0 |", rows);
        Assert.Contains("| low | host 2 | 4002 | 1.50 | 90 | 96 | 4 | – | 720 | 0 | 70 | 5 | 2 | 0 |", rows);
        Assert.Contains("2 of each host", text.ToString());
        Assert.Contains("none in the process of the generator", text.ToString());
        Assert.Contains("Empty claims/op", text.ToString());
    }

    [Fact]
    public void Late_operations_alone_do_not_make_the_generator_the_limit_of_a_step()
    {
        var late = Run.Scenarios[1] with
        {
            Counts = new() { Started = 20_000, Completed = 20_000, Late = 19_000 },
            Status = ScenarioStatus.Passed,
        };
        var run = Run with { Scenarios = [late], Warnings = WarningAnalysis.Of(Run.Environment, Run.Databases, [late]) };

        var (layer, _) = LimitingLayer.Of(run, late, Test.Steps[1] with { MaxUsers = 10_000 }, Profile, shape: null);

        Assert.Equal("the flush of the log that makes commits durable", layer);
    }

    [Fact]
    public void Users_that_were_all_busy_while_the_database_had_little_to_do_are_the_limit()
    {
        var idle = Measured("high", 5_000, new("IO", "WALSync", 300_000, 200), new("CPU", "running", 100_000, 60));
        var run = Run with { Scenarios = [idle], Warnings = WarningAnalysis.Of(Run.Environment, Run.Databases, [idle]) };
        var step = Test.Steps[1] with { MaxUsers = 64, PeakUsers = 64 };
        (string Layer, string Evidence) Of(StepResult judged) => LimitingLayer.Of(run, idle, judged, Profile, shape: null);

        var (layer, evidence) = Of(step);
        Assert.Equal("configured limit: callers", layer);
        Assert.StartsWith(
            "All 64 callers were busy while arrivals waited. On average 0.04 sessions of the engine were active in the database. ",
            evidence
        );
        Assert.Equal("unknown", Of(step with { PeakUsers = 63 }).Layer);
        Assert.Equal("unknown", Of(step with { Counts = step.Counts with { Late = 0 } }).Layer);
        Assert.Equal(layer, Of(step with { Counts = step.Counts with { Late = 0, Dropped = 1 } }).Layer);
    }

    /// <summary>Ten slots of 20 ms can do 250 operations a second of two instances each.</summary>
    [Theory]
    [InlineData(237.5, true)]
    [InlineData(237.4, false)]
    public void Slots_are_the_limit_from_nearly_all_that_they_can_do(double offered, bool slots)
    {
        var shape = new WorkShape { ActivityDelay = FromMilliseconds(20), FanOut = 2 };
        var step = Test.Steps[1] with { OfferedPerSecond = offered, GeneratorLimited = true };

        var (layer, _) = LimitingLayer.Of(Run, Run.Scenarios[1], step, Profile with { Slots = 10 }, shape);

        Assert.Equal(slots ? "configured limit: slots" : "generator", layer);
    }

    [Fact]
    public void Where_the_store_is_memory_no_database_is_judged()
    {
        using var text = new StringWriter();

        LoadMarkdown.Write(text, Test, Run with { Databases = [SampleRun.Database with { Source = "in-process" }] }, Engine);

        Assert.DoesNotContain("The database by itself", text.ToString());
    }

    [Fact]
    public void Arrivals_are_named_by_step_where_they_differ_and_left_out_where_nothing_arrives()
    {
        string Text(LoadProfile profile)
        {
            using var text = new StringWriter();
            LoadMarkdown.Write(text, Test with { Profile = profile }, Run, Engine);
            return text.ToString();
        }

        LoadStep[] mixed = [Profile.Steps[0] with { Arrivals = ArrivalPattern.Uniform }, Profile.Steps[1]];
        LoadStep[] closed = [.. Profile.Steps.Select(step => step with { Kind = LoadKind.Closed })];

        Assert.Matches(
            @"\| Arrivals +\| uniform in low; poisson in high +\|\n\| Seed +\| 7 +\|",
            Text(Profile with { Steps = mixed, Seed = 7 })
        );
        Assert.DoesNotMatch(@"\| (Arrivals|Seed) +\|", Text(Profile with { Steps = closed }));
    }

    private static LoadTestResult Test { get; } =
        new()
        {
            Verdict = StepVerdict.Failed,
            RunId = SampleRun.Passed.RunId,
            StartedAt = SampleRun.Passed.StartedAt,
            Backend = "postgresql",
            Profile = Profile,
            GeneratorCeilingPerSecond = 1_450_000,
            Steps =
            [
                Low,
                Low with
                {
                    Name = "high",
                    Scenario = "postgresql-orders-high",
                    Verdict = StepVerdict.Failed,
                    Reasons = ["The p99 of the response time was 40.6 ms; the objective is 25 ms."],
                    Saturation = "The backlog grew.",
                    LimitedBy = "the flush of the log that makes commits durable",
                    LimitEvidence = "It had 65 %.",
                    Response = SampleRun.Latency(20_000, 10),
                    Counts = new() { Offered = 20_000, Started = 20_000, Completed = 19_990, Failed = 10, Running = 0, Late = 7 },
                    Errors =
                    [
                        new()
                        {
                            Operation = "signal",
                            Kind = "PostgresException 53300",
                            Count = 10,
                            FirstMessage = "too many clients",
                            FirstAtSeconds = 3.5,
                            IsRefusal = true,
                        },
                    ],
                },
            ],
            Command = "serdica-perf load --rate 100,2000",
        };

    private static RunResult Run { get; } =
        SampleRun.Passed with
        {
            Scenarios =
            [
                Measured("low", 5_000, new("IO", "WALSync", 300_000, 40), new("CPU", "running", 100_000, 20)) with
                {
                    DatabaseMetrics = new Metrics
                    {
                        [MetricNames.DatabaseCpu] = MetricValue.Of(1_000, "ms"),
                        [MetricNames.Vacuums] = MetricValue.Of(0),
                        [MetricNames.Autovacuums] = MetricValue.Of(0),
                        [MetricNames.Checkpoints] = MetricValue.Of(0),
                    },
                },
                Measured(
                    "high",
                    15_000,
                    new("IO", "WALSync", 8_000_000, 900),
                    new("CPU", "running", 4_000_000, 450),
                    new("LWLock", "BufferContent", 90_000, 9)
                ) with
                {
                    Status = ScenarioStatus.Failed,
                    DatabaseMetrics = new Metrics
                    {
                        [MetricNames.DatabaseCpu] = MetricValue.Of(7_800, "ms"),
                        [MetricNames.Vacuums] = MetricValue.Of(1),
                        [MetricNames.Autovacuums] = MetricValue.Of(2),
                        [MetricNames.Checkpoints] = MetricValue.Missing("Not told."),
                    },
                },
            ],
        };

    private static ScenarioResult Measured(string step, double machineCpuMs, params ServerWait[] waits) =>
        SampleRun.LoadStep($"orders-{step}") with
        {
            EngineMetrics = new Metrics
            {
                [MetricNames.EngineCpu] = MetricValue.Of(machineCpuMs * 0.4, "ms"),
                [MetricNames.MachineCpu] = MetricValue.Of(machineCpuMs, "ms"),
                [MetricNames.CollectionPause] = MetricValue.Of(machineCpuMs * 0.04, "ms"),
            },
            TopWaits = waits,
        };
}
