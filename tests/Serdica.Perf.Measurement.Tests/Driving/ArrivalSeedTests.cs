using System.Diagnostics;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class ArrivalSeedTests
{
    [Fact]
    public void Every_generator_every_step_and_its_reads_have_a_seed_of_their_own()
    {
        var seeds = (
            from seed in Enumerable.Range(0, 66)
            from step in Enumerable.Range(0, 100)
            from reads in (bool[])[false, true]
            select ArrivalSeed.Of(seed, step, reads)
        ).ToArray();

        Assert.Equal(seeds.Length, seeds.Distinct().Count());
    }

    [Fact]
    public void Reads_and_writes_of_one_rate_arrive_at_different_instants_and_so_do_two_steps_the_same_in_every_run()
    {
        var writes = Arrivals(step: 0, reads: false);

        Assert.Empty(writes.Intersect(Arrivals(step: 0, reads: true)));
        Assert.Empty(writes.Intersect(Arrivals(step: 1, reads: false)));
        Assert.Equal(writes, Arrivals(step: 0, reads: false));
    }

    private static List<long> Arrivals(int step, bool reads)
    {
        var times = new ArrivalTimes(0, 10, TimeSpan.FromSeconds(10), 1_000, ArrivalPattern.Poisson, ArrivalSeed.Of(1, step, reads));
        var due = new List<long>();
        for (; times.NextDue is { } next; times.Take())
            due.Add(next / (Stopwatch.Frequency / 1_000_000));
        return due;
    }
}
