namespace Serdica.Perf.Measurement.Tests;

/// <summary>A run with the reference's own numbers, with all that a database can tell, and in memory beside it.</summary>
internal static class ReferenceSizedRun
{
    public static DatabaseDescription Memory { get; } =
        new()
        {
            Backend = "in-memory",
            Product = "Memory of this process",
            Source = DatabaseDescription.InProcess,
            Durability = Durability.NotDurable,
        };

    public static RunResult Whole { get; } =
        Of(
            [SampleRun.Database, Memory],
            Measured("signal-roundtrip-latency-serial", "WorkflowPerfLatency", ScenarioFamilies.SignalRoundtrip, 16, 1, 1, 32) with
            {
                Phases = SampleRun.Serial.Phases,
            },
            Measured(
                "signal-roundtrip-throughput-parallel",
                "WorkflowPerfThroughput",
                ScenarioFamilies.SignalRoundtrip,
                96,
                16,
                8,
                1_200
            ) with
            { Phases = SampleRun.Serial.Phases },
            Measured("signal-roundtrip-capacity-c1", "WorkflowPerfCapacity", ScenarioFamilies.SignalRoundtrip, 16, 1, 8, 20),
            Measured("signal-roundtrip-capacity-c4", "WorkflowPerfCapacity", ScenarioFamilies.SignalRoundtrip, 64, 4, 8, 40),
            Measured("signal-roundtrip-capacity-c16", "WorkflowPerfCapacity", ScenarioFamilies.SignalRoundtrip, 256, 16, 8, 150) with
            {
                ServiceTime = SampleRun.Latency(256, 8),
                ResponseTime = SampleRun.Latency(256, 8),
            },
            Measured("immediate-burst-smoke", "WorkflowPerfSmoke", ScenarioFamilies.Transport, 24, 1, 8, 12),
            Measured("bulstrad-quote-or-apl-cancel-smoke", "WorkflowPerfSmoke", ScenarioFamilies.BusinessFlow, 10, 4, 8, 9),
            Measured("signal-roundtrip-soak", "WorkflowPerfSoak", ScenarioFamilies.SignalRoundtrip, 108, 8, 8, 200),
            InMemory(
                Measured("signal-roundtrip-throughput-parallel", "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip, 96, 16, 8, 120)
            )
        );

    public static RunResult MemoryOnly { get; } =
        Of(
            [Memory],
            InMemory(
                Measured("signal-roundtrip-throughput-parallel", "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip, 96, 16, 8, 120)
            )
        );

    /// <summary>Ten times the operations in ten times the time, which is enough for the figures of repeats and levels.</summary>
    public static ScenarioResult Longer(ScenarioResult scenario) =>
        scenario with
        {
            Counts = new() { Started = 10 * scenario.Counts.Started, Completed = 10 * scenario.Counts.Completed },
            DurationMs = 10 * scenario.DurationMs,
        };

    public static ScenarioResult Measured(
        string scenario,
        string tier,
        string family,
        int operations,
        int concurrency,
        int workers,
        double durationMs
    ) =>
        SampleRun.Scenario(scenario, tier, family) with
        {
            Parameters = new()
            {
                Operations = operations,
                Concurrency = concurrency,
                Workers = workers,
                Load = concurrency == 1 && workers == 1 ? LoadModel.Serial : LoadModel.Wave,
            },
            Counts = new() { Started = operations, Completed = operations },
            DurationMs = durationMs,
            ServiceTime = SampleRun.Latency(operations, 2.5),
            ResponseTime = SampleRun.Latency(operations, 2.5),
            EngineMetrics = new Metrics
            {
                [MetricNames.EngineCpu] = MetricValue.Of(0.4 * durationMs, "ms"),
                [MetricNames.MachineCpu] = MetricValue.Of(0.9 * durationMs, "ms"),
            },
            DatabaseMetrics = new Metrics
            {
                [MetricNames.Commits] = MetricValue.Missing("The server tells it up to 1 s late."),
                [MetricNames.WritingCommits] = MetricValue.Of(3 * operations),
                [MetricNames.WalBytes] = MetricValue.Of(1_300 * operations, "bytes"),
                [MetricNames.LogicalReads] = MetricValue.Of(90 * operations),
                [MetricNames.DatabaseCpu] = MetricValue.Of(0.35 * durationMs, "ms"),
            },
            CostPerOperation = new Metrics
            {
                [MetricNames.WritingCommits] = MetricValue.Of(3),
                [MetricNames.WalBytes] = MetricValue.Of(1_300, "bytes"),
                [MetricNames.LogicalReads] = MetricValue.Of(90),
                [MetricNames.DatabaseCpu] = MetricValue.Of(0.35 * durationMs / operations, "ms"),
                [MetricNames.EngineCpu] = MetricValue.Of(0.4 * durationMs / operations, "ms"),
            },
            TopWaits =
            [
                new("IO", "WALSync", 900 * durationMs, (long)durationMs),
                new("CPU", "CPU", 300 * durationMs, (long)durationMs / 3),
                new("LWLock", "WALWrite", 150 * durationMs, (long)durationMs / 6),
                new("Client", "ClientRead", 4_000 * durationMs, (long)durationMs * 4),
            ],
        };

    private static ScenarioResult InMemory(ScenarioResult scenario) =>
        scenario with
        {
            Name = $"in-memory-{scenario.Scenario}",
            Backend = "in-memory",
            DatabaseMetrics = new Metrics(),
            CostPerOperation = new Metrics { [MetricNames.EngineCpu] = scenario.CostPerOperation[MetricNames.EngineCpu] },
            TopWaits = [],
        };

    private static RunResult Of(IReadOnlyList<DatabaseDescription> databases, params ScenarioResult[] scenarios) =>
        SampleRun.Aborted with
        {
            Status = RunStatus.Passed,
            StatusReason = null,
            Command = "serdica-perf run --tier all",
            Databases = databases,
            Scenarios = scenarios,
            Warnings = WarningAnalysis.Of(SampleRun.Environment, databases, scenarios),
            NotMeasured = [],
        };
}
