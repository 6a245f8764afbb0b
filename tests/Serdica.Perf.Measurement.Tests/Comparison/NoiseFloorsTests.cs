using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class NoiseFloorsTests
{
    private static readonly RunResult Monday = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_000);
    private static readonly RunResult Tuesday = SimulatedRuns.OfThroughputs(7_920, 8_000, 8_080, 8_040, 7_960, 8_000);
    private static readonly RunResult Wednesday = SimulatedRuns.OfThroughputs(8_910, 9_000, 9_090, 9_045, 8_955, 9_000);
    private static readonly RunResult Thursday = SimulatedRuns.OfThroughputs(7_425, 7_500, 7_575, 7_537.5, 7_462.5, 7_500);

    [Fact]
    public void A_change_that_runs_of_the_same_code_have_shown_is_noise()
    {
        Assert.Equal(Verdict.Regressed, Throughput(ComparisonSettings.Default).Verdict);

        var learned = Throughput(ComparisonSettings.Default with { LearnedFloors = NoiseFloors.Learn([Monday, Wednesday, Thursday]) });

        Assert.Equal(Verdict.Unstable, learned.Verdict);
        Assert.Equal(1 / 3.0, learned.NoiseFloor!.Value, 9);
        Assert.Equal("The same code may differ as much: the noise floor is 33.3 %.", learned.Reason);
    }

    [Fact]
    public void Two_runs_are_too_few_and_runs_of_other_code_or_parameters_teach_nothing()
    {
        Assert.Contains("3 runs of the same code or more", Assert.Throws<BaselineException>(() => NoiseFloors.Learn([Monday, Tuesday])).Message, StringComparison.Ordinal);
        Assert.Contains("commit: ", Refusal(Wednesday with { Environment = Wednesday.Environment with { Source = new() { Commit = "abc" } } }), StringComparison.Ordinal);
        Assert.Contains("workers: 8 against 2", Refusal(Wednesday with
        {
            Scenarios = [.. Wednesday.Scenarios.Select(scenario => scenario with { Parameters = scenario.Parameters with { Workers = 2 } })],
        }), StringComparison.Ordinal);
    }

    private static string Refusal(RunResult other) => Assert.Throws<BaselineException>(() => NoiseFloors.Learn([Monday, Tuesday, other])).Message;

    private static MetricComparison Throughput(ComparisonSettings settings) => RunComparer.Compare(Monday, Tuesday, settings).Scenarios[0].Metrics[0];
}
