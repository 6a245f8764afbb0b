namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class WarningAnalysisTests
{
    private static readonly ScenarioResult Steady = SampleRun.Serial with
    {
        Counts = new() { Started = 5_000, Completed = 5_000 },
        ServiceTime = SampleRun.Latency(5_000, 1),
        Timeline = new() { IntervalMs = 1_000, Intervals = [], TailRatio = 1 },
    };

    [Fact]
    public void A_sound_run_has_no_warning() => Assert.Empty(WarningAnalysis.Of(SampleRun.Environment, [SampleRun.Database], [Steady]));

    [Fact]
    public void A_debug_build_of_either_is_found()
    {
        var runtime = SampleRun.Environment.Runtime;

        Assert.Equal(WarningCodes.DebugBuild, Assert.Single(DebugBuild.Of(runtime with { EntryConfiguration = "Debug" })).Code);
        Assert.Equal(WarningCodes.DebugBuild, Assert.Single(DebugBuild.Of(runtime with { SuiteConfiguration = "Debug" })).Code);
    }

    [Fact]
    public void A_debugger_is_found() => Assert.Single(DebuggerAttached.Of(SampleRun.Environment.Runtime with { DebuggerAttached = true }));

    [Fact]
    public void A_load_above_the_cores_is_found_and_one_that_is_equal_is_not()
    {
        Assert.Contains(
            "3.5 on 2 cores",
            Assert.Single(BusyMachine.Before(SampleRun.Environment with { LoadAverageAtStart = 3.5 })).Sentence
        );
        Assert.Empty(BusyMachine.Before(SampleRun.Environment with { LoadAverageAtStart = 2 }));
        Assert.Empty(BusyMachine.Before(SampleRun.Environment with { LoadAverageAtStart = null }));
    }

    [Theory]
    [InlineData(Durability.Unknown, "did not report")]
    [InlineData(Durability.NotDurable, "is not durable")]
    [InlineData(Durability.LossOnCrash, "may lose")]
    public void Durability_below_durable_is_found(Durability durability, string words) =>
        Assert.Contains(words, Assert.Single(WeakDurability.Of(SampleRun.Database with { Durability = durability })).Sentence);

    [Fact]
    public void A_backend_without_a_database_is_not_asked_for_durability() => Assert.Empty(WeakDurability.Of(ReferenceSizedRun.Memory));

    [Fact]
    public void A_machine_is_never_less_busy_than_its_parts_and_a_count_that_says_so_is_found()
    {
        // The long soak of 2026-11-21: 0.68 and 0.62 of the parts, 0.97 of the machine.
        var use = new ProcessorUse { Available = 2, MachineCores = 2, Engine = 0.68, Database = 0.62, Counted = 0.97 };

        Assert.Equal((1.30, 0), (use.Machine!.Value, use.Others!.Value));
        Assert.Contains("counted 0.97 busy cores", Assert.Single(ProcessorsUndercounted.Of(Steady, use)).Sentence);
        Assert.Single(ProcessorsUndercounted.Of(Steady, use with { Counted = 1.19 }));
        Assert.Empty(ProcessorsUndercounted.Of(Steady, use with { Counted = 1.21 }));
        Assert.Empty(ProcessorsUndercounted.Of(Steady, use with { Counted = null }));
    }

    /// <summary>The figures of the same long soak, by the way of every run.</summary>
    [Fact]
    public void An_undercounted_machine_is_among_the_warnings_of_a_run()
    {
        var counted = Steady with
        {
            DurationMs = 10_000,
            EngineMetrics = new Metrics
            {
                [MetricNames.EngineCpu] = MetricValue.Of(6_800, "ms"),
                [MetricNames.MachineCpu] = MetricValue.Of(9_700, "ms"),
            },
            DatabaseMetrics = new Metrics { [MetricNames.DatabaseCpu] = MetricValue.Of(6_200, "ms") },
            Drain = null,
        };

        var warning = Assert.Single(
            WarningAnalysis.Of(SampleRun.Environment, [SampleRun.Database], [counted]),
            warning => warning.Code == WarningCodes.ProcessorsUndercounted
        );

        Assert.Equal(counted.Name, warning.Scenario);
    }

    [Theory]
    [InlineData(1.15, 0)]
    [InlineData(1.25, 1)]
    public void Others_that_use_more_than_a_tenth_of_the_cores_are_found(double machine, int warnings)
    {
        var use = new ProcessorUse { Available = 1, MachineCores = 2, Engine = 0.5, Database = 0.5, Counted = machine };

        Assert.Equal(warnings, BusyMachine.During(Steady, use).Count());
        Assert.Empty(BusyMachine.During(Steady, use with { Database = null }));
        Assert.Empty(BusyMachine.During(Steady, null));
    }

    [Theory]
    [InlineData(1.79, 0)]
    [InlineData(1.8, 1)]
    public void Engine_and_generator_that_take_all_they_may_are_found(double engine, int warnings) =>
        Assert.Equal(warnings, HarnessLimited.Of(Steady, new ProcessorUse { Available = 2, MachineCores = 4, Engine = engine }).Count());

    [Fact]
    public void A_slow_database_with_a_punctual_generator_is_not_limited_by_its_generator()
    {
        // All callers were busy: arrivals waited for seconds, and some for too long.
        var slow = Lagging(generatorMs: 1, scheduleMs: 4_000) with
        {
            Counts = new() { Started = 5_000, Completed = 5_000, Late = 4_900, Dropped = 100 },
        };

        Assert.Equal([WarningCodes.LoadNotHeld], Codes(slow));
    }

    [Fact]
    public void A_generator_that_is_late_by_itself_is_the_limit() =>
        Assert.Equal([WarningCodes.GeneratorLimited], Codes(Lagging(generatorMs: 40, scheduleMs: 50)));

    [Fact]
    public void Milliseconds_of_the_generator_limit_nothing_where_arrivals_wait_for_seconds() =>
        Assert.Empty(Codes(Lagging(generatorMs: 40, scheduleMs: 4_000)));

    [Fact]
    public void A_closed_load_has_no_schedule_that_its_generator_could_miss() =>
        Assert.Empty(
            Codes(Lagging(generatorMs: 40, scheduleMs: 0) with { Parameters = Steady.Parameters with { Load = LoadModel.Closed } })
        );

    private static IEnumerable<string> Codes(ScenarioResult scenario) =>
        WarningAnalysis.Of(SampleRun.Environment, [SampleRun.Database], [scenario]).Select(warning => warning.Code);

    private static ScenarioResult Lagging(double generatorMs, double scheduleMs) =>
        Steady with
        {
            Parameters = Steady.Parameters with { Load = LoadModel.Open },
            GeneratorLag = SampleRun.Latency(5_000, generatorMs),
            Phases = new Dictionary<string, LatencySummary> { [PhaseNames.ScheduleLag] = SampleRun.Latency(5_000, scheduleMs) },
        };

    [Theory]
    [InlineData("tmpfs")]
    [InlineData("ramfs")]
    public void Data_in_memory_is_found(string kind) =>
        Assert.Contains(kind, Assert.Single(MemoryFileSystem.Of(SampleRun.Database with { DataFileSystem = kind })).Sentence);

    [Theory]
    [InlineData(9, "p90, p95, p99, p99.9:")]
    [InlineData(99, "for p99, p99.9:")]
    [InlineData(100, "for p99.9:")]
    public void Too_few_samples_for_a_percentile_are_found(long samples, string percentiles)
    {
        var warning = Assert.Single(FewSamples.Of(Steady with { ServiceTime = SampleRun.Latency(samples, 1) }));

        Assert.Contains($"{samples} samples", warning.Sentence);
        Assert.Contains(percentiles, warning.Sentence);
        Assert.Equal(Steady.Name, warning.Scenario);
    }

    [Fact]
    public void Repeats_of_a_scenario_give_one_warning_and_failed_ones_none()
    {
        var few = Steady with { ServiceTime = SampleRun.Latency(50, 1) };

        Assert.Single(WarningAnalysis.Of(SampleRun.Environment, [], [few, few]));
        Assert.Empty(WarningAnalysis.Of(SampleRun.Environment, [], [few with { Status = ScenarioStatus.Failed }]));
        var inMemory = Lagging(40, 50) with { Backend = ReferenceSizedRun.Memory.Backend, ServiceTime = few.ServiceTime };
        Assert.Empty(WarningAnalysis.Of(SampleRun.Environment, [ReferenceSizedRun.Memory], [Steady, inMemory]));
    }

    [Fact]
    public void A_scenario_without_any_sample_has_no_percentile_to_warn_of() =>
        Assert.Empty(FewSamples.Of(Steady with { ServiceTime = new() }));

    [Theory]
    [InlineData(0.89, 1)]
    [InlineData(0.9, 0)]
    [InlineData(1.11, 0)]
    [InlineData(1.12, 1)]
    public void A_run_that_slows_down_or_speeds_up_is_found(double tailRatio, int warnings) =>
        Assert.Equal(warnings, NoSteadyState.Of(Steady with { Timeline = Steady.Timeline! with { TailRatio = tailRatio } }).Count());

    [Theory]
    [InlineData(20, 1)]
    [InlineData(19, 0)]
    public void A_run_of_which_nothing_completed_at_first_is_found(int intervals, int warnings)
    {
        var silent = Steady.Timeline! with
        {
            TailRatio = null,
            Intervals = [.. Range(0, intervals).Select(second => new TimelineInterval(second * 1_000, 100, 100, 1))],
        };

        var found = NoSteadyState.Of(Steady with { Timeline = silent });

        Assert.Equal(warnings, found.Count(warning => warning.Sentence.Contains("nothing completed in its first tenth, so")));
    }

    [Fact]
    public void A_short_run_is_not_asked_for_a_steady_state() =>
        Assert.Empty(
            NoSteadyState.Of(
                Steady with { Counts = new() { Started = 1_000, Completed = 999 }, Timeline = Steady.Timeline! with { TailRatio = 0.5 } }
            )
        );

    [Fact]
    public void What_should_not_grow_in_a_soak_and_does_is_found_and_what_may_is_not()
    {
        var warning = Assert.Single(UnwelcomeTrends.Of(SampleRun.Soak));

        Assert.Equal((WarningCodes.RisingTrend, SampleRun.Soak.Name), (warning.Code, warning.Scenario));
        Assert.Equal(
            "postgresql-long-soak: deadRows was rising by 120.00 a minute (99 % confidence: 80.00 to 150.00) over 600 s.",
            warning.Sentence
        );
    }

    [Fact]
    public void Throughput_that_falls_in_a_soak_is_found()
    {
        var series = new SoakSeries("throughput", "op/s", TrendVerdict.Falling, SampleRun.Trend(TrendVerdict.Falling, -5, -8, -2), null);

        var warning = Assert.Single(UnwelcomeTrends.Of(SampleRun.Soak with { Soak = SampleRun.Soak.Soak! with { Series = [series] } }));

        Assert.Equal(WarningCodes.FallingTrend, warning.Code);
    }

    [Theory]
    [InlineData(10, 0, 0)]
    [InlineData(11, 0, 1)]
    [InlineData(0, 1, 1)]
    public void A_rate_that_was_not_held_is_found(long late, long dropped, int warnings)
    {
        var counts = new OperationCounts { Started = 1_000, Completed = 900, Late = late, Dropped = dropped };

        var found = LoadNotHeld.Of(Steady with { Counts = counts }).ToArray();

        Assert.Equal(warnings, found.Length);
        var sentence = $"of {1_000 + dropped:#,0} arrivals {late} started late and {dropped} never";
        Assert.All(found, warning => Assert.Contains(sentence, warning.Sentence));
    }
}
