namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class EqualCodeTests
{
    [Fact]
    public void Blocks_are_cut_into_comparisons_and_a_rest_is_left_out()
    {
        var equal = EqualCode.OfBlocks(SimulatedBlocks.Of(new(3), 23, 0.02), 5);
        var slower = EqualCode.OfBlocks(SimulatedBlocks.Of(new(3), 10, 0.02, slowerBy: 0.5), 5);

        Assert.Equal(4, equal.Count);
        Assert.All(equal, comparison => Assert.Empty(EqualCode.Alarms(comparison)));
        Assert.All(equal, comparison => Assert.Equal(("base", "candidate"), (comparison.Base, comparison.Candidate)));
        Assert.All(slower, comparison => Assert.Contains(EqualCode.Alarms(comparison), metric => metric.Metric == "throughput"));
    }

    [Fact]
    public void Runs_are_compared_in_pairs_without_a_history()
    {
        var random = new Random(3);
        var pairs = EqualCode.OfRuns([.. Range(0, 5).Select(index => SimulatedRuns.Run(random, 5, 0.02, index == 3 ? 1.5 : 0))]);

        Assert.Equal([0, 1], pairs.Select(pair => EqualCode.Alarms(pair).Count > 0 ? 1 : 0));
        Assert.Equal(0, pairs[0].Scenarios[0].Metrics[0].BetweenRuns!.Runs);
        Assert.Equal(Verdict.Regressed, pairs[1].Scenarios[0].Metrics[0].Verdict);
    }
}
