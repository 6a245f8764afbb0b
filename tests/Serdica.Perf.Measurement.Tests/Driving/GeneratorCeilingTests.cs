namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class GeneratorCeilingTests
{
    [Theory]
    [InlineData(90_000)]
    [InlineData(16_001)]
    [InlineData(3_000)]
    [InlineData(5)]
    [InlineData(5_000_000)]
    public async Task The_search_finds_the_limit_from_below_within_a_quarter(double limit)
    {
        var tried = new List<double>();

        var found = await GeneratorCeiling.SearchAsync(rate =>
        {
            tried.Add(rate);
            return Task.FromResult(rate <= limit);
        });

        Assert.InRange(found, limit / 1.25, limit);
        Assert.InRange(tried.Count, 2, 13);
    }

    [Fact]
    public async Task Where_nothing_holds_there_is_no_ceiling() =>
        Assert.Equal(0, await GeneratorCeiling.SearchAsync(_ => Task.FromResult(false)));

    /// <summary>With a pacer that never slept and operations that did nothing it was above a million.</summary>
    [Fact]
    public async Task The_pacer_of_the_load_test_sets_it()
    {
        async Task<double> WithPause(int milliseconds) =>
            await GeneratorCeiling.MeasureAsync(FromMilliseconds(60), new() { Pause = () => Thread.Sleep(milliseconds) }, Token);

        // Other work of the machine lowers both, and raises neither.
        Assert.InRange(await WithPause(1), 0, 1_000_000);

        // A pacer that sleeps for longer than the bound on the lag holds no rate but the lowest, whose few arrivals it meets by chance.
        // With 15 ms it drops none of them and ends in time: it is too late for each of its starts alone.
        Assert.InRange(await WithPause(15), 0, 1_000);
        Assert.InRange(await WithPause(50), 0, 1_000);
    }

    /// <summary>A ceiling of operations without input and output would be ten times as high.</summary>
    [Fact]
    public async Task Every_operation_of_the_search_has_all_its_bytes_echoed()
    {
        var trial = FromMilliseconds(60);
        await using var echo = await LoopbackEcho.OpenAsync(GeneratorCeiling.Callers, Token);

        var ceiling = await GeneratorCeiling.MeasureAsync(trial, new(), echo, Token);

        Assert.True(echo.EchoedBytes > 0);
        Assert.Equal(echo.RoundTrips * LoopbackEcho.MessageBytes, echo.EchoedBytes);
        Assert.InRange(echo.RoundTrips, (long)(ceiling * trial.TotalSeconds), long.MaxValue);
    }

    [Fact]
    public async Task A_message_comes_back_over_the_loopback()
    {
        await using var echo = await LoopbackEcho.OpenAsync(2, Token);

        await Task.WhenAll(echo.RoundTripAsync(Token), echo.RoundTripAsync(Token));
        await echo.RoundTripAsync(Token);

        Assert.Equal((3, 3 * LoopbackEcho.MessageBytes), (echo.RoundTrips, echo.EchoedBytes));
    }
}
