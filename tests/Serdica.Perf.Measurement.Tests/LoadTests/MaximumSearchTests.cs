namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class MaximumSearchTests
{
    private static readonly TimeSpan Second = FromSeconds(1);

    private static readonly TimeSpan Minute = FromMinutes(1);

    [Theory]
    [InlineData(1_000, 730)]
    [InlineData(1_000, 999)]
    [InlineData(1_000, 1_900)]
    [InlineData(1_000, 120)]
    public async Task The_rate_that_is_found_is_close_below_the_one_that_does_not_hold(double measured, double limit)
    {
        var tried = new List<(double Rate, TimeSpan For)>();

        var found = await new MaximumSearch(measured, Second, Minute, Holding(limit, tried)).RunAsync();

        Assert.True(found.Confirmed, found.Sentence);
        Assert.InRange(found.PerSecond!.Value, limit * (1 - (2 * MaximumSearch.Close)), limit);
        Assert.True(found.LowestFailed > limit);
        Assert.Equal((found.PerSecond.Value, Minute), tried[^1]);
        Assert.InRange(tried.Count, 3, (MaximumSearch.Attempts * MaximumSearch.MostTrials) + 1);
        Assert.Equal(found.PerSecond, found.HighestHeld);
        Assert.Contains(" held, and held again for 60 s; the limit is between it and", found.Sentence);
    }

    [Fact]
    public async Task A_rate_that_does_not_hold_for_long_is_lowered_until_it_does()
    {
        var found = await new MaximumSearch(1_000, Second, Minute, (rate, time) => Judged(rate <= (time > Second ? 700 : 800))).RunAsync();

        Assert.True(found.Confirmed, found.Sentence);
        // The second step down is by 20 %.
        Assert.InRange(found.PerSecond!.Value, 0.8 * 700, 700);
        Assert.Contains(" a second held for 60 s; ", found.Sentence);
    }

    /// <summary>A server that keeps up for seconds, because it has put off its checkpoint and its vacuum.</summary>
    [Fact]
    public async Task A_rate_far_below_those_of_the_trials_is_confirmed_in_a_few_steps()
    {
        var confirmed = new List<double>();

        var found = await new MaximumSearch(1_000, Second, Minute, (rate, time) =>
        {
            if (time == Minute)
                confirmed.Add(rate);
            return Judged(rate <= (time == Minute ? 620 : 1_400));
        }).RunAsync();

        Assert.Equal([1_375, 1_237.5, 990, 594], confirmed.Select(rate => Math.Round(rate, 6)));
        Assert.True(found.Confirmed, found.Sentence);
        Assert.Equal((confirmed[3], confirmed[2]), (found.PerSecond, found.LowestFailed));
    }

    /// <summary>The rate below the last one that failed was never tried.</summary>
    [Theory]
    [InlineData(1_400, 594, 500.0, "the highest rate below it that held for 1 s was 500.0 a second.")]
    [InlineData(510, 216, null, "no lower rate was tried.")]
    public async Task Where_no_rate_is_confirmed_there_is_none_but_a_bracket(double limit, double failed, double? held, string rest)
    {
        var found = await new MaximumSearch(1_000, Second, Minute, (rate, time) =>
            Judged(time == Second && rate <= limit, time == Minute ? StepVerdict.Degraded : StepVerdict.Failed)
        ).RunAsync();

        Assert.Equal((null, false, held), (found.PerSecond, found.Confirmed, found.HighestHeld));
        Assert.Equal(failed, found.LowestFailed!.Value, 1e-6);
        Assert.Equal($"No rate was confirmed: {failed:N1} a second did not hold for 60 s; {rest}", found.Sentence);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_confirmation_of_less_than_a_minute_is_named_as_short(bool holds)
    {
        var found = await new MaximumSearch(1_000, Second, FromSeconds(5), (rate, time) =>
            Judged(rate <= 800 && (time == Second || holds))
        ).RunAsync();

        Assert.Equal(holds, found.Confirmed);
        Assert.Contains(" for 5 s, which is short: a rate is confirmed by 60 s; ", found.Sentence);
    }

    [Fact]
    public async Task A_trial_that_a_disturbance_failed_is_run_again()
    {
        var tried = new Dictionary<double, int>();

        var found = await new MaximumSearch(1_000, Second, Minute, (rate, _) =>
            Judged(rate <= 730 && (tried[rate] = tried.GetValueOrDefault(rate) + 1) != 1)
        ).RunAsync();

        Assert.InRange(found.LowestFailed!.Value, 730, 1_000);
        Assert.InRange(found.PerSecond!.Value, 730 * (1 - (2 * MaximumSearch.Close)), 730);
    }

    [Fact]
    public async Task Where_nothing_holds_there_is_no_rate()
    {
        var found = await new MaximumSearch(1_000, Second, Minute, Holding(0, [])).RunAsync();

        Assert.Null(found.PerSecond);
        Assert.False(found.Confirmed);
        Assert.StartsWith("No rate held", found.Sentence);
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(19.9, 0, 0)]
    [InlineData(20, 2, 10)]
    [InlineData(1_000, 12, 15.625)]
    public async Task No_rate_is_tried_at_which_a_step_has_too_few_operations_to_tell(double measured, int trials, double lowest)
    {
        var tried = new List<(double Rate, TimeSpan For)>();

        var found = await new MaximumSearch(measured, Second, Minute, Holding(0, tried)).RunAsync();

        Assert.Equal(trials, tried.Count);
        Assert.Null(found.PerSecond);
        if (trials > 0)
            Assert.Equal((lowest, lowest), (tried[^1].Rate, found.LowestFailed));
        else
            Assert.EndsWith("use a longer --duration.", found.Sentence);
    }

    private static Func<double, TimeSpan, Task<StepResult>> Holding(double limit, List<(double Rate, TimeSpan For)> tried) =>
        (rate, time) =>
        {
            tried.Add((rate, time));
            return Judged(rate <= limit, StepVerdict.Degraded);
        };

    private static Task<StepResult> Judged(bool holds, StepVerdict otherwise = StepVerdict.Failed) =>
        Task.FromResult(SampleStep.Good with { Verdict = holds ? StepVerdict.Passed : otherwise });
}
