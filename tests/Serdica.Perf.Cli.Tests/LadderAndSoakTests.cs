namespace Serdica.Perf.Cli.Tests;

public sealed class LadderAndSoakTests : CliTests
{
    [Theory]
    [InlineData("1")]
    [InlineData("4,1")]
    [InlineData("1,4,4")]
    [InlineData("0,1")]
    [InlineData("1,,4")]
    [InlineData("1,x")]
    [InlineData("1,100001")]
    public async Task A_bad_ladder_is_answered_with_what_a_good_one_is(string ladder)
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("run", "--ladder", ladder));

        Assert.Equal(
            $"--ladder is '{ladder}'; it must be two or more comma-separated whole numbers from 1 to 100,000, each higher than the one "
                + $"before: for instance 1,4,8,16,64,256,1024.{Environment.NewLine}",
            Cli.Error
        );
    }

    [Theory]
    [InlineData("10")]
    [InlineData("0s")]
    [InlineData("1.5h")]
    [InlineData("-5s")]
    [InlineData("25h")]
    [InlineData("m")]
    public async Task A_bad_duration_is_answered_with_what_a_good_one_is(string duration)
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("run", "--scenario", "long-soak", $"--duration={duration}"));

        Assert.Equal(
            $"--duration is '{duration}'; it must be a whole number with s, m or h, from 1s to 24h: for instance 90s, 10m or "
                + $"1h.{Environment.NewLine}",
            Cli.Error
        );
    }

    [Fact]
    public async Task A_ladder_takes_the_place_of_the_capacity_tiers_rungs_and_is_analysed()
    {
        Assert.Equal(ExitCodes.Success, await Cli.MeasureAsync("run --backend in-memory --tier capacity --ladder 7,8,12,16 --warmup 0"));

        using var summary = Cli.Summary();
        Assert.Equal(
            [
                "in-memory-signal-roundtrip-capacity-c7",
                "in-memory-signal-roundtrip-capacity-c8",
                "in-memory-signal-roundtrip-capacity-c12",
                "in-memory-signal-roundtrip-capacity-c16",
            ],
            summary.Items("scenarios").Select(scenario => scenario.Text("name"))
        );
        Assert.Equal(
            [112, 128, 192, 256],
            summary.Items("scenarios").Select(scenario => scenario.GetProperty("counts").Int32("completed"))
        );
        var ladder = Assert.Single(summary.Items("ladders"));
        Assert.Equal([7, 8, 12, 16], ladder.Items("rungs").Select(level => level.Int32("concurrency")));
        Assert.Contains("Capacity ladder of in-memory, wave load: ", Cli.Output);
        Assert.Contains("Universal Scalability Law: ", Cli.Output);
    }

    [Fact]
    public async Task A_ladder_alone_measures_its_rungs_and_nothing_else_with_the_load_and_operations_asked_for()
    {
        Assert.Equal(
            ExitCodes.Success,
            await Cli.MeasureAsync("run --backend in-memory --ladder 1,2 --load closed --operations 20 --warmup 0")
        );

        using var summary = Cli.Summary();
        EachItem.Holds(summary.Items("scenarios"), scenario =>
            Assert.Equal(
                (20, "closed"),
                (scenario.GetProperty("counts").Int32("completed"), scenario.GetProperty("parameters").Text("load"))
            )
        );
        Assert.Equal(2, summary.RootElement.GetProperty("scenarios").GetArrayLength());
        Assert.Contains("-in-memory-capacity", Cli.RunFolder);
    }

    [Fact]
    public async Task The_long_soak_runs_when_it_is_named_for_the_duration_asked_for()
    {
        Assert.Equal(
            ExitCodes.Success,
            await Cli.MeasureAsync("run --scenario in-memory-long-soak --duration 1s --concurrency 4 --warmup 0")
        );

        using var summary = Cli.Summary();
        var scenario = Assert.Single(summary.Items("scenarios"));
        Assert.Equal(1, scenario.GetProperty("parameters").Number("durationSeconds"));
        Assert.NotEqual(0, scenario.GetProperty("soak").GetProperty("intervals").GetArrayLength());
        Assert.Contains("in-memory-long-soak: for 1s, concurrency 4", Cli.Output);
        Assert.Contains("Soak in-memory-long-soak: The calibration reached ", Cli.Output);
    }

    [Fact]
    public async Task List_says_that_the_long_soak_is_on_request()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("list"));

        Assert.Matches(@"long-soak +soak, on request +10m", Cli.Output);
        Assert.Contains("On request: the scenario belongs to no tier; name it with --scenario.", Cli.Output);
    }
}
