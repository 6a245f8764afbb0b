namespace Serdica.Perf.Measurement.Tests.Driving;

/// <summary>Where a schedule starts, pauses and ends, and which instances a sample keeps.</summary>
public sealed class ScheduleEdgeTests
{
    [Fact]
    public void Even_arrivals_of_several_generators_are_those_of_one()
    {
        static IEnumerable<long> Due(LoadStep step)
        {
            var times = new ArrivalTimes(
                0,
                step.PerSecond!.Value,
                step.Duration,
                int.MaxValue,
                ArrivalPattern.Uniform,
                1,
                phase: step.Phase
            );
            while (times.NextDue is { } due)
            {
                yield return due * 1_000 / Stopwatch.Frequency;
                times.Take();
            }
        }

        var whole = new LoadStep { Name = "even", Kind = LoadKind.Open, PerSecond = 100, Duration = FromSeconds(0.2) };
        var profile = new LoadProfile { Name = "even", Steps = [whole] };
        var shares = Range(1, 4).Select(generator => profile.ShareOf(generator, 4).Steps[0]);

        Assert.Equal(Due(whole), shares.SelectMany(Due).Order());
    }

    private static readonly long Second = Stopwatch.Frequency;

    [Fact]
    public void Arrival_is_due_by_its_number_and_counts_from_the_start()
    {
        var times = new ArrivalTimes(begin: 500, perSecond: 4, duration: null, most: 3, ArrivalPattern.Uniform, seed: 1);

        Assert.Equal((0, 500, 500), (times.Taken, times.LastDue, times.NextDue));
        times.Take();
        times.Take();
        Assert.Equal((2, 500 + (Second / 4), 500 + (Second / 2)), (times.Taken, times.LastDue, times.NextDue));
        times.Take();
        Assert.Null(times.NextDue);
    }

    [Theory]
    [InlineData(2.0, 8)]
    [InlineData(2.01, 9)]
    public void Nothing_is_due_at_the_end_of_the_step_or_later(double seconds, int arrivals)
    {
        var times = new ArrivalTimes(0, 4, FromSeconds(seconds), int.MaxValue, ArrivalPattern.Uniform, 1);
        while (times.NextDue is not null)
            times.Take();

        Assert.Equal(arrivals, times.Taken);
    }

    [Fact]
    public void Random_schedule_does_not_start_with_an_arrival_and_its_last_one_is_known()
    {
        var times = new ArrivalTimes(0, 4, null, 2, ArrivalPattern.Poisson, seed: 1);
        var first = times.NextDue!.Value;

        Assert.True(first > 0);
        times.Take();
        Assert.Equal(first, times.LastDue);
        Assert.True(times.NextDue > first);
    }

    [Fact]
    public void Schedule_behind_a_full_backlog_pauses_and_goes_on_where_it_stopped()
    {
        var ended = 0;
        var gate = new BacklogGate(new(Low: 1, High: 2), () => Volatile.Read(ref ended));
        var begin = Stopwatch.GetTimestamp();
        var times = new ArrivalTimes(begin, 1_000, null, 10, ArrivalPattern.Uniform, 1, gate: gate);
        times.Take();
        times.Take();

        var before = Stopwatch.GetTimestamp();
        var polled = times.NextDue!.Value;
        Assert.InRange(polled, before + (Second / 1_000), Stopwatch.GetTimestamp() + (Second / 1_000));

        ended = 1;
        var next = times.NextDue;
        Assert.True(gate.Paused > 0);
        Assert.Equal(begin + (2 * Second / 1_000) + gate.Paused, next);
        times.Take();
        Assert.Equal(begin + (2 * Second / 1_000) + gate.Paused, times.LastDue);
    }

    [Theory]
    [InlineData(100, 2, ArrivalPattern.Uniform, 200)]
    [InlineData(0.1, 1, ArrivalPattern.Uniform, 1)]
    [InlineData(50, 2, ArrivalPattern.Poisson, 160)]
    [InlineData(1e9, 86_400, ArrivalPattern.Uniform, int.MaxValue / 4)]
    public void Bound_on_arrivals_is_the_mean_and_for_random_ones_five_deviations_more(
        double perSecond,
        int seconds,
        ArrivalPattern pattern,
        int most
    ) => Assert.Equal(most, ArrivalTimes.AtMost(perSecond, FromSeconds(seconds), pattern));

    [Fact]
    public void Instance_is_found_by_its_operation_when_the_sample_keeps_it()
    {
        var instances = new SampledInstances(count: 100, most: 4);
        Assert.Null(instances.Any(0));
        Assert.Null(instances.Find(0));
        foreach (var operation in Range(0, 7))
            instances.Add(operation, IdOf(operation));

        Assert.Equal(2, instances.Stride);
        Assert.Equal([IdOf(0), null, IdOf(2), IdOf(6), null, null], new[] { 0, 1, 2, 6, 7, 8 }.Select(instances.Find));
        Assert.Equal([IdOf(0), IdOf(2), IdOf(6), IdOf(0), IdOf(2)], new[] { 0, 1, 3, 4, 9 }.Select(number => instances.Any(number)!.Value));
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(3, 3)]
    [InlineData(9, 5)]
    public void Sample_has_room_for_each_operation_and_for_no_more_than_was_allowed(int count, int room)
    {
        var instances = new SampledInstances(count, most: 5);
        foreach (var operation in Range(0, room))
            instances.Add(operation, IdOf(operation));

        Assert.Equal(1, instances.Stride);
        instances.Add(room, IdOf(room));
        Assert.Equal(2, instances.Stride);
    }

    [Fact]
    public void Late_instance_of_an_early_operation_finds_its_place()
    {
        var instances = new SampledInstances(count: 100, most: 4);
        instances.Add(6, IdOf(6));
        instances.Add(4, IdOf(4));
        instances.Add(1, IdOf(1));

        Assert.Equal([null, null, IdOf(4), IdOf(6)], new[] { 0, 1, 4, 6 }.Select(instances.Find));
        Assert.Equal([Guid.Empty, Guid.Empty, IdOf(4), IdOf(6)], instances.Of(7).ToArray());
    }

    private static Guid IdOf(int operation) => new(operation + 1, 0, 0, new byte[8]);
}
