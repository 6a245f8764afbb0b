namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ThresholdTests
{
    [Theory]
    [InlineData("responseTime:p99 <= 50ms", "responseTime", "p99", ThresholdBound.AtMost, 50)]
    [InlineData(" responseTime : p99.9<1.5s ", "responseTime", "p99.9", ThresholdBound.Below, 1_500)]
    [InlineData("signalPublish:average < 2ms", "signalPublish", "average", ThresholdBound.Below, 2)]
    [InlineData("lateness:max < 1s", "lateness", "max", ThresholdBound.Below, 1_000)]
    [InlineData("lateness <= 1%", "lateness", null, ThresholdBound.AtMost, 0.01)]
    [InlineData("errorRate < 0.002", "errorRate", null, ThresholdBound.Below, 0.002)]
    [InlineData("throughput >= 990", "throughput", null, ThresholdBound.AtLeast, 990)]
    [InlineData("drain < 2s", "drain", null, ThresholdBound.Below, 2_000)]
    [InlineData("cost.walBytes <= 2KiB", "cost.walBytes", null, ThresholdBound.AtMost, 2_048)]
    [InlineData("checkpoints > 0", "checkpoints", null, ThresholdBound.Above, 0)]
    public void A_threshold_is_read(string text, string metric, string? statistic, ThresholdBound bound, double limit) =>
        Assert.Equal(new() { Metric = metric, Statistic = statistic, Bound = bound, Limit = limit }, Threshold.Parse(text));

    [Theory]
    [InlineData("responsTime:p99 <= 50ms", "on 'responsTime', which no step has", "Did you mean 'responseTime'?")]
    [InlineData("cost.walByte <= 1", "on 'cost.walByte'", "Did you mean 'cost.walBytes'?")]
    [InlineData("responseTime <= 50ms", "is on a latency; name a percentile", "for instance 'responseTime:p99'.")]
    [InlineData("throughput:p99 > 5", "'throughput' is one figure; leave it out.")]
    [InlineData("responseTime:p101 < 5ms", "names 'p101'; it must be a percentile from p0 to p100")]
    [InlineData("responseTime:avrage < 5ms", "Did you mean 'average'?")]
    [InlineData("responseTime:p99 < 5", "has the limit '5'; it must be a number followed by ms, s, m or h")]
    [InlineData("errorRate < 110%", "has the limit '110%'; it must be a share")]
    [InlineData("throughput > many", "has the limit 'many'; it must be a number")]
    [InlineData("responseTime:p99 = 5ms", "is not understood; it has the form METRIC[:PERCENTILE] OPERATOR VALUE")]
    public void What_is_not_understood_is_refused_with_what_would_be_valid(string text, params string[] words)
    {
        var mistake = Mistake(() => Threshold.Parse(text));

        EachItem.Holds(words.Prepend($"The threshold '{text}'"), word => Assert.Contains(word, mistake));
    }

    [Theory]
    [InlineData("responsTime:p99 <= 50ms", false)]
    [InlineData("qqq <= 5", true)]
    public void All_metrics_are_listed_once_and_only_where_none_resembles_what_was_typed(string text, bool listed)
    {
        var mistake = Mistake(() => Threshold.Parse(text));

        Assert.Equal(listed ? 2 : 1, mistake.Split(" conflicts,").Length);
    }

    [Theory]
    [InlineData("throughput < 10", 9, true)]
    [InlineData("throughput < 10", 10, false)]
    [InlineData("throughput <= 10", 10, true)]
    [InlineData("throughput > 10", 10, false)]
    [InlineData("throughput >= 10", 10, true)]
    [InlineData("throughput >= 10", 9, false)]
    [InlineData("errorRate <= 0.7%", 0.007, true)]
    [InlineData("errorRate <= 0", 1e-9, false)]
    public void A_limit_is_kept_or_broken(string text, double value, bool holds) => Assert.Equal(holds, Threshold.Parse(text).Holds(value));

    [Fact]
    public void A_later_threshold_replaces_one_on_the_same_side_of_the_same_figure() =>
        Assert.Equal(
            ["throughput > 5", "responseTime:p50 < 5ms", "throughput < 9", "responseTime:p99 < 60ms"],
            Threshold
                .Merged(
                    Parsed("responseTime:p99 <= 50ms", "throughput > 5", "responseTime:p50 < 5ms", "throughput <= 8"),
                    Parsed("throughput < 9", "responseTime:p99 < 60ms")
                )
                .Select(threshold => threshold.Text)
        );

    private static Threshold[] Parsed(params string[] texts) => [.. texts.Select(Threshold.Parse)];
}
