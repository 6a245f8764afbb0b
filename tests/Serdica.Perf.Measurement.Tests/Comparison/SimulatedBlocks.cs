namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>
/// Blocks as a busy machine gives them: each run has noise of its own, and the machine becomes slower and faster meanwhile.
/// </summary>
internal static class SimulatedBlocks
{
    /// <summary>The blocks with all runs of one side changed.</summary>
    public static AbBlock[] On(IReadOnlyList<AbBlock> blocks, AbSide side, Func<AbRun, AbRun> change) =>
        [.. blocks.Select(block => block with { Runs = [.. block.Runs.Select(run => run.Side == side ? change(run) : run)] })];

    /// <param name="spread">Standard deviation of the logarithm of a figure between runs.</param>
    /// <param name="slowerBy">0.1 makes the candidate's times 10 % longer.</param>
    /// <param name="drift">Standard deviation of the step that the machine's own speed takes from run to run, in logarithms.</param>
    /// <param name="disturbance">Standard deviation, in logarithms, of what slows both runs of the candidate in a block and no other
    /// run.</param>
    public static IReadOnlyList<AbBlock> Of(
        Random random,
        int blocks,
        double spread,
        double slowerBy = 0,
        double drift = 0,
        double disturbance = 0
    )
    {
        var weather = 0.0;
        return
        [
            .. Range(1, blocks)
                .Select(number =>
                {
                    var disturbed = disturbance == 0 ? 1 : Math.Exp(disturbance * Noise.Normal(random));
                    return new AbBlock(
                        number,
                        [
                            .. AbBlock
                                .Order(number)
                                .Select(side =>
                                {
                                    weather += drift * Noise.Normal(random);
                                    var slower = Math.Exp(weather) * (side == AbSide.Candidate ? (1 + slowerBy) * disturbed : 1);
                                    return new AbRun(side, $"runs/{number}", SimulatedRuns.Run(random, repeats: 1, spread, slower - 1));
                                }),
                        ]
                    );
                }),
        ];
    }
}
