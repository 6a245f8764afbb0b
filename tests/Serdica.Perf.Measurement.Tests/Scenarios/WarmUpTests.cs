namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class WarmUpTests
{
    private static readonly WarmUpRule Rule = new() { LeastOperations = 2_000, MostTime = FromSeconds(15) };

    [Fact]
    public void It_ends_at_its_floor_when_the_rate_is_flat() => Assert.Equal((10, WarmUpEnd.Steady), End(_ => 1_000));

    /// <summary>The repeats of a run rose by up to 39 % from the first to the third after a warm-up of 0.6 s.</summary>
    [Fact]
    public void It_goes_on_while_the_rate_rises()
    {
        // By 4 % a round for 20 rounds, then not any more.
        var (rounds, end) = End(round => 10_000 * Math.Pow(1.04, Math.Min(round, 20)));

        Assert.Equal(WarmUpEnd.Steady, end);
        Assert.InRange(rounds, 20, 28);
    }

    /// <summary>The rise over the eight rounds that are judged.</summary>
    [Theory]
    [InlineData(0.04, true)]
    [InlineData(0.06, false)]
    public void A_twentieth_is_no_rise_and_more_is_one(double rise, bool ends) =>
        Assert.Equal(ends, End(round => 20_000 * (1 + (rise * (round - 2) / 7))).Rounds == 10);

    [Fact]
    public void A_step_between_two_flat_parts_is_a_rise()
    {
        // Code is replaced by faster code after the floor.
        var (rounds, end) = End(round => round < 7 ? 10_000 : 14_000);

        Assert.Equal(WarmUpEnd.Steady, end);
        Assert.InRange(rounds, 12, 18);
    }

    [Fact]
    public void A_falling_rate_does_not_prolong_it() => Assert.Equal((10, WarmUpEnd.Steady), End(round => 10_000 - (300 * round)));

    [Fact]
    public void Noise_without_a_slope_does_not_prolong_it() =>
        Assert.Equal((10, WarmUpEnd.Steady), End(round => round % 2 == 0 ? 11_000 : 9_000));

    [Fact]
    public void Slow_operations_are_as_many_as_the_floor_says()
    {
        var (rounds, end) = End(_ => 300);

        // 90 operations a round.
        Assert.Equal((23, WarmUpEnd.Steady), (rounds, end));
    }

    [Fact]
    public void It_ends_after_its_longest_time_whatever_the_rate_does()
    {
        Assert.Equal((50, WarmUpEnd.TimeLimit), End(round => 1_000 * Math.Pow(1.04, round)));
        Assert.Equal((50, WarmUpEnd.TimeLimit), End(_ => 100));
    }

    [Fact]
    public void It_ends_after_250_000_operations_however_fast_they_were() => Assert.Equal((3, WarmUpEnd.OperationCount), End(_ => 300_000));

    /// <summary>Load tests, queues and scenarios have one floor.</summary>
    [Fact]
    public void No_standard_warm_up_is_shorter_than_the_floor() =>
        Assert.Equal(
            (Rule.LeastTime, Rule.LeastTime, FromSeconds(3)),
            (new LoadProfile { Name = "load", Steps = [] }.WarmUp, new QueuePlan().WarmUp, Rule.LeastTime)
        );

    [Theory]
    [InlineData(0, 0.5, 4_096, 3, 0.5, 250_000)]
    [InlineData(0, 3, 4_096, 3, 15, 250_000)]
    [InlineData(1, 3, 4_096, 3, 15, 250_000)]
    [InlineData(0, 10, 4_096, 10, 15, long.MaxValue)]
    [InlineData(0, 60, 4_096, 60, 60, long.MaxValue)]
    [InlineData(8, 0.5, 16_000, 3, 0.5, 2_000_000)]
    [InlineData(8, 3, 16_000, 3, 120, 2_000_000)]
    public void What_a_load_test_declares_is_the_least_time_and_below_the_floor_the_most(
        int hosts,
        double declared,
        int fewest,
        double least,
        double most,
        long operations
    )
    {
        var rule = WarmUpRule.Of(512, FromSeconds(declared), hosts);

        Assert.Equal(
            (fewest, FromSeconds(least), FromSeconds(most), operations),
            (rule.LeastOperations, rule.LeastTime, rule.MostTime, rule.MostOperations)
        );
    }

    [Fact]
    public void It_ends_when_nothing_completes() => Assert.Equal((3, WarmUpEnd.NothingCompleted), End(round => round < 2 ? 1_000 : 0));

    [Fact]
    public void Many_callers_have_a_higher_floor() =>
        Assert.Equal(
            (2_000, 4_096, FromSeconds(15)),
            (RuleOf(callers: 16).LeastOperations, RuleOf(callers: 512).LeastOperations, RuleOf(callers: 16).MostTime)
        );

    /// <summary>Each compiles its code for itself: with 16 processes on two cores, 968 operations completed in the 15 s of one.</summary>
    [Theory]
    [InlineData(1, 2_000, 15, 250_000)]
    [InlineData(16, 32_000, 240, 4_000_000)]
    public void Each_host_process_needs_its_own_warm_up(int hosts, int operations, int seconds, long most)
    {
        var rule = WarmUpRule.Of(ScenarioCatalog.Rung(64).Parameters, new() { Hosts = hosts });

        Assert.Equal((operations, FromSeconds(seconds), most), (rule.LeastOperations, rule.MostTime, rule.MostOperations));
    }

    [Fact]
    public async Task The_operations_of_an_option_are_not_cut_off_by_the_time_limit()
    {
        var warmUp = await RunAsync("signal-roundtrip-throughput-parallel", new() { WarmUp = 300, WarmUpLimit = FromTicks(1) });

        Assert.Equal((300, WarmUpEnd.OperationCount), (warmUp.Operations, warmUp.End));
    }

    [Fact]
    public async Task A_short_scenario_is_warm_before_its_window()
    {
        var warmUp = await RunAsync("signal-roundtrip-throughput-parallel", new());

        Assert.True(warmUp.Operations >= 2_000, $"{warmUp.Operations} operations");

        // A fast machine reaches the limit of operations first.
        if (warmUp.End == WarmUpEnd.OperationCount)
            Assert.True(warmUp.Operations >= 250_000, $"{warmUp.Operations} operations");
        else
            Assert.True(warmUp is { DurationMs: >= 3_000, End: WarmUpEnd.Steady or WarmUpEnd.TimeLimit }, $"{warmUp}");
    }

    [Theory]
    [InlineData("immediate-burst-smoke", null, 200)]
    [InlineData("synthetic-external-resume-smoke", null, 200)]
    [InlineData("signal-roundtrip-throughput-parallel", 40, 40)]
    public async Task That_of_a_smoke_test_or_of_an_option_has_so_many_operations(string scenario, int? option, int operations)
    {
        var warmUp = await RunAsync(scenario, new() { WarmUp = option });

        Assert.Equal((operations, WarmUpEnd.OperationCount), (warmUp.Operations, warmUp.End));
    }

    public static TheoryData<string> Names => [.. ScenarioCatalog.All.Select(scenario => scenario.Name)];

    /// <summary>The second round of operations with business keys found the keys of the first.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public async Task Every_scenario_can_be_warmed_up_in_rounds(string name)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = new TestStore(new MutantBackend(Mutation.None));
        await using var workload = scenario.CreateWorkload(store, scenario.Parameters);
        await workload.OpenAsync(Token);

        for (var round = 1; round <= 3; round++)
        {
            var outcome = await MeasuredRun.PreludeAsync(
                workload,
                24,
                new() { Model = LoadModel.Closed, Concurrency = 4 },
                FromSeconds(30),
                Token
            );

            Assert.Equal((round, 24, 0), (round, outcome.Completed, outcome.Failed));
        }
    }

    /// <summary>With four callers, by the time with the preparation.</summary>
    [Theory]
    [InlineData(1, 60, 8, 8)]
    [InlineData(1_000, 0, 9, 100_000)]
    public async Task A_round_has_what_its_time_allows_and_two_operations_of_each_caller_at_least(int first, int ms, int least, int most)
    {
        var rounds = new List<int>();
        void Prepare(int count)
        {
            rounds.Add(count);
            Thread.Sleep(ms);
        }

        await using var store = new TestStore(new MutantBackend(Mutation.None));
        await using var workload = new LoadTests.IdleWorkload(store, canBeEndless: false, Prepare);
        await workload.OpenAsync(Token);
        var run = new WarmUpRun(workload, new() { Model = LoadModel.Closed, Concurrency = 4 }, TimeSpan.Zero);

        await run.UntilWarmAsync(first, Rule with { MostOperations = first + 1 }, Token);

        Assert.InRange(Assert.Single(rounds.Skip(1)), least, most);
    }

    [Fact]
    public void One_that_was_cut_off_is_a_warning()
    {
        static IEnumerable<RunWarning> Of(WarmUp warmUp) => NotWarm.Of(SampleRun.Serial with { WarmUp = warmUp });

        var warning = Assert.Single(Of(new(1_234, 15_040, WarmUpEnd.TimeLimit)));

        Assert.Equal((WarningCodes.NotWarm, SampleRun.Serial.Name), (warning.Code, warning.Scenario));
        Assert.Contains("15.0 s and 1,234 operations", warning.Sentence);
        Assert.Contains("no further one completed", Assert.Single(Of(new(200, 760, WarmUpEnd.NothingCompleted))).Sentence);
        Assert.Empty(Of(new(1_234, 15_040, WarmUpEnd.Steady)));
        Assert.Empty(Of(new(1_234, 15_040, WarmUpEnd.OperationCount)));
        Assert.Empty(Of(new(1_234, 15_040)));
    }

    private static WarmUpRule RuleOf(int callers) => WarmUpRule.Of(ScenarioCatalog.Rung(callers).Parameters, new());

    /// <summary>Rounds of 0.3 s with a rate by the number of the round.</summary>
    private static (int Rounds, WarmUpEnd End) End(Func<int, double> perSecond)
    {
        var rounds = new List<WarmUpRound>();
        while (true)
        {
            var completed = (int)(perSecond(rounds.Count) * 0.3);
            rounds.Add(new(FromSeconds(0.3 * (rounds.Count + 1)), completed, FromSeconds(0.3)));
            if (Rule.Judge(rounds) is { } end)
                return (rounds.Count, end);
        }
    }

    private static async Task<WarmUp> RunAsync(string name, RunOptions options)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = new TestStore(new MutantBackend(Mutation.None));
        var progress = new ScenarioProgress(name, options.Apply(scenario, repeat: 1));

        var measurement = await new ScenarioRunner(options).RunAsync(scenario, store, progress, Token);

        MutantRun.AssertPassed(measurement.Result);
        return measurement.Result.WarmUp!;
    }
}
