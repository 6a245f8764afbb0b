namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class ArrivalSeedTests
{
    [Fact]
    public void Every_generator_every_step_and_its_reads_have_a_seed_of_their_own()
    {
        var seeds = (
            from seed in Range(0, 66)
            from step in Range(0, 100)
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

    /// <summary>Another mix would give a profile other arrivals than the runs that were kept. Calculated apart, in Python.</summary>
    [Theory]
    [InlineData(1, 0, false, 1_716_268_633)]
    [InlineData(1, 0, true, 1_352_719_766)]
    [InlineData(1, 3, false, -1_996_648_532)]
    [InlineData(1, 3, true, 1_918_581_413)]
    [InlineData(42, 7, false, -2_002_468_136)]
    [InlineData(-5, 2, true, 1_769_290_420)]
    [InlineData(int.MaxValue, 1, false, -643_382_701)]
    public void Seed_of_a_profile_gives_the_same_arrivals_in_every_version(int seed, int step, bool reads, int expected) =>
        Assert.Equal(expected, ArrivalSeed.Of(seed, step, reads));

    private static List<long> Arrivals(int step, bool reads)
    {
        var times = new ArrivalTimes(0, 10, FromSeconds(10), 1_000, ArrivalPattern.Poisson, ArrivalSeed.Of(1, step, reads));
        var due = new List<long>();
        for (; times.NextDue is { } next; times.Take())
            due.Add(next / (Stopwatch.Frequency / 1_000_000));
        return due;
    }
}
