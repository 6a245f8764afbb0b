namespace Serdica.Perf.Faults.Tests.Figures;

public sealed class FaultThresholdTests
{
    [Theory]
    [InlineData("recoveredAfter:killHost <= 1s", "recoveredAfter:killHost <= 1000ms")]
    [InlineData(" rateKept >= 0.95", "rateKept >= 95%")]
    [InlineData("failedCalls<100", "failedCalls < 100")]
    public void Threshold_is_understood(string typed, string text)
    {
        var threshold = FaultThreshold.Parse(typed);

        Assert.Equal(text, threshold.Text);
        Assert.Equal(threshold, FaultThreshold.Parse(text));
    }

    [Theory]
    [InlineData("recoveredAfter 1s", "The threshold 'recoveredAfter 1s' is not understood; it has the form FIGURE[:FAULT]")]
    [InlineData("recoverdAfter <= 1s", "The threshold 'recoverdAfter <= 1s' is on 'recoverdAfter', which no fault has; there are")]
    [InlineData("recoveredAfter:killhost <= 1s", "The threshold 'recoveredAfter:killhost <= 1s' is on faults 'killhost', which")]
    [InlineData("recoveredAfter <= 1", "The threshold 'recoveredAfter <= 1' has the limit '1'; it must be a number followed by ms, s")]
    [InlineData("rateKept >= 95", "The threshold 'rateKept >= 95' has the limit '95'; it must be a share from 0% to 100%")]
    [InlineData("failedCalls < 5ms", "The threshold 'failedCalls < 5ms' has the limit '5ms'; it must be a number.")]
    public void What_is_not_understood_is_refused(string typed, string sentence) =>
        Assert.StartsWith(sentence, Assert.Throws<ArgumentException>(() => FaultThreshold.Parse(typed)).Message);

    [Fact]
    public void Defaults_count_where_the_plan_has_their_fault_and_no_other_limit_is_given()
    {
        FaultThreshold[] given = [FaultThreshold.Parse("recoveredAfter:killHost <= 2s")];

        Assert.Equal(
            ["lastRepeatAfter:killHost <= 3000ms", "recoveredAfter:killHost <= 2000ms"],
            FaultThreshold.For(Plan("kill-worker"), FaultThreshold.PostgreSql, given).Select(threshold => threshold.Text)
        );
        Assert.Equal(FaultThreshold.PostgreSql, FaultThreshold.For(Plan("everything"), FaultThreshold.PostgreSql, []));
        Assert.Equal(
            FaultThreshold.PostgreSql.Skip(1).Concat(given),
            FaultThreshold.For(Plan("everything"), FaultThreshold.PostgreSql, given)
        );
    }

    [Theory]
    [InlineData("recoveredAfter:killDatabase <= 1s", "The threshold 'recoveredAfter:killDatabase <= 1000ms' is on a fault that")]
    [InlineData(null, "No default threshold is on a fault of this run, which has pauseHost; use --threshold.")]
    public void Threshold_without_a_fault_is_refused(string? given, string sentence) =>
        Assert.StartsWith(
            sentence,
            Assert
                .Throws<ArgumentException>(() =>
                    FaultThreshold.For(
                        Plan("zombie"),
                        given is null ? FaultThreshold.PostgreSql : [],
                        given is null ? [] : [FaultThreshold.Parse(given)]
                    )
                )
                .Message
        );

    private static FaultPlan Plan(string name) => BuiltInPlans.Make(name, BackendNames.PostgreSql, 1, FromMinutes(10), 2);
}
