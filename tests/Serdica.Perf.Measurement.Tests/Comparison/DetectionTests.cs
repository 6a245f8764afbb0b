namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>
/// How often a comparison of two single runs raises an alarm without a change, and how often it finds one. Each run has a
/// speed of its own, as real runs have. The seeds are fixed, and the figures are in docs/statistics.md.
/// </summary>
public sealed class DetectionTests
{
    private const int Pairs = 1_000;

    [Theory]
    [InlineData(5, 0.05, 0.06, 0)]
    [InlineData(10, 0.15, 0.06, 0)]
    [InlineData(10, 0.03, 0.06, 0)]
    [InlineData(10, 0.03, 0.06, 3)]
    [InlineData(10, 0.03, 0.06, 20)]
    [InlineData(10, 0.03, 0.02, 20)]
    [InlineData(10, 0.03, 0.12, 20)]
    public void Of_a_hundred_pairs_of_equal_code_at_most_one_has_any_alarm(int repeats, double spread, double between, int history)
    {
        var alarms = Compare(Pairs, repeats, spread, slowerBy: 0, between, history).Count(HasAlarm);

        Published.Row(
            $"{repeats}",
            Published.Percent(spread),
            Published.Percent(between),
            History(history),
            Published.Share(alarms, Pairs)
        );
        Assert.True(alarms <= 0.01 * Pairs, $"{alarms} of {Pairs} pairs of equal code had an alarm.");
    }

    /// <summary>Runs that differ by twice what is assumed: only a history can know.</summary>
    [Fact]
    public void A_machine_that_differs_by_more_than_is_assumed_raises_more_alarms()
    {
        var alarms = Compare(Pairs, 10, 0.03, slowerBy: 0, between: 0.12, history: 0).Count(HasAlarm);

        Published.Row("10", "3 %", "12 %", "none", Published.Share(alarms, Pairs));
        Assert.InRange(alarms, 1, 0.1 * Pairs);
    }

    /// <summary>
    /// Each run of the history resembles the one before it (autoregressive of first order), and the two compared runs lie too far
    /// apart for that.
    /// </summary>
    [Theory]
    [InlineData(0.06, 20)]
    [InlineData(0.06, 60)]
    [InlineData(0.12, 20)]
    [InlineData(0.12, 60)]
    public void A_history_whose_runs_resemble_their_neighbours_hides_no_noise(double between, int history)
    {
        const double Correlation = 0.5;

        var alarms = Range(1, Pairs)
            .Count(pair =>
            {
                var random = new Random(7_919 * pair);
                var lines = Autocorrelated(random, history, between, Correlation).ToArray();
                RunResult Run() => SimulatedRuns.Run(random, 10, 0.03, between: between);
                var (before, after) = (Run(), Run());
                var settings = ComparisonSettings.Default with { BetweenRuns = HistoryNoise.Of(lines, before, after) };
                Assert.NotEmpty(settings.BetweenRuns);
                return HasAlarm(RunComparer.Compare(before, after, settings));
            });

        Published.Row(
            "10",
            "3 %",
            Published.Percent(between),
            $"{history} runs, correlation {Correlation}",
            Published.Share(alarms, Pairs)
        );
        Assert.True(alarms <= 0.01 * Pairs, $"{alarms} of {Pairs} pairs of equal code had an alarm.");
    }

    [Theory]
    [InlineData(0.2, 0.06, 0, 0)]
    [InlineData(0.5, 0.06, 0, 0.5)]
    [InlineData(1, 0.06, 0, 0.95)]
    [InlineData(0.5, 0.06, 20, 0.8)]
    [InlineData(0.2, 0.02, 20, 0.4)]
    [InlineData(0.1, 0.01, 40, 0)]
    public void A_slow_down_is_found_as_published(double slowerBy, double between, int history, double atLeast)
    {
        const int Few = 200;

        var found = Compare(Few, 10, 0.03, slowerBy, between, history).Select(Throughput).Count(verdict => verdict == Verdict.Regressed);

        Published.Row(Published.Percent(slowerBy), "10", "3 %", Published.Percent(between), History(history), Published.Share(found, Few));
        Assert.True(found >= atLeast * Few, $"It was found in {found} of {Few} pairs.");
    }

    [Fact]
    public void A_slow_down_of_a_tenth_is_never_called_the_same_where_noise_hides_it()
    {
        Assert.DoesNotContain(Verdict.Same, Compare(100, 5, 0.15, slowerBy: 0.1, between: 0.06, history: 0).Select(Throughput));
    }

    private static IEnumerable<HistoryLine> Autocorrelated(Random random, int runs, double between, double correlation)
    {
        var speed = between * Noise.Normal(random);
        for (var number = 1; number <= runs; number++)
        {
            speed = correlation * speed + Math.Sqrt(1 - correlation * correlation) * between * Noise.Normal(random);
            var run = SimulatedRuns.Run(random, 10, 0.03, slowerBy: Math.Exp(speed) - 1);
            yield return HistoryLine.Of(SimulatedRuns.AsCommit(run, number) with { RunId = $"run-{number}" }).Single();
        }
    }

    private static string History(int runs) => runs == 0 ? "none" : $"{runs} runs";

    private static IEnumerable<RunComparison> Compare(
        int pairs,
        int repeats,
        double spread,
        double slowerBy,
        double between,
        int history
    )
    {
        for (var pair = 1; pair <= pairs; pair++)
        {
            var random = new Random(7_919 * pair);
            RunResult Run(double slower) => SimulatedRuns.Run(random, repeats, spread, slower, between);
            var settings = ComparisonSettings.Default;
            if (history > 0)
                settings = settings with { BetweenRuns = RunNoises.Learn([.. Range(0, history).Select(_ => Run(0))]) };
            yield return RunComparer.Compare(Run(0), Run(slowerBy), settings);
        }
    }

    private static Verdict Throughput(RunComparison comparison) => comparison.Scenarios[0].Metrics[0].Verdict;

    internal static bool HasAlarm(RunComparison comparison) => EqualCode.Alarms(comparison).Count > 0;
}
