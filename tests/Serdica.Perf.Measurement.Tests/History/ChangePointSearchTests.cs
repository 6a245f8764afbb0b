using FsCheck;
using FsCheck.Fluent;
using Serdica.Perf.Analysis.History;
using Serdica.Perf.Measurement.Tests.Analysis;
using Serdica.Perf.Measurement.Tests.Comparison;

namespace Serdica.Perf.Measurement.Tests.History;

/// <summary>
/// How often change points are found that are none, and how often those that are. The seeds are fixed: the figures are in
/// docs/statistics.md.
/// </summary>
public sealed class ChangePointSearchTests
{
    [Theory]
    [InlineData(30, 0.05)]
    [InlineData(100, 0.15)]
    [InlineData(365, 0.15)]
    public void Stationary_noise_has_no_change_point(int points, double spread)
    {
        const int Series = 500;

        var wrong = Count(Series, random => Find(Level(random, points, spread)).Count > 0);

        Published.Row($"{points}", Published.Percent(spread), "0", Published.Share(wrong, Series));
        Assert.True(wrong <= 0.02 * Series, $"{wrong} of {Series} series of noise had a change point.");
    }

    /// <summary>Each commit's noise has a share of the one before it: an autoregressive process of first order.</summary>
    [Theory]
    [InlineData(30, 0.3)]
    [InlineData(100, 0.3)]
    [InlineData(100, 0.5)]
    [InlineData(365, 0.5)]
    public void Autocorrelated_noise_rarely_has_a_change_point(int points, double correlation)
    {
        const int Series = 500;

        var wrong = Count(Series, random => Find(Autocorrelated(random, points, 0.06, correlation)).Count > 0);

        Published.Row($"{points}", "6 %", $"{correlation}", Published.Share(wrong, Series));
        Assert.True(wrong <= 0.05 * Series, $"{wrong} of {Series} series of noise had a change point.");
    }

    [Fact]
    public void Outliers_in_stationary_noise_are_no_change_points()
    {
        const int Series = 300;

        var wrong = Count(
            Series,
            random => Find([.. Level(random, 100, 0.05).Select(value => random.Next(20) == 0 ? value * 0.5 : value)]).Count > 0
        );

        Published.Row("100, every twentieth an outlier at half the level", "5 %", "0", Published.Share(wrong, Series));
        Assert.True(wrong <= 0.02 * Series, $"{wrong} of {Series} series with outliers had a change point.");
    }

    [Theory]
    [InlineData(0.02, 5, 5)]
    [InlineData(0.05, 15, 5)]
    [InlineData(0.1, 60, 15)]
    public void A_step_of_a_tenth_is_found_near_where_it_is(double spread, int pointsAfter, int within)
    {
        const int Series = 200;

        var found = Count(
            Series,
            random =>
                Find([.. Level(random, 60, spread), .. Level(random, pointsAfter, spread, 9_000)])
                    .Any(change => Math.Abs(change.Index - 60) <= within && change.Change < -0.05)
        );

        Published.Row($"{pointsAfter}", Published.Percent(spread), Published.Share(found, Series), $"{within}");
        Assert.True(found >= 0.9 * Series, $"The step was found in {found} of {Series} series.");
    }

    [Fact]
    public void A_small_change_is_found_before_a_large_one_that_comes_later()
    {
        var random = new Random(5);
        var changes = Find([.. Level(random, 40, 0.01), .. Level(random, 40, 0.01, 9_200), .. Level(random, 40, 0.01, 3_000)]);

        Assert.Equal([40, 80], changes.Select(change => change.Index));
        Assert.Equal([-0.08, -0.68], changes.Select(change => Math.Round(change.Change, 2)));
        EachItem.Holds(changes, change => Assert.InRange(change.PValue, 0, ChangePointSearch.MaxPValue));
    }

    [Fact]
    public void A_level_that_does_not_last_is_none()
    {
        var random = new Random(5);
        double[] values = [.. Level(random, 30, 0.01), 5_000, 5_000, .. Level(random, 30, 0.01)];

        Assert.Empty(Find(values));
    }

    [Fact]
    public void Any_values_give_ordered_points_with_levels_between_them_whatever_their_unit() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.Choose(1, 20).Select(value => (double)value).ArrayOf().ToArbitrary(),
                values =>
                {
                    var changes = ChangePointSearch.Find(values);
                    int[] bounds = [0, .. changes.Select(change => change.Index), values.Length];
                    return bounds
                            .Zip(bounds.Skip(1))
                            .All(pair => changes.Count == 0 || pair.Second - pair.First >= ChangePointSearch.FewestPoints)
                        && changes
                            .Select(change => change.Index)
                            .SequenceEqual(
                                ChangePointSearch.Find([.. values.Select(value => value * 1_000)]).Select(change => change.Index)
                            );
                }
            )
        );

    [Fact]
    public void Too_few_points_equal_points_and_zeros_have_an_answer()
    {
        Assert.Empty(Find([]));
        Assert.Empty(Find([1, 2, 3]));
        Assert.Empty(Find([.. Enumerable.Repeat(7.0, 50)]));
        Assert.Equal(10, Assert.Single(Find([.. Enumerable.Repeat(1.0, 10), .. Enumerable.Repeat(0.0, 10)])).Index);
    }

    private static IReadOnlyList<ChangePoint> Find(double[] values) => ChangePointSearch.Find(values);

    private static double[] Level(Random random, int points, double spread, double level = 10_000) =>
        [.. Enumerable.Range(0, points).Select(_ => level * Math.Exp(spread * Noise.Normal(random)))];

    private static double[] Autocorrelated(Random random, int points, double spread, double correlation)
    {
        var noise = spread * Noise.Normal(random);
        return
        [
            .. Enumerable
                .Range(0, points)
                .Select(_ =>
                    10_000
                    * Math.Exp(noise = correlation * noise + Math.Sqrt(1 - correlation * correlation) * spread * Noise.Normal(random))
                ),
        ];
    }

    private static int Count(int series, Func<Random, bool> isSo) =>
        Enumerable.Range(1, series).AsParallel().Count(number => isSo(new(7_919 * number)));
}
