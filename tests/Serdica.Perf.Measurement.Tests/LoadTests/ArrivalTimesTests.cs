using System.Diagnostics;
using FsCheck;
using FsCheck.Fluent;
using Serdica.Perf.Measurement.LoadTests;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ArrivalTimesTests
{
    [Fact]
    public void Uniform_arrivals_are_as_many_as_rate_and_duration_say_and_equally_far_apart()
    {
        var dues = Take(new(1_000, 250, TimeSpan.FromSeconds(2), int.MaxValue, ArrivalPattern.Uniform, 1));

        Assert.Equal(500, dues.Count);
        Assert.Equal(1_000, dues[0]);
        Assert.All(dues.Zip(dues.Skip(1)), pair => Assert.InRange(pair.Second - pair.First, (Stopwatch.Frequency / 250) - 1, (Stopwatch.Frequency / 250) + 1));
    }

    [Fact]
    public void Random_arrivals_repeat_with_their_seed_and_have_the_mean_and_the_spread_of_independent_ones()
    {
        List<long> Sample(int seed) => Take(new(0, 1_000, TimeSpan.FromSeconds(50), int.MaxValue, ArrivalPattern.Poisson, seed));
        var dues = Sample(3);
        var gaps = dues.Zip(dues.Skip(1), (first, second) => (double)(second - first) / Stopwatch.Frequency).ToArray();
        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));

        Assert.Equal(dues, Sample(3));
        Assert.NotEqual(dues, Sample(4));

        // Of 50,000 independent gaps: five standard errors are 2.2 % of the mean.
        Assert.InRange(mean, 0.000978, 0.001022);
        Assert.InRange(deviation / mean, 0.97, 1.03);
    }

    [Fact]
    public void A_schedule_never_has_more_arrivals_than_it_is_said_to_have_at_most()
    {
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
                seed =>
                {
                    var random = new Random(seed);
                    var (rate, duration) = (random.Next(1, 500), TimeSpan.FromSeconds(random.Next(1, 40) / 10.0));
                    return Enum.GetValues<ArrivalPattern>().All(pattern =>
                    {
                        var most = ArrivalTimes.AtMost(rate, duration, pattern);
                        return Take(new(0, rate, duration, most, pattern, seed)).Count <= most
                            && Take(new(0, rate, duration, 3, pattern, seed)).Count <= 3;
                    });
                }));
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
