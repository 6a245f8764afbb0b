namespace Serdica.Perf.Measurement.Tests.Reports.Documents;

public sealed class CurvesTests
{
    [Fact]
    public void Percentiles_rise_to_the_maximum_at_the_number_of_values()
    {
        var histogram = new LatencyHistogram();
        for (var value = 1; value <= 10_000; value++)
            histogram.Record(FromMilliseconds(value));

        var points = LatencyShape.Percentiles(histogram);

        Assert.Equal([10_000, 10_000], points[^1]);
        Assert.Equal(points.OrderBy(point => point[0]).ThenBy(point => point[1]), points);
        foreach (var point in points.SkipLast(1))
            Assert.InRange(
                point[1],
                10_000 * (1 - 1 / point[0]) * 0.999,
                Math.Max(1.01, 10_000 * (1 - 1 / point[0]) * (1 + 2 * LatencyHistogram.RelativeError))
            );
    }

    [Fact]
    public void The_distribution_holds_every_value_once_in_buckets_that_meet()
    {
        var histogram = new LatencyHistogram();
        for (var value = 1; value <= 1_000; value++)
            histogram.Record(value * 7_919L * 1_000);

        var buckets = LatencyShape.Distribution(histogram);

        Assert.Equal(1_000, buckets.Sum(bucket => bucket[2]));
        EachItem.Holds(buckets.Zip(buckets.Skip(1)), pair => Assert.Equal(pair.First[1], pair.Second[0], pair.First[1] * 1e-4));
        EachItem.Holds(buckets.Skip(1).SkipLast(1), bucket => Assert.InRange(bucket[1] / bucket[0], 1.05, 1.13));
    }

    [Fact]
    public void An_empty_histogram_has_no_curves()
    {
        Assert.Empty(LatencyShape.Percentiles(new LatencyHistogram()));
        Assert.Empty(LatencyShape.Distribution(new LatencyHistogram()));
    }

    [Fact]
    public void A_heat_map_of_many_intervals_has_fewer_columns_and_every_operation()
    {
        var timeline = new ThroughputTimeline();
        for (var second = 0; second < 500; second++)
            timeline.Record(FromSeconds(second + 0.5), FromMilliseconds(1 + second % 50));

        var map = HeatMap.Of(timeline.Histograms(FromSeconds(500)))!;

        Assert.Equal(100, map.Columns);
        Assert.Equal(5, map.IntervalSeconds);
        Assert.Equal(500, map.Cells.Sum(cell => cell[2]));
        EachItem.Holds(map.Cells, cell => Assert.True(cell[0] < map.Columns && cell[1] < map.UpperMs.Count));
        Assert.Equal(map.UpperMs.Order(), map.UpperMs);
    }

    [Fact]
    public void Counters_are_drawn_as_rates_and_states_as_means()
    {
        var samples = Range(0, 1_201).Select(second => Sample(second, second * 100)).ToArray();

        var curves = SampleCurves.Of(samples)!;

        Assert.Equal(3, curves.SamplesPerPoint);
        var completed = curves.Panels.Single(panel => panel.Title == "Operations").Curves.Single(curve => curve.Name == "completed");
        Assert.Null(completed.Values[0]);
        EachItem.Holds(completed.Values.Skip(1), value => Assert.Equal(100, value));
        Assert.Equal(1, curves.Panels.Single(panel => panel.Title == "Operations in flight").Curves[0].Values[0]);
        Assert.DoesNotContain(curves.Panels, panel => panel.Title == "Log of the database");
    }

    [Fact]
    public void Checkpoints_and_the_drain_are_marked()
    {
        Sample[] samples = [Sample(0, 0, checkpoints: 2), Sample(1, 10, checkpoints: 2), Sample(2, 20, checkpoints: 3)];

        var marks = SampleCurves.Marks(SampleRun.Serial with { DurationMs = 2_000, Drain = new(500) }, samples);

        Assert.Equal([new ReportMark(2, null, "checkpoint"), new ReportMark(2, 2.5, "drain")], marks);
    }

    [Fact]
    public void A_last_sample_right_behind_the_one_before_makes_no_peak()
    {
        // What the server tells at the end belongs to the whole second.
        var last = Sample(4, 460) with { T = 4.01 };

        var curves = SampleCurves.Of([Sample(0, 0), Sample(1, 100), Sample(2, 200), Sample(3, 300), Sample(4, 400), last])!;

        Assert.Equal([0, 1, 2, 3, 4.01], curves.Seconds);
        var completed = curves.Panels.Single(panel => panel.Title == "Operations").Curves.Single(curve => curve.Name == "completed");
        Assert.Equal(160 / 1.01, completed.Values[^1]!.Value, 0.1);
    }

    [Fact]
    public void The_rest_of_an_interval_is_drawn_with_the_one_before_when_it_is_short()
    {
        var timeline = new Timeline
        {
            IntervalMs = 1_000,
            Intervals = [new(0, 100, 100, 5), new(1_000, 100, 100, 6), new(2_000, 4, 400, 9)],
        };

        var joined = timeline.WithoutShortEnd(2_010);
        Assert.Equal(
            [(0, 100, 5), (1_000, 104, 6)],
            joined.Select(interval => ((int)interval.OffsetMs, (int)interval.Count, (int)interval.P99Ms!.Value))
        );
        Assert.Equal(104 / 1.01, joined[1].PerSecond, 1e-9);
        Assert.Same(timeline.Intervals, timeline.WithoutShortEnd(2_600));
    }

    [Fact]
    public void Two_samples_are_no_curve() => Assert.Null(SampleCurves.Of([Sample(0, 0), Sample(1, 10)]));

    private static Sample Sample(int second, int completed, double? checkpoints = null) =>
        new()
        {
            T = second,
            Scenario = "postgresql-a",
            Repeat = 1,
            Generator = new(completed + 1, completed, 0, 1),
            Engine = new(second, second, [0, 0, 0], 1, new EngineCounters()),
            Database = new Dictionary<string, double?> { ["checkpoints"] = checkpoints },
            Host = new(null, null),
        };
}
