namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class ArrivalTimesTests
{
    [Fact]
    public void Uniform_arrivals_are_as_many_as_rate_and_duration_say_and_equally_far_apart()
    {
        var dues = Take(new(1_000, 250, FromSeconds(2), int.MaxValue, ArrivalPattern.Uniform, 1));

        Assert.Equal(500, dues.Count);
        Assert.Equal(1_000, dues[0]);
        EachItem.Holds(dues.Zip(dues.Skip(1)), pair =>
            Assert.InRange(pair.Second - pair.First, (Stopwatch.Frequency / 250) - 1, (Stopwatch.Frequency / 250) + 1)
        );
    }

    [Fact]
    public void Random_arrivals_repeat_with_their_seed_and_have_the_mean_and_the_spread_of_independent_ones()
    {
        List<long> Sample(int seed) => Take(new(0, 1_000, FromSeconds(50), int.MaxValue, ArrivalPattern.Poisson, seed));
        var dues = Sample(3);
        var gaps = dues.Zip(dues.Skip(1), (first, second) => (double)(second - first) / Stopwatch.Frequency).ToArray();
        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));

        Assert.Equal(dues, Sample(3));
        Assert.NotEqual(dues, Sample(4));

        // 50,000 independent gaps: five standard errors are 2.2 % of the mean.
        Assert.InRange(mean, 0.000978, 0.001022);
        Assert.InRange(deviation / mean, 0.97, 1.03);
    }

    [Fact]
    public void A_schedule_never_has_more_arrivals_than_it_is_said_to_have_at_most()
    {
        Hold(Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), seed =>
            {
                var random = new Random(seed);
                var (rate, duration) = (random.Next(1, 500), FromSeconds(random.Next(1, 40) / 10.0));
                return Enum.GetValues<ArrivalPattern>()
                    .All(pattern =>
                    {
                        var most = ArrivalTimes.AtMost(rate, duration, pattern);
                        return Take(new(0, rate, duration, most, pattern, seed)).Count <= most
                            && Take(new(0, rate, duration, 3, pattern, seed)).Count <= 3;
                    });
            }));
    }

    [Fact]
    public void A_wave_has_its_high_rate_in_the_first_half_of_each_period_and_its_low_one_in_the_second()
    {
        var wave = new RateWave(High: 400, Low: 100, FromSeconds(2));

        var dues = Take(new(0, wave.Mean, FromSeconds(4), int.MaxValue, ArrivalPattern.Uniform, 1, wave));

        Assert.Equal(
            [400, 100, 400, 100],
            dues.GroupBy(due => (due + 1) / Stopwatch.Frequency).OrderBy(second => second.Key).Select(second => second.Count())
        );
        Assert.Equal(dues.Order(), dues);
    }

    [Fact]
    public void Arrivals_of_a_wave_and_their_times_are_each_other_s_inverse()
    {
        Hold(Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), seed =>
            {
                var random = new Random(seed);
                var low = random.Next(1, 1_000);
                var wave = new RateWave(low + random.Next(0, 1_000), low, FromSeconds(random.Next(1, 100) / 10.0));
                var arrivals = random.NextDouble() * 10_000;
                return Math.Abs(wave.ArrivalsBy(wave.WhenArrived(arrivals)) - arrivals) < 1e-6;
            }));
    }

    [Fact]
    public void A_backlog_closes_the_gate_at_its_upper_bound_and_opens_it_at_its_lower_one()
    {
        var ended = 0;
        var gate = new BacklogGate(new(Low: 2, High: 5), () => ended);

        Assert.True(gate.Admits(4, now: 10));
        Assert.False(gate.Admits(5, now: 20));
        ended = 2;
        Assert.False(gate.Admits(5, now: 30));
        ended = 3;
        Assert.True(gate.Admits(5, now: 45));

        Assert.Equal((1, 5, 25), (gate.Cycles, gate.Peak, gate.Paused));
    }

    private static List<long> Take(ArrivalTimes times)
    {
        var dues = new List<long>();
        for (; times.NextDue is { } due; times.Take())
            dues.Add(due);
        Assert.Equal(dues.Count, times.Taken);
        return dues;
    }
}
