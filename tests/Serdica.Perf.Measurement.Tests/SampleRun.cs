namespace Serdica.Perf.Measurement.Tests;

/// <summary>A run with something in every part of it.</summary>
internal static class SampleRun
{
    public const string ConnectionString =
        "Host=127.0.0.1;Port=5433;Database=perf;Username=alice;Password=s3cret-Pa55;Maximum Pool Size=20";

    public static EnvironmentFingerprint Environment { get; } =
        new()
        {
            Machine = new()
            {
                MachineName = "perf-lab-1",
                CpuModel = "AMD EPYC 7B13",
                LogicalCores = 2,
                MemoryBytes = 25_769_803_776,
                CgroupCpuLimit = 1.5,
                CgroupMemoryLimitBytes = 8_589_934_592,
                OperatingSystem = "Debian GNU/Linux 12 (bookworm)",
                Kernel = "6.1.0",
                Architecture = "X64",
                InContainer = true,
            },
            Runtime = new()
            {
                DotNetVersion = "10.0.1",
                ServerGc = false,
                ConcurrentGc = true,
                AvailableProcessors = 2,
                EntryConfiguration = "Release",
                SuiteConfiguration = "Release",
                DebuggerAttached = false,
            },
            Source = new() { Commit = "0123456789abcdef0123456789abcdef01234567", Dirty = true, InformationalVersion = "0.1.0" },
            ReadAt = new(2026, 3, 17, 9, 59, 58, TimeSpan.Zero),
            Labels = new Dictionary<string, string> { ["region"] = "eu-central-1", ["disk"] = "gp3, 3000 IOPS | local" },
            LoadAverageAtStart = 0.25,
            LoadAverageAtEnd = 1.75,
            Fsync = new(8192, 1234.5, "ext4", Latency(2_400, 0.8)),
        };

    public static DatabaseDescription Database { get; } =
        new()
        {
            Backend = "postgresql",
            Product = "PostgreSQL",
            Version = "15.14",
            Source = "local",
            Connection = ConnectionString,
            Durability = Durability.Durable,
            DataFileSystem = "ext4",
            Settings = new Dictionary<string, string> { ["fsync"] = "on", ["synchronous_commit"] = "on" },
            Capabilities = ["wake-up: notify"],
        };

    public static ScenarioResult Serial { get; } =
        Scenario("signal-roundtrip-latency-serial", "WorkflowPerfLatency", ScenarioFamilies.SignalRoundtrip) with
        {
            Phases = new Dictionary<string, LatencySummary>
            {
                [PhaseNames.Start] = Latency(16, 1.1),
                [PhaseNames.SignalPublish] = Latency(16, 0.9),
                [PhaseNames.SignalToCompletion] = Latency(16, 1.5),
            },
        };

    /// <summary>A soak in which dead rows grow, tables may grow, and a figure was not available.</summary>
    public static ScenarioResult Soak { get; } =
        Scenario("long-soak", "WorkflowPerfSoak", ScenarioFamilies.SignalRoundtrip) with
        {
            Parameters = new()
            {
                Operations = 0,
                DurationSeconds = 600,
                Concurrency = 64,
                Workers = 8,
                Load = LoadModel.Open,
                PayloadBytes = 256,
                Options = ArrivalText.Options(ArrivalPattern.Poisson, seed: 1),
            },
            Counts = new() { Started = 3_360_000, Completed = 3_360_000, Late = 1_200 },
            DurationMs = 600_012.5,
            LatencyToDrain = null,
            Soak = new()
            {
                MaximumPerSecond = 8_000,
                Utilisation = 0.7,
                OfferedPerSecond = 5_600,
                Intervals =
                [
                    new(
                        0,
                        60.001,
                        336_000,
                        5_599.9,
                        14.5,
                        new Dictionary<string, double> { ["deadRows"] = 900, ["tableBytes"] = 104_857_600 }
                    ),
                    new(60.001, 59.999, 336_000, 5_600.1, null, new Dictionary<string, double> { ["tableBytes"] = 209_715_200 }),
                ],
                Series =
                [
                    new("throughput", "op/s", TrendVerdict.Falling, Trend(TrendVerdict.NotDifferentFromZero, 0.5, -1, 2), null),
                    new("p99", "ms", TrendVerdict.Rising, new() { Verdict = TrendVerdict.TooFew, Confidence = 0.99, Points = 1 }, null),
                    new("deadRows", null, TrendVerdict.Rising, Trend(TrendVerdict.Rising, 120, 80, 150), null),
                    new("connections", null, TrendVerdict.Rising, null, "The server's statistics have no 'connections'."),
                    new("tableBytes", "bytes", null, Trend(TrendVerdict.Rising, 104_857_600, 100_000_000, 110_000_000), null),
                    new(
                        "workingSet",
                        "bytes",
                        TrendVerdict.Rising,
                        new() { Verdict = TrendVerdict.NotDifferentFromZero, Slope = 52_428.8, Confidence = 0.99, Points = 10 },
                        null
                    ),
                ],
            },
        };

