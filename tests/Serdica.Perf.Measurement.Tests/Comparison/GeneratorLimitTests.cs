namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>A generator that was the limit spoils the figures of its side, whichever side that is, and of no other.</summary>
public sealed class GeneratorLimitTests
{
    private static readonly RunResult Quick = OpenLoads.Late(
        SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_020),
        0,
        0,
        0
    );
    private static readonly RunResult Slow = OpenLoads.Late(Quick, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30);

    [Fact]
    public void Limited_base_withdraws_times_as_a_limited_candidate_does()
    {
        Assert.Equal((Verdict.GeneratorLimited, "base"), Withdrawn(Slow, Quick));
        Assert.Equal((Verdict.GeneratorLimited, "candidate"), Withdrawn(Quick, Slow));
        Assert.Equal((Verdict.GeneratorLimited, "base"), Withdrawn(Slow, Slow));
        Assert.Equal(Verdict.Same, Throughput(Quick, Quick).Verdict);
    }

    /// <summary>Or a slow base would make any candidate look good.</summary>
    [Fact]
    public void Gate_does_not_hold_by_a_base_whose_generator_was_the_limit()
    {
        var gate = new GateSettings { Relative = [new() { Metric = "p99", WorseBy = 0.25 }] };

        var result = Gate.Judge(gate, RunComparer.Compare(Slow, Quick, gate.Comparison), Quick, new(2026, 11, 21));

        Assert.Equal(GateOutcome.NotJudged, result.Outcome);
        Assert.Contains("limited by the load generator", result.NothingBecause);
    }

    [Fact]
    public void Sentence_names_the_first_repeat_that_was_limited()
    {
        var second = Quick with { Scenarios = [Quick.Scenarios[0], Slow.Scenarios[1], .. Quick.Scenarios.Skip(2)] };

        Assert.StartsWith("Repeat 2 of the candidate was limited", Throughput(Quick, second).Reason);
    }

    [Theory]
    [InlineData(10, 30, 60, false)]
    [InlineData(10.1, 30, 60, true)]
    [InlineData(10.1, 30, 61, false)]
    [InlineData(40, 30, 59, true)]
    public void Generator_is_the_limit_beyond_the_bound_and_for_half_of_all_lateness(double p99, double own, double all, bool limited)
    {
        var step = SampleStep.Good with { GeneratorLag = Lag(p99, own), ScheduleLag = Lag(p99, all) };
        var scenario = Slow.Scenarios[0] with
        {
            GeneratorLag = Lag(p99, own),
            Phases = new Dictionary<string, LatencySummary> { [PhaseNames.ScheduleLag] = Lag(p99, all) },
        };

        Assert.Equal(limited, GeneratorLimit.IsOf(step));
        Assert.Equal(limited, GeneratorLimit.IsOf(scenario));
    }

    /// <summary>Results of older versions have no schedule lag; response time has it beyond the service time.</summary>
    [Theory]
    [InlineData(59, true)]
    [InlineData(61, false)]
    public void Lateness_is_found_from_response_and_service_time_where_it_is_not_kept(double lateness, bool limited)
    {
        var scenario = Slow.Scenarios[0] with
        {
            GeneratorLag = Lag(40, 30),
            ServiceTime = Lag(40, 5),
            ResponseTime = Lag(80, 5 + lateness),
            Phases = new Dictionary<string, LatencySummary>(),
        };

        Assert.Equal(limited, GeneratorLimit.IsOf(scenario));
    }

    [Fact]
    public void Closed_load_and_a_result_without_the_lag_are_never_limited()
    {
        Assert.True(GeneratorLimit.IsOf(Slow.Scenarios[0]));
        Assert.False(GeneratorLimit.IsOf(Slow.Scenarios[0] with { GeneratorLag = null }));
        Assert.False(
            GeneratorLimit.IsOf(Slow.Scenarios[0] with { Parameters = Slow.Scenarios[0].Parameters with { Load = LoadModel.Closed } })
        );
        Assert.False(
            GeneratorLimit.IsOf(SampleStep.Good with { Kind = LoadKind.Closed, GeneratorLag = Lag(40, 30), ScheduleLag = Lag(40, 30) })
        );
    }

    private static LatencySummary Lag(double p99, double average) => new() { Count = 1_000, AverageMs = average, P99Ms = p99 };

    private static (Verdict Verdict, string Side) Withdrawn(RunResult before, RunResult after)
    {
        var throughput = Throughput(before, after);
        return (throughput.Verdict, throughput.Reason.Split(" was limited")[0].Split(' ')[^1]);
    }

    private static MetricComparison Throughput(RunResult before, RunResult after) =>
        RunComparer.Compare(before, after, SimulatedRuns.Steady(ComparisonSettings.Default)).Scenarios[0].Metrics[0];
}
