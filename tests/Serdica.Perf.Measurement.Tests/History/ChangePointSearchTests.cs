using Serdica.Perf.Reports.Text;

namespace Serdica.Perf.Measurement.Tests.History;

/// <summary>
/// How often change points are found that are none, and how often those that are. The seeds are fixed: the figures are in
/// docs/statistics.md.
/// </summary>
public sealed class ChangePointSearchTests
{
    /// <summary>A simulated run has this number of metrics (<see cref="SimulatedRuns"/>).</summary>
    private const int Metrics = 14;

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

        var wrong = Count(Series, random =>
            Find([.. Level(random, 100, 0.05).Select(value => random.Next(20) == 0 ? value * 0.5 : value)]).Count > 0
        );

        Published.Row("100, every twentieth an outlier at half the level", "5 %", "0", Published.Share(wrong, Series));
        Assert.True(wrong <= 0.02 * Series, $"{wrong} of {Series} series with outliers had a change point.");
    }

    /// <summary>
    /// One scenario with as many metrics as runs of the build machine have, which rise and fall together as theirs do, each an
    /// autoregressive process of first order.
    /// </summary>
    [Theory]
    [InlineData(30, 0)]
    [InlineData(100, 0)]
    [InlineData(30, 0.3)]
    [InlineData(100, 0.3)]
    [InlineData(100, 0.5)]
    public void Of_a_hundred_histories_without_a_change_at_most_two_have_a_change_point_in_any_metric(int points, double correlation)
    {
        const int Histories = 500;

        var wrong = Count(Histories, random =>
        {
            var history = Scenario(random, points, 0.06, correlation);
            return TrendSeries.Of(history, [.. history[0].Figures.Keys]).Any(series => series.ChangePoints.Count > 0);
        });

        Published.Row($"{points}", $"{Metrics}", "6 %", $"{correlation}", Published.Share(wrong, Histories));
        Assert.True(wrong <= 0.02 * Histories, $"{wrong} of {Histories} histories of noise had a change point.");
    }

    [Fact]
    public void Series_that_are_judged_together_share_the_chance_of_a_false_alarm_and_short_ones_have_none()
    {
        // Up and down by 5 % around two levels: the p of the change is 3.5e-5.
        double[] values =
        [
            .. Range(0, 40).Select(index => Math.Exp((index % 2 == 0 ? -0.05 : 0.05) - (index < 20 ? 0 : 0.076))),
        ];
        IReadOnlyList<ChangePoint> Changes(int others, int points)
        {
            HistoryLine[] history =
            [
                .. values.Select((value, number) => Line(number, [value, .. Repeat(1.0, number < points ? others : 0)])),
            ];
            return TrendSeries.Of(history, [.. history[0].Figures.Keys])[0].ChangePoints;
        }

        var change = Assert.Single(Changes(others: 0, points: 40));
        Assert.InRange(change.PValue, ChangePointSearch.MaxPValue / Metrics, ChangePointSearch.MaxPValue / 2);
        Assert.Empty(Changes(Metrics - 1, points: 40));
        Assert.Single(Changes(Metrics - 1, 2 * ChangePointSearch.FewestPoints - 1));
    }

    [Theory]
    [InlineData(0.02, 5, 5, 1, 0.9)]
    [InlineData(0.05, 15, 5, 1, 0.9)]
    [InlineData(0.1, 60, 15, 1, 0.9)]
    [InlineData(0.02, 5, 5, Metrics, 0.9)]
    [InlineData(0.05, 15, 5, Metrics, 0.9)]
    [InlineData(0.1, 60, 15, Metrics, 0.7)]
    public void A_step_of_a_tenth_is_found_near_where_it_is(double spread, int pointsAfter, int within, int judged, double atLeast)
    {
        const int Series = 200;

        var found = Count(Series, random =>
            ChangePointSearch
                .Find([.. Level(random, 60, spread), .. Level(random, pointsAfter, spread, 9_000)], judged: judged)
                .Any(change => Math.Abs(change.Index - 60) <= within && change.Change < -0.05)
        );

        Published.Row($"{pointsAfter}", Published.Percent(spread), $"{judged}", Published.Share(found, Series), $"{within}");
        Assert.True(found >= atLeast * Series, $"The step was found in {found} of {Series} series.");
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
            Prop.ForAll(Gen.Choose(1, 20).Select(value => (double)value).ArrayOf().ToArbitrary(), values =>
            {
                var changes = ChangePointSearch.Find(values);
                int[] bounds = [0, .. changes.Select(change => change.Index), values.Length];
                return bounds
                        .Zip(bounds.Skip(1))
                        .All(pair => changes.Count == 0 || pair.Second - pair.First >= ChangePointSearch.FewestPoints)
                    && changes
                        .Select(change => change.Index)
                        .SequenceEqual(ChangePointSearch.Find([.. values.Select(value => value * 1_000)]).Select(change => change.Index));
            })
        );

    [Fact]
    public void Too_few_points_equal_points_and_zeros_have_an_answer()
    {
        Assert.Empty(Find([]));
        Assert.Empty(Find([1, 2, 3]));
        Assert.Empty(Find([.. Repeat(7.0, 50)]));
        Assert.Equal(10, Assert.Single(Find([.. Repeat(1.0, 10), .. Repeat(0.0, 10)])).Index);
    }

    private static IReadOnlyList<ChangePoint> Find(double[] values) => ChangePointSearch.Find(values);

    private static double[] Level(Random random, int points, double spread, double level = 10_000) =>
        [.. Range(0, points).Select(_ => level * Math.Exp(spread * Noise.Normal(random)))];

    [Fact]
    public void Of_two_changes_that_are_too_small_the_smaller_one_goes_first()
    {
        // Levels of 100, 103 and 107 differ by 3 and 3.9 %; the first two together and the last by 5.4 %.
        double[] values =
        [
            .. Range(0, 180)
                .Select(index =>
                    (index < 60 ? 100 : index < 120 ? 103 : 107)
                    + index % 2 * 0.1
                ),
        ];

        Assert.Equal(120, Assert.Single(ChangePointSearch.Find(values)).Index);
    }

    [Theory]
    [InlineData(7, false)]
    [InlineData(8, true)]
    public void A_condition_that_changed_with_the_level_is_named(int from, bool isNamed)
    {
        HistoryLine[] history =
        [
            .. Range(0, 16)
                .Select(number =>
                    Line(number, [number < 8 ? 100 : 150]) with
                    {
                        Conditions = new Dictionary<string, string> { ["dotNet"] = number < from ? "10.0.1" : "10.0.2" },
                    }
                ),
        ];

        var series = Assert.Single(TrendSeries.Of(history, ["metric-0"]));

        Assert.Equal(8, Assert.Single(series.ChangePoints).Index);
        Assert.Equal(isNamed ? ["dotNet: 10.0.1 to 10.0.2"] : [], series.AlsoChanged.Values);
        Assert.Single(TrendSeries.Of(history[..1], ["metric-0"]));
    }

    [Fact]
    public void Change_from_zero_has_no_percentage_and_that_of_a_neutral_metric_is_neither_better_nor_worse()
    {
        string[] metrics = ["cost.deadlocks", "cost.checkpoints"];
        HistoryFigure Figure(int number, int before) => new(number < 8 ? before : 2, null);
        var history = Range(0, 16)
            .Select(number => Line(number, []) with { Figures = metrics.Index().ToDictionary(m => m.Item, m => Figure(number, m.Index)) });

        var trends = TrendSeries.Of([.. history], metrics);

        Assert.Equal(
            ["0.0000 to 2.00, worse (p below 0.000001)", "1.00 to 2.00, +100.0 % (p below 0.000001)"],
            trends.Select(series => TrendText.Change(series, series.ChangePoints[0]).Split(": ")[1])
        );
        Assert.Contains("\"change\": null", JsonSerializer.Serialize(trends, MeasurementJson.Artifacts));
    }

    private static double[] Autocorrelated(Random random, int points, double spread, double correlation)
    {
        var noise = spread * Noise.Normal(random);
        return
        [
            .. Range(0, points)
                .Select(_ =>
                    10_000
                    * Math.Exp(noise = correlation * noise + Math.Sqrt(1 - correlation * correlation) * spread * Noise.Normal(random))
                ),
        ];
    }

    /// <summary>The metrics share most of their noise, as the figures of one run do.</summary>
    private static HistoryLine[] Scenario(Random random, int points, double spread, double correlation)
    {
        var shared = Noise.Normal(random);
        double[] own = [.. Range(0, Metrics).Select(_ => Noise.Normal(random))];
        double Next(double noise) => correlation * noise + Math.Sqrt(1 - correlation * correlation) * Noise.Normal(random);
        return
        [
            .. Range(0, points)
                .Select(number =>
                {
                    shared = Next(shared);
                    for (var metric = 0; metric < Metrics; metric++)
                        own[metric] = Next(own[metric]);
                    return Line(number, [.. own.Select(noise => 10_000 * Math.Exp(spread * (0.8 * shared + 0.6 * noise)))]);
                }),
        ];
    }

    private static HistoryLine Line(int number, double[] figures) =>
        new()
        {
            Commit = $"{number}",
            At = DateTimeOffset.UnixEpoch.AddDays(number),
            Name = SimulatedRuns.Name,
            Series = "series",
            Run = $"run-{number}",
            Repeats = 1,
            Figures = figures.Index().ToDictionary(figure => $"metric-{figure.Index}", figure => new HistoryFigure(figure.Item, null)),
        };

    private static int Count(int series, Func<Random, bool> isSo) => Range(1, series).Count(number => isSo(new(7_919 * number)));
}
