using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Results;

public sealed class TypicalRepeatTests
{
    [Fact]
    public void It_is_the_repeat_of_median_throughput_of_those_that_passed()
    {
        var repeats = new[] { Repeat(1, 100), Repeat(2, 10), Repeat(3, 50), Repeat(4, 1) with { Status = ScenarioStatus.Failed } };

        Assert.Equal(3, Assert.Single(TypicalRepeat.Of(repeats)).Parameters.Repeat);
    }

    [Fact]
    public void When_none_passed_it_is_the_first()
    {
        var repeats = new[] { Repeat(1, 100), Repeat(2, 10) }.Select(repeat => repeat with { Status = ScenarioStatus.Failed });

        Assert.Equal(1, Assert.Single(TypicalRepeat.Of(repeats)).Parameters.Repeat);
    }

    private static ScenarioResult Repeat(int number, double durationMs) =>
        SampleRun.Scenario("signal-roundtrip-soak", "WorkflowPerfSoak", ScenarioFamilies.SignalRoundtrip, number) with { DurationMs = durationMs };
}
