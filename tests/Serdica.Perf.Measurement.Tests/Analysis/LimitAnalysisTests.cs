using Serdica.Perf.Analysis.Capacity;
using Serdica.Perf.Analysis.Limits;
using Serdica.Perf.Analysis.Warnings;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class LimitAnalysisTests
{
    private const string Name = "signal-roundtrip-throughput-parallel";

    [Fact]
    public void The_log_is_the_limit_when_sessions_mostly_wait_for_it() => Expect(Limit.LogFlush, With("IO", "WALSync"), "85 %");

    [Fact]
    public void Locks_are_the_limit_when_sessions_mostly_wait_for_them() => Expect(Limit.Contention, With("Lock", "transactionid"), "85 %");

    [Fact]
    public void Busy_processors_are_the_limit_whatever_is_waited_for() =>
        Expect(
            Limit.Processors,
            Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.9, database: 0.8),
            "1.90 of 2 cores were busy: engine and load generator 0.90, database 0.80, others 0.20."
        );

    [Fact]
    public void Processors_that_the_database_s_share_is_not_known_of_are_not_split() =>
        Expect(Limit.Processors, Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.9, database: null), "not distinguished");

    [Fact]
    public void Processors_that_others_use_most_of_are_no_limit_of_the_database() =>
        Expect(Limit.Others, Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.4, database: 0.4), "others 1.10");

    [Fact]
    public void On_a_busy_machine_processors_that_are_not_told_apart_give_no_verdict()
    {
        var run = Run(Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.9, database: null));

        var finding = Assert.Single(LimitAnalysis.Of(run with { Warnings = [new(WarningCodes.BusyMachine, "Others were there.")] }));

        Assert.Equal(Limit.Unknown, finding.Limit);
    }

    [Fact]
    public void A_database_with_little_to_do_is_not_the_limit() =>
        Expect(Limit.Callers, Scenario() with { TopWaits = [new("IO", "WALSync", 600_000, 150)] }, "0.30 sessions");

    [Fact]
    public void A_rate_that_was_held_is_limited_by_its_schedule_whatever_its_sessions_waited_for()
    {
        // 2,000/s of a machine that held 19,005/s: 71 % of 1.08 sessions on the log, 1.58 of 2 cores.
        var held = Open(Cpu(With("IO", "WALSync"), machine: 1.58, engine: 0.82, database: 0.71));

        Expect(Limit.Schedule, held, "No sign of saturation");
        Expect(Limit.Schedule, held, "1.58 of 2 cores were busy");
    }

    [Fact]
    public void A_rate_that_was_not_held_is_limited_by_what_its_sessions_waited_for()
    {
        var scenario = Open(With("IO", "WALSync"));

        Expect(Limit.LogFlush, scenario with { Saturation = "The backlog grew." }, "The backlog grew.");
        Expect(Limit.LogFlush, scenario with { Counts = scenario.Counts with { Dropped = 5 } }, "85 %");
        Expect(Limit.LogFlush, scenario with { Counts = scenario.Counts with { Late = scenario.Counts.Started / 10 } }, "85 %");
    }

    [Fact]
    public void A_database_that_used_all_processors_that_it_may_use_is_at_its_limit_on_a_machine_that_is_not()
    {
        var scenario = Cpu(With("IO", "WALSync"), machine: 1.5, engine: 0.5, database: 0.97);
        var run = Run(scenario);
        DatabaseDescription[] Bound(string cpus) =>
            [
                .. run.Databases.Select(database =>
                    database with
                    {
                        Settings = new Dictionary<string, string> { [ServerSizes.BoundProcessors] = cpus },
                    }
                ),
            ];

        var finding = Assert.Single(LimitAnalysis.Of(run with { Databases = Bound("1") }));

        Assert.Equal(Limit.DatabaseProcessors, finding.Limit);
        Assert.StartsWith("The database used 0.97 of the 1 cores that it may use", finding.Evidence, StringComparison.Ordinal);
        Assert.Equal(Limit.LogFlush, Assert.Single(LimitAnalysis.Of(run with { Databases = Bound("2") })).Limit);
    }

    [Fact]
    public void Processors_that_are_full_are_evidence_of_themselves() =>
        Expect(Limit.Processors, Open(Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.9, database: 0.8)), "1.90 of 2 cores");

    [Fact]
    public void Idle_sessions_are_no_wait() =>
        Expect(
            Limit.LogFlush,
            With("IO", "WALSync") with
            {
                TopWaits = [.. With("IO", "WALSync").TopWaits, new("Client", "ClientRead", 50_000_000, 5_000)],
            },
            "85 %"
        );

    [Fact]
    public void Running_sessions_with_free_processors_point_to_statements() =>
        Expect(Limit.Statements, With("CPU", "CPU"), "processors were free");

    [Fact]
    public void Too_few_samples_give_no_verdict() =>
        Expect(Limit.Unknown, Scenario() with { TopWaits = [new("IO", "WALSync", 9_000_000, 99)] }, "99 samples of waits are too few");

    [Fact]
    public void Repeats_that_are_too_short_alone_are_evidence_together()
    {
        // As the ladder of baseline 11: a repeat of 0.12 s has a dozen samples, and five of them have enough.
        ScenarioResult Brief(int number)
        {
            var brief = Cpu(Scenario() with { DurationMs = 120 }, machine: 1, engine: 0.5, database: 0.4);
            return brief with
            {
                Parameters = brief.Parameters with { Repeat = number },
                TopWaits = [new("IO", "WALSync", 200_000, 25), new("CPU", "CPU", 40_000, 5)],
            };
        }

        var repeats = Enumerable.Range(1, 5).Select(Brief).ToArray();

        Assert.Equal(Limit.Unknown, Assert.Single(LimitAnalysis.Of(Run(repeats[0]))).Limit);
        var finding = Assert.Single(LimitAnalysis.Of(Run(repeats[0]) with { Scenarios = repeats }));
        Assert.Equal((Limit.LogFlush, 150L, 1.0), (finding.Limit, finding.Waits!.Count, finding.Processors!.Machine!.Value));
        Assert.Contains(finding.Scenario, repeats);
    }

    [Fact]
    public void No_waits_and_a_short_window_give_no_verdict() =>
        Expect(
            Limit.Unknown,
            Scenario() with
            {
                DurationMs = 64,
                TopWaits = [],
            },
            "the window lasted 64 ms, too short to say who used the processors, and the server reported no waits"
        );

    [Fact]
    public void Waits_of_many_kinds_give_no_verdict() =>
        Expect(
            Limit.Unknown,
            Scenario() with
            {
                TopWaits =
                [
                    new("IO", "WALSync", 900_000, 200),
                    new("Lock", "tuple", 800_000, 200),
                    new("IO", "DataFileRead", 800_000, 200),
                ],
            },
            "No kind had half of the active time of the engine's sessions (1.25 at a time, 600 samples): log flush 36 %, locks 32 %, "
                + "storage 32 %; 1.00 of"
        );

    [Fact]
    public void A_limited_generator_is_the_limit()
    {
        var scenario = Cpu(With("IO", "WALSync"), machine: 1.5, engine: 1.4, database: 0.1);

        Expect(Limit.Harness, scenario, "they used 1.40 of 1.5 cores");
    }

    [Fact]
    public void Serial_delayed_failed_and_in_memory_measurements_are_not_judged()
    {
        var serial = Scenario() with { Parameters = Scenario().Parameters with { Load = LoadModel.Serial } };
        var failed = Scenario() with { Status = ScenarioStatus.Failed };
        var delayed = Scenario() with { Lateness = SampleRun.Latency(16, 1) };
        var inMemory = Scenario() with { Backend = "in-memory" };

        Assert.All([serial, failed, delayed, inMemory], scenario => Assert.Empty(LimitAnalysis.Of(Run(scenario))));
    }

    [Fact]
    public void A_known_limit_stands_for_the_backend_before_an_unknown_one_that_is_faster()
    {
        var known = new LimitFinding(Scenario(), Limit.LogFlush, "", null, null);
        var unknown = new LimitFinding(Scenario() with { DurationMs = 10 }, Limit.Unknown, "", null, null);

        Assert.Equal(known, LimitAnalysis.Strongest([unknown, known]));
        Assert.Equal(unknown, LimitAnalysis.Strongest([unknown]));
    }

    private static void Expect(Limit limit, ScenarioResult scenario, string words)
    {
        var finding = Assert.Single(LimitAnalysis.Of(Run(scenario)));

        Assert.Equal(limit, finding.Limit);
        Assert.Contains(words, finding.Evidence, StringComparison.Ordinal);
    }

    private static ScenarioResult Scenario() =>
        Cpu(
            ReferenceSizedRun.Measured(Name, "WorkflowPerfThroughput", ScenarioFamilies.SignalRoundtrip, 5_000, 16, 8, 2_000) with
            {
                Drain = new(0),
            },
            machine: 1,
            engine: 0.5,
            database: 0.4
        );

    private static ScenarioResult Open(ScenarioResult scenario) =>
        scenario with
        {
            Parameters = scenario.Parameters with { Load = LoadModel.Open },
        };

    /// <summary>85 % of the time of two sessions in one wait.</summary>
    private static ScenarioResult With(string waitClass, string wait) =>
        Scenario() with
        {
            TopWaits = [new(waitClass, wait, 3_400_000, 340), new("IO", "DataFileRead", 600_000, 60)],
        };

    private static ScenarioResult Cpu(ScenarioResult scenario, double machine, double engine, double? database) =>
        scenario with
        {
            EngineMetrics = new Dictionary<string, MetricValue>
            {
                [MetricNames.EngineCpu] = MetricValue.Of(engine * scenario.DurationMs, "ms"),
                [MetricNames.MachineCpu] = MetricValue.Of(machine * scenario.DurationMs, "ms"),
            },
            DatabaseMetrics = new Dictionary<string, MetricValue>
            {
                [MetricNames.DatabaseCpu] = database is { } cores
                    ? MetricValue.Of(cores * scenario.DurationMs, "ms")
                    : MetricValue.Missing("The server is elsewhere."),
            },
        };

    private static RunResult Run(ScenarioResult scenario) =>
        ReferenceSizedRun.Whole with
        {
            Scenarios = [scenario],
            Warnings = WarningAnalysis.Of(SampleRun.Environment, ReferenceSizedRun.Whole.Databases, [scenario]),
        };
}
