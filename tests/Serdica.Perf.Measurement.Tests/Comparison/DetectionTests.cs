using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>How often a comparison cries wolf, and how often it sees one. The seeds are fixed: the figures are in docs/comparing.md.</summary>
public sealed class DetectionTests
{
    [Theory]
    [InlineData(5, 0.15)]
    [InlineData(10, 0.2)]
    [InlineData(20, 0.2)]
    public void Of_a_hundred_pairs_of_equal_code_fewer_than_two_have_any_alarm(int repeats, double spread)
    {
        const int Pairs = 300;

        var alarms = Count(Pairs, repeats, spread, slowerBy: 0, comparison => Changes(comparison).Any());

        TestContext.Current.TestOutputHelper?.WriteLine($"{alarms} of {Pairs}");
        Assert.True(alarms < 0.02 * Pairs, $"{alarms} of {Pairs} pairs of equal code had an alarm.");
    }

    [Theory]
    [InlineData(6, 0.02)]
    [InlineData(10, 0.03)]
    [InlineData(20, 0.05)]
    [InlineData(65, 0.1)]
    public void A_slow_down_of_a_tenth_is_found_in_more_than_nine_of_ten(int repeats, double spread)
    {
        const int Pairs = 100;

        var found = Count(Pairs, repeats, spread, slowerBy: 0.1, IsRegressed);

        TestContext.Current.TestOutputHelper?.WriteLine($"{found} of {Pairs}");
        Assert.True(found > 0.9 * Pairs, $"The slow-down was found in {found} of {Pairs} pairs.");
    }

    [Fact]
    public void A_slow_down_of_a_tenth_is_never_called_the_same_where_noise_hides_it()
    {
        Assert.Equal(0, Count(100, 5, 0.15, slowerBy: 0.1, comparison => comparison.Scenarios[0].Metrics[0].Verdict == Verdict.Same));
    }

    private static int Count(int pairs, int repeats, double spread, double slowerBy, Func<RunComparison, bool> isSo) =>
        Enumerable.Range(1, pairs).AsParallel().Count(pair =>
        {
            var random = new Random(7_919 * pair);
            return isSo(RunComparer.Compare(
                SimulatedRuns.Run(random, repeats, spread), SimulatedRuns.Run(random, repeats, spread, slowerBy), ComparisonSettings.Default));
        });

    private static bool IsRegressed(RunComparison comparison) => comparison.Scenarios[0].Metrics[0].Verdict == Verdict.Regressed;

    private static IEnumerable<MetricComparison> Changes(RunComparison comparison) =>
        comparison.With(Verdict.Regressed).Concat(comparison.With(Verdict.Improved)).Select(found => found.Metric);
}
