namespace Serdica.Perf.Measurement.Tests.Scenarios;

/// <summary>The window of 96 operations lasted 12 ms: two samples of waits, and an unknown limit.</summary>
public sealed class RoundsTests
{
    private const string Parallel = "signal-roundtrip-throughput-parallel";

    /// <summary>Shorter than a user's, with several rounds in it all the same.</summary>
    private static readonly TimeSpan Window = FromSeconds(0.4);
    private static readonly RunOptions Quick = new() { WarmUp = 500 };

    [Theory]
    [InlineData(Parallel)]
    [InlineData("signal-roundtrip-capacity-c4")]
    [InlineData("signal-roundtrip-latency-serial")]
    [InlineData("signal-roundtrip-soak")]
    [InlineData("immediate-burst-nightly")]
    [InlineData("synthetic-external-resume-nightly")]
    [InlineData("bulstrad-quotation-confirm-convert-to-policy-nightly")]
    [InlineData("duplicate-and-early-signals")]
    [InlineData("child-fan-out")]
    [InlineData("large-state")]
    public async Task Few_operations_are_repeated_until_the_window_is_long_enough(string name)
    {
        var result = await RunAsync(name, Quick);

        var once = ScenarioCatalog.Find(name)!.Parameters.Operations;
        Assert.Equal(once, result.Parameters.Operations);
        Assert.Equal((long)once * result.Rounds, result.Operations);
        Assert.Equal(result.Operations, result.Counts.Completed);
        Assert.Equal(result.Operations, result.LatencyToDrain!.Count);

        // At the rate of the warm-up, which is lower with its drain, this takes as long as the window.
        var wanted = Math.Min(100_000, Window.TotalMilliseconds * result.WarmUp!.Operations / result.WarmUp.DurationMs);
        Assert.True(result.Operations >= wanted, $"{result.Operations} of {wanted} operations");
        Assert.True(result.Rounds > 2 || wanted <= 2 * once, $"{result.Rounds} rounds");
    }

    [Fact]
    public void The_window_of_a_user_is_long_enough_for_a_verdict_on_the_limit() =>
        Assert.Equal(FromSeconds(2), new ScenarioRunner(Quick).LeastWindow);

    [Fact]
    public async Task Each_round_is_a_wave_of_the_size_of_the_reference()
    {
        var once = await RunAsync(Parallel, Quick with { Once = true });
        var repeated = await RunAsync(Parallel, Quick);

        // In one wave of thousands, an operation would wait for all that were launched before it.
        Assert.True(
            repeated.LatencyToDrain!.P50Ms < 20 * once.LatencyToDrain!.P50Ms,
            $"{repeated.LatencyToDrain.P50Ms} ms against {once.LatencyToDrain.P50Ms} ms"
        );
    }

    /// <summary>Else a wave of milliseconds would be compared with seconds of them.</summary>
    [Fact]
    public void A_result_says_when_what_is_usually_repeated_was_not()
    {
        static bool SaysOnce(string name, RunOptions options) =>
            options.Apply(ScenarioCatalog.Find(name)!, repeat: 1).Options.ContainsKey(ScenarioParameters.OnceOption);

        Assert.True(SaysOnce(Parallel, new() { Once = true }));
        Assert.True(SaysOnce(Parallel, new() { Operations = 96 }));
        Assert.False(SaysOnce(Parallel, new()));
        Assert.False(SaysOnce("cancel-under-load", new() { Once = true }));
    }

    [Fact]
    public async Task They_are_measured_once_when_that_is_asked_for()
    {
        Assert.Equal((1, 96), await CountsAsync(Parallel, Quick with { Once = true }));
        Assert.Equal((1, 200), await CountsAsync(Parallel, Quick with { Operations = 200 }));
        Assert.Equal((1, 24), await CountsAsync("immediate-burst-smoke", Quick));
        Assert.Equal((1, 240), await CountsAsync("cancel-under-load", Quick));
        Assert.Equal((1, 96), await CountsAsync(Parallel, Quick with { WarmUp = 0 }));
    }

    private static async Task<(int Rounds, long Completed)> CountsAsync(string name, RunOptions options)
    {
        var result = await RunAsync(name, options);
        return (result.Rounds, result.Counts.Completed);
    }

    private static async Task<ScenarioResult> RunAsync(string name, RunOptions options)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = new TestStore(new MutantBackend(Mutation.None));
        var progress = new ScenarioProgress(name, options.Apply(scenario, repeat: 1));

        var measurement = await new ScenarioRunner(options) { LeastWindow = Window }.RunAsync(scenario, store, progress, Token);

        MutantRun.AssertPassed(measurement.Result);
        return measurement.Result;
    }
}