    private static Timeline Steady { get; } =
        new() { IntervalMs = 31.25, Intervals = [new(0, 8, 256, 3.5), new(31.25, 8, 256, null)], TailRatio = 0.97, WorstP99Ms = 3.5 };

    public static CapacityLadder Ladder { get; } =
        CapacityLadders.Of(
            "postgresql",
            LoadModel.Closed,
            [(1, 530, 2.9), (4, 1_700, 3.6), (16, 3_900, 6.5), (64, 8_100, 12.4), (256, 8_300, 51), (1024, 7_900, 210)]
        );

    public static RunResult Passed { get; } =
        Run(
            RunStatus.Passed,
            Serial,
            Long(
                Scenario("signal-roundtrip-throughput-parallel", "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip, repeat: 1)
            ) with
            {
                Phases = new Dictionary<string, LatencySummary> { [PhaseNames.Start] = Latency(16, 2) },
                Timeline = Steady,
                Histograms = new Dictionary<string, string> { [PhaseNames.ServiceTime] = "histograms/a.serviceTime.json" },
                DatabaseMetrics = new Metrics
                {
                    ["commits"] = MetricValue.Of(48),
                    ["walBytes"] = MetricValue.Of(11_200, "bytes"),
                    ["cpuTime"] = MetricValue.Missing("PostgreSQL has no such figure."),
                },
                EngineMetrics = new Metrics { ["peakWorkingSet"] = MetricValue.Of(52_428_800, "bytes") },
                CostPerOperation = new Metrics
                {
                    ["writingCommits"] = MetricValue.Of(3),
                    ["walBytes"] = MetricValue.Of(700, "bytes"),
                    ["engineCpu"] = MetricValue.Of(0.125, "ms"),
                    ["databaseCpu"] = MetricValue.Of(0.25, "ms"),
                    ["rowsTouched"] = MetricValue.Of(4),
                    ["logicalReads"] = MetricValue.Of(32.5),
                    ["roundTrips"] = MetricValue.Of(1.5),
                },
                TopWaits =
                [
                    new("IO", "WALSync", 9_000, 9),
                    new("LWLock", "WALWrite", 4_000, 4),
                    new("CPU", "running", 3_000, 3),
                    new("Client", "ClientRead", 2_000, 2),
                    new("Lock", "transactionid", 1_000, 1),
                    new("IO", "DataFileRead", 1_000, 1),
                ],
                TopStatements = [new("insert into `signal` select $1 | $2", 16, 24, 32, 4_096)],
                Collectors = new()
                {
                    Samples = 3,
                    Skipped = 1,
                    Failed = 1,
                    Error = "The server went away.",
                    TimeMs = 0.64,
                    CpuMs = 0.25,
                    ShareOfProcessors = 0.002,
                    ShareOfWindow = 0.01,
                },
            },
            Long(
                Scenario("signal-roundtrip-throughput-parallel", "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip, repeat: 2)
            ) with
            {
                DurationMs = 7_200,
                Timeline = Steady,
                WaitsMissing = "track_activities is off.",
                StatementsMissing = "The extension is not there.",
            },
            Scenario("delayed-burst-smoke", "WorkflowPerfSmoke", ScenarioFamilies.Transport) with
            {
                Lateness = Latency(16, 0.4),
                Timeline = Steady with { TailRatio = null },
            },
            Scenario("bulstrad-quote-or-apl-cancel-smoke", "WorkflowPerfSmoke", ScenarioFamilies.BusinessFlow),
            Scenario("poison-signal", "WorkflowPerfNightly", ScenarioFamilies.Resilience) with
            {
                Intended = new(DeadLetters: 4, HandlerFailures: 20),
            },
            Scenario("timer-wheel", "WorkflowPerfNightly", ScenarioFamilies.Timers) with { Lateness = Latency(16, 1.2) }
        );

    public static RunResult Failed { get; } =
        Run(
            RunStatus.Failed,
            Serial,
            Scenario("immediate-burst-smoke", "WorkflowPerfSmoke", ScenarioFamilies.Transport) with
            {
                Status = ScenarioStatus.Failed,
                FailureReasons = ["One signal was dead-lettered: attempts | exhausted."],
                Counts = new() { Started = 16, Completed = 15, DeadLettered = 1 },
                Verification = [new("no dead letter", false, "0", "1"), new("counts balance", true, "16", "16")],
            }
        ) with
        { StatusReason = "1 of 2 scenarios failed: postgresql-immediate-burst-smoke." };

    /// <summary>The second of two repeats lost a signal.</summary>
    public static RunResult OneRepeatFailed { get; } =
        Run(
            RunStatus.Failed,
            Scenario("parallel", "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip),
            Scenario("parallel", "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip, repeat: 2) with
            {
                Status = ScenarioStatus.Failed,
                FailureReasons = ["One signal was dead-lettered."],
                Counts = new() { Started = 16, Completed = 15, Failed = 1, DeadLettered = 1 },
            }
        ) with
        { StatusReason = "1 of 2 scenarios failed: postgresql-parallel." };

    public static RunResult Aborted { get; } = Run(RunStatus.Aborted) with { StatusReason = "Stopped by Ctrl-C." };

    /// <summary>A step of 10 s with 64 slots.</summary>
    public static ScenarioResult LoadStep(string name) =>
        Scenario(name, "load", ScenarioFamilies.Load) with
        {
            Parameters = new()
            {
                Operations = 0,
                DurationSeconds = 10,
                Concurrency = 64,
                Workers = 2,
                Load = LoadModel.Open,
                PayloadBytes = 256,
            },
            DurationMs = 10_000,
        };

    public static ScenarioResult Scenario(string scenario, string tier, string family, int repeat = 1) =>
        new()
        {
            Name = $"postgresql-{scenario}",
            Status = ScenarioStatus.Passed,
            Scenario = scenario,
            Backend = "postgresql",
            Tier = tier,
            Family = family,
            Description = "A scenario of the tests.",
            Parameters = new()
            {
                Operations = 16,
                Concurrency = 1,
                Workers = 8,
                Load = LoadModel.Wave,
                PayloadBytes = 256,
                Repeat = repeat,
            },
            DefinitionHash = "d1",
            Counts = new() { Started = 16, Completed = 16 },
            WarmUp = new(8, 12.5, WarmUpEnd.Steady),
            DurationMs = 64,
            ServiceTime = Latency(16, 2.5),
            ResponseTime = Latency(16, 2.75),
            LatencyToDrain = Latency(16, 40),
            Drain = new(3.25),
            Verification = (VerificationCheck[])[new("counts balance", true, "16", "16")],
        };

    /// <summary>A hundred times the operations at the same rate, which is enough for every figure.</summary>
    private static ScenarioResult Long(ScenarioResult scenario) =>
        scenario with
        {
            Parameters = scenario.Parameters with { Operations = 1_600 },
            Counts = new() { Started = 1_600, Completed = 1_600 },
            DurationMs = 6_400,
            ServiceTime = Latency(1_600, 2.5),
            ResponseTime = Latency(1_600, 2.75),
        };

    public static LatencySummary Latency(long count, double averageMs) =>
        new()
        {
            Count = count,
            AverageMs = averageMs,
            MinMs = averageMs / 2,
            P50Ms = averageMs,
            P90Ms = averageMs * 2,
            P95Ms = averageMs * 3,
            P99Ms = averageMs * 4,
            P99Point9Ms = averageMs * 5,
            MaxMs = averageMs * 1000,
        };

    public static Trend Trend(TrendVerdict verdict, double slope, double low, double high) =>
        new() { Verdict = verdict, Slope = slope, Low = low, High = high, Confidence = 0.99, Points = 10 };

    private static RunResult Run(RunStatus status, params ScenarioResult[] scenarios) =>
        new()
        {
            Status = status,
            RunId = "20260317T100000Z-postgresql-smoke",
            StartedAt = new(2026, 3, 17, 10, 0, 0, TimeSpan.Zero),
            FinishedAt = new(2026, 3, 17, 10, 2, 40, TimeSpan.Zero),
            Command = "serdica-perf run --backend postgresql --tier smoke --name \"a+b\"",
            Environment = Environment,
            Databases = [Database],
            Warnings = WarningAnalysis.Of(Environment, [Database], scenarios),
            Scenarios = scenarios,
            Repeats = RepeatSummary.Of(scenarios),
            NotMeasured = [new("oracle-aq", "The Oracle driver is turned off: its package does not restore from the configured feed.")],
        };
}
