namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class LimitAnalysisTests
{
    private const string Name = "signal-roundtrip-throughput-parallel";

    /// <summary>Microseconds of the measured window of <see cref="Scenario"/>.</summary>
    private const double Window = 2_000_000;

    [Fact]
    public void The_log_is_the_limit_when_sessions_mostly_wait_for_it() => Expect(Limit.LogFlush, With("IO", "WALSync"), "85 %");

    [Fact]
    public void Locks_are_the_limit_when_sessions_mostly_wait_for_them() => Expect(Limit.Contention, With("Lock", "transactionid"), "85 %");

    [Fact]
    public void Data_are_the_limit_when_sessions_mostly_read_them() =>
        Expect(Limit.Storage, Scenario() with { TopWaits = [new("IO", "DataFileRead", 3_400_000, 340)] }, "100 %");

    [Fact]
    public void Generator_that_limited_another_scenario_limits_none_beside_it()
    {
        var run = Run(With("IO", "WALSync")) with { Warnings = [new(WarningCodes.GeneratorLimited, "It was late.", "another")] };
        Assert.Equal(Limit.LogFlush, Assert.Single(LimitAnalysis.Of(run)).Limit);
    }

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
        Expect(Limit.Others, Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.45, database: 0.47), "others 0.98");

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
        Expect(Limit.LogFlush, scenario with { Counts = scenario.Counts with { Late = 51 } }, "85 %");
        Expect(Limit.Schedule, scenario with { Counts = scenario.Counts with { Late = 50 } }, "No sign of saturation");
    }

    [Fact]
    public void A_database_that_used_all_processors_that_it_may_use_is_at_its_limit_on_a_machine_that_is_not()
    {
        var scenario = Cpu(With("IO", "WALSync"), machine: 1.5, engine: 0.5, database: 0.97);
        var run = Run(scenario);
        DatabaseDescription[] Bound(string cpus) =>
            [
                .. run.Databases.Select(database =>
                    database with { Settings = new Dictionary<string, string> { [ServerSizes.BoundProcessors] = cpus } }
                ),
            ];

        var finding = Assert.Single(LimitAnalysis.Of(run with { Databases = Bound("1") }));

        Assert.Equal(Limit.DatabaseProcessors, finding.Limit);
        Assert.StartsWith("The database used 0.97 of the 1 core that it may use", finding.Evidence);
        Assert.Equal(Limit.LogFlush, Assert.Single(LimitAnalysis.Of(run with { Databases = Bound("2") })).Limit);
    }

    [Fact]
    public void Processors_that_are_full_are_evidence_of_themselves() =>
        Expect(Limit.Processors, Open(Cpu(With("IO", "WALSync"), machine: 1.9, engine: 0.9, database: 0.8)), "1.90 of 2 cores");

    [Fact]
    public void Idle_sessions_are_no_wait() =>
        Expect(
            Limit.LogFlush,
            With("IO", "WALSync") with { TopWaits = [.. With("IO", "WALSync").TopWaits, new("Client", "ClientRead", 50_000_000, 5_000)] },
            "85 %"
        );

    [Fact]
    public void Running_sessions_with_free_processors_point_to_statements() =>
        Expect(Limit.Statements, With("CPU", "CPU"), "processors were free");

    /// <summary>A million round trips of 64 callers on the build machine, 2026-11-23: 1.33 of 2 cores were busy.</summary>
    [Fact]
    public void Half_of_a_short_time_on_the_log_is_no_limit_of_a_closed_load()
    {
        var kept = Cpu(Closed(Waits(sessions: 0.51, log: 0.51, samples: 6_982)), machine: 1.33, engine: 0.75, database: 0.54);

        Expect(Limit.Unknown, kept, "51 % of the active time of the engine's sessions (0.51 at a time, 6,982 samples) was spent on");
        Expect(Limit.Unknown, kept, "by 0.26 of them at a time: that does not show a limit. 1.33 of 2 cores were busy: ");
    }

    [Fact]
    public void A_log_that_many_sessions_wait_for_is_no_limit_while_it_is_seldom_flushed()
    {
        // Sixteen sessions that share each flush wait for it together, a tenth of the time.
        var bunched = Flushing(Closed(Waits(sessions: 1.8, log: 0.9, samples: 5_000)), share: 0.1);

        Expect(Limit.Unknown, bunched, "was spent on the log, which was flushed for 10 % of the time: that does not show a limit.");
    }

    /// <summary>A disk that takes 5 ms for a flush: one flush after the other, and callers who wait for them.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData(0.94)]
    public void A_throttled_disk_is_the_limit(double? flushing)
    {
        var throttled = Cpu(Closed(Waits(sessions: 1.9, log: 0.96, samples: 3_000)), machine: 0.4, engine: 0.2, database: 0.1);

        Expect(
            Limit.LogFlush,
            flushing is { } share ? Flushing(throttled, share) : throttled,
            "96 % of the active time of the engine's sessions (1.90 at a time, 3,000 samples) was spent on the log. A flushed write takes"
        );
    }

    /// <summary>With two standard errors of a share of one half, 6,982 samples can be wrong by 0.012 and 225 by 0.067.</summary>
    [Theory]
    [InlineData(0.51, 6_982, nameof(Limit.Unknown))]
    [InlineData(0.52, 6_982, nameof(Limit.LogFlush))]
    [InlineData(0.56, 225, nameof(Limit.Unknown))]
    [InlineData(0.58, 225, nameof(Limit.LogFlush))]
    public void A_share_must_surely_be_half(double log, long samples, string expected) =>
        Expect(
            Enum.Parse<Limit>(expected),
            Closed(Waits(sessions: 2, log, samples)),
            expected == nameof(Limit.Unknown) ? "on the log, which may be less than half of it." : "was spent on the log."
        );

    [Theory]
    [InlineData(0.84, nameof(Limit.Unknown))]
    [InlineData(0.86, nameof(Limit.LogFlush))]
    public void A_closed_load_is_limited_by_what_is_busy_nearly_always(double flushing, string expected) =>
        Expect(
            Enum.Parse<Limit>(expected),
            Flushing(Closed(Waits(sessions: 1.5, log: 0.9, samples: 5_000)), flushing),
            "90 % of the active time"
        );

    [Theory]
    [InlineData(0.49, nameof(Limit.Unknown))]
    [InlineData(0.51, nameof(Limit.LogFlush))]
    public void An_open_load_that_is_saturated_is_limited_by_what_is_busy_for_most_of_the_time(double flushing, string expected) =>
        Expect(
            Enum.Parse<Limit>(expected),
            Open(Flushing(Waits(sessions: 1, log: 0.7, samples: 5_000), flushing)) with { Saturation = "The backlog grew." },
            "70 % of the active time"
        );

    [Fact]
    public void Flushes_of_all_repeats_count_together()
    {
        ScenarioResult Repeat(int number, double flushing)
        {
            var repeat = Flushing(Closed(Waits(sessions: 1.5, log: 0.9, samples: 5_000)), flushing);
            return repeat with { Parameters = repeat.Parameters with { Repeat = number } };
        }

        var run = Run(Repeat(1, 0.9)) with { Scenarios = [Repeat(1, 0.9), Repeat(2, 0.1), Repeat(3, 0.2)] };

        Assert.Matches(
            "flushed for 40 % of the time.* flushed 2,500 times a second, once for 1.0 operations",
            Assert.Single(LimitAnalysis.Of(run)).Evidence
        );
    }

    [Fact]
    public void Sessions_that_seldom_run_are_no_limit_although_they_do_nothing_else()
    {
        // 256 callers, the same day: 63 % of 0.61 sessions ran.
        var seldom = Closed(Scenario()) with
        {
            TopWaits = [new("CPU", "CPU", 0.63 * 0.61 * Window, 5_228), new("IO", "WALSync", 0.37 * 0.61 * Window, 3_071)],
        };

        Expect(Limit.Unknown, seldom, "running, while processors were free, by 0.38 of them at a time");
    }

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

        var repeats = Range(1, 5).Select(Brief).ToArray();

        Assert.Equal(Limit.Unknown, Assert.Single(LimitAnalysis.Of(Run(repeats[0]))).Limit);
        var finding = Assert.Single(LimitAnalysis.Of(Run(repeats[0]) with { Scenarios = repeats }));
        Assert.Equal((Limit.LogFlush, 150L, 1.0), (finding.Limit, finding.Waits!.Count, finding.Processors!.Machine!.Value));
        Assert.Contains(finding.Scenario, repeats);
    }

    [Fact]
    public void No_waits_and_a_short_window_give_no_verdict() =>
        Expect(
            Limit.Unknown,
            Scenario() with { DurationMs = 64, TopWaits = [] },
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
    public void Arrivals_of_the_repeats_that_passed_count_together()
    {
        static ScenarioResult Repeat(int arrivals, string? saturation = null) =>
            Scenario() with
            {
                Counts = new() { Started = arrivals, Late = arrivals + 1, Dropped = arrivals + 2 },
                Drain = new(10),
                Saturation = saturation,
            };
        var typical = Repeat(10);
        var failed = Repeat(400) with { Status = ScenarioStatus.Failed, Saturation = "It failed." };

        var pooled = PooledRepeats.Of(typical, [failed, typical, Repeat(20, "The backlog grew."), Repeat(800) with { Name = "another" }]);

        Assert.Equal((30, 32, 34), (pooled.Counts.Started, pooled.Counts.Late, pooled.Counts.Dropped));
        Assert.Equal((2 * typical.DurationMs, 20, "The backlog grew."), (pooled.DurationMs, pooled.Drain!.DurationMs, pooled.Saturation));
        Assert.Same(typical, PooledRepeats.Of(typical, [failed, typical]));
    }

    /// <summary>Each stands before one that has all that counts less.</summary>
    [Theory]
    [InlineData(Limit.Schedule, false, "parts", 1, Limit.Unknown, true, ScenarioFamilies.SignalRoundtrip, 2)]
    [InlineData(Limit.LogFlush, false, "parts", 1, Limit.Schedule, true, ScenarioFamilies.SignalRoundtrip, 2)]
    [InlineData(Limit.LogFlush, true, "parts", 1, Limit.Storage, false, ScenarioFamilies.SignalRoundtrip, 2)]
    [InlineData(Limit.LogFlush, true, ScenarioFamilies.SignalRoundtrip, 1, Limit.Storage, true, "parts", 2)]
    [InlineData(Limit.LogFlush, true, "parts", 2, Limit.Storage, true, "parts", 1)]
    public void Strongest_finding_stands_for_the_backend(
        object limit,
        bool processors,
        string family,
        int speed,
        object otherLimit,
        bool otherProcessors,
        string otherFamily,
        int otherSpeed
    )
    {
        var use = ProcessorUse.Of(SampleRun.Environment, [SampleRun.Database], Scenario());
        LimitFinding Finding(object limit, bool processors, string family, int speed) =>
            new(Scenario() with { Family = family, DurationMs = 10.0 / speed }, (Limit)limit, "", processors ? use : null, null);
        var strongest = Finding(limit, processors, family, speed);
        var other = Finding(otherLimit, otherProcessors, otherFamily, otherSpeed);

        Assert.Same(strongest, LimitAnalysis.Strongest([other, strongest]));
        Assert.Same(strongest, LimitAnalysis.Strongest([strongest, other]));
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void What_a_server_elsewhere_used_fills_no_processors_of_this_machine(bool isElsewhere, bool isFull)
    {
        var scenario = Cpu(Scenario(), machine: 1.1, engine: 1, database: 3);

        var use = ProcessorUse.Of(SampleRun.Environment, [SampleRun.Database with { IsElsewhere = isElsewhere }], scenario)!;

        Assert.Equal((isFull, isElsewhere), (use.IsFull(), use.Database is null));
    }

    private static void Expect(Limit limit, ScenarioResult scenario, string words)
    {
        var finding = Assert.Single(LimitAnalysis.Of(Run(scenario)));

        Assert.Equal(limit, finding.Limit);
        Assert.Contains(words, finding.Evidence);
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
        scenario with { Parameters = scenario.Parameters with { Load = LoadModel.Open } };

    private static ScenarioResult Closed(ScenarioResult scenario) =>
        scenario with { Parameters = scenario.Parameters with { Load = LoadModel.Closed } };

    /// <summary>Active sessions that wait for the log or for data.</summary>
    /// <param name="log">The share of their time on the log.</param>
    /// <param name="samples">All samples.</param>
    private static ScenarioResult Waits(double sessions, double log, long samples)
    {
        var onLog = (long)Math.Round(log * samples);
        return Scenario() with
        {
            TopWaits =
            [
                new("IO", "WALSync", log * sessions * Window, onLog),
                new("IO", "DataFileRead", (1 - log) * sessions * Window, samples - onLog),
            ],
        };
    }

    /// <summary>The server reports that flushes of the log took this share of the window.</summary>
    private static ScenarioResult Flushing(ScenarioResult scenario, double share) =>
        scenario with
        {
            DatabaseMetrics = new Metrics(scenario.DatabaseMetrics)
            {
                [MetricNames.WalSyncTime] = MetricValue.Of(share * scenario.DurationMs, "ms"),
                [MetricNames.WalSyncs] = MetricValue.Of(share * 12_500),
            },
        };

    /// <summary>85 % of the time of two sessions in one wait.</summary>
    private static ScenarioResult With(string waitClass, string wait) =>
        Scenario() with { TopWaits = [new(waitClass, wait, 3_400_000, 340), new("IO", "DataFileRead", 600_000, 60)] };

    private static ScenarioResult Cpu(ScenarioResult scenario, double machine, double engine, double? database) =>
        scenario with
        {
            EngineMetrics = new Metrics
            {
                [MetricNames.EngineCpu] = MetricValue.Of(engine * scenario.DurationMs, "ms"),
                [MetricNames.MachineCpu] = MetricValue.Of(machine * scenario.DurationMs, "ms"),
            },
            DatabaseMetrics = new Metrics
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
