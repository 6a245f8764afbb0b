using Serdica.Perf.Faults.Runs;

namespace Serdica.Perf.Faults.Tests.Runs;

public sealed class GrowthTests
{
    private static readonly TimeSpan Step = FromMilliseconds(250);

    /// <summary>Each number is read 250 ms after the one before it.</summary>
    [Theory]
    [InlineData(new long[] { 25, 25, 25, 25, 25 }, 25)]
    [InlineData(new long[] { 17, 19, 23, 23, 24, 28, 28, 28, 28, 28 }, 28)]
    [InlineData(new long[] { 28, 27, 26, 27, 28 }, 28)]
    [InlineData(new long[] { 0, 0, 0, 0, 0 }, 0)]
    public void Growth_ends_with_the_first_second_without_a_larger_number(long[] numbers, long most)
    {
        var growth = new Growth();

        var ended = numbers.Select((number, i) => growth.HasEnded(number, 5 * Step + i * Step)).ToList();

        Assert.Equal(numbers.Length - 1, ended.IndexOf(true));
        Assert.Equal(most, growth.Most);
    }

    [Fact]
    public void A_long_time_between_two_readings_does_not_end_it()
    {
        var growth = new Growth();

        int[] seconds = [0, 2, 3, 4, 5];
        Assert.Equal([false, false, false, false, true], seconds.Select(second => growth.HasEnded(17, FromSeconds(second))));
    }

    [Fact]
    public void Growth_without_an_end_is_waited_for_no_longer_than_the_limit()
    {
        var growth = new Growth();

        var readings = Range(0, 1_000).TakeWhile(i => !growth.HasEnded(i, i * Step)).Count();

        Assert.Equal(Growth.Limit, readings * Step);
    }
}
