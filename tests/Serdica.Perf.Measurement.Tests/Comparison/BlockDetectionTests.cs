using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>How often blocks cry wolf, and how often they see one. The seeds are fixed: the figures are in docs/comparing.md.</summary>
public sealed class BlockDetectionTests
{
    [Theory]
    [InlineData(4, 0.15, 0.05)]
    [InlineData(10, 0.05, 0.1)]
    [InlineData(10, 0.2, 0)]
    [InlineData(20, 0.2, 0.1)]
    public void Of_a_hundred_comparisons_of_equal_code_fewer_than_two_have_any_alarm(int blocks, double spread, double drift)
    {
        const int Comparisons = 300;

        var alarms = Count(Comparisons, blocks, spread, slowerBy: 0, drift, comparison => comparison.With(Verdict.Regressed).Concat(comparison.With(Verdict.Improved)).Any());

        TestContext.Current.TestOutputHelper?.WriteLine($"{alarms} of {Comparisons}");
        Assert.True(alarms < 0.02 * Comparisons, $"{alarms} of {Comparisons} comparisons of equal code had an alarm.");
    }

    [Theory]
    [InlineData(8, 0.02, 0)]
    [InlineData(10, 0.04, 0)]
    [InlineData(10, 0.03, 0.03)]
    [InlineData(20, 0.06, 0)]
    [InlineData(20, 0.05, 0.05)]
    [InlineData(50, 0.1, 0.05)]
    public void A_slow_down_of_a_tenth_is_found_in_more_than_nine_of_ten(int blocks, double spread, double drift)
    {
        const int Comparisons = 100;

        var found = Count(Comparisons, blocks, spread, slowerBy: 0.1, drift, comparison => Throughput(comparison).Verdict == Verdict.Regressed);

        TestContext.Current.TestOutputHelper?.WriteLine($"{found} of {Comparisons}");
        Assert.True(found > 0.9 * Comparisons, $"The slow-down was found in {found} of {Comparisons} comparisons.");
    }

    [Theory]
    [InlineData(4)]
    [InlineData(10)]
    [InlineData(20)]
    public void The_interval_holds_the_true_ratio_about_as_often_as_it_says(int blocks)
    {
        const int Comparisons = 300;

        var held = Count(Comparisons, blocks, 0.1, slowerBy: 0.25, drift: 0.05, comparison => Throughput(comparison) is { Low: <= 0.8, High: >= 0.8 });

        TestContext.Current.TestOutputHelper?.WriteLine($"{held} of {Comparisons}");
        Assert.True(held >= 0.97 * Comparisons, $"The interval held the true ratio in {held} of {Comparisons} comparisons.");
    }

    private static MetricComparison Throughput(RunComparison comparison) => comparison.Scenarios[0].Metrics[0];

    private static int Count(int comparisons, int blocks, double spread, double slowerBy, double drift, Func<RunComparison, bool> isSo) =>
        Enumerable.Range(1, comparisons).AsParallel().Count(comparison => isSo(BlockComparer.Compare(
            "base", "candidate", SimulatedBlocks.Of(new(7_919 * comparison), blocks, spread, slowerBy, drift), ComparisonSettings.Default)));
}
