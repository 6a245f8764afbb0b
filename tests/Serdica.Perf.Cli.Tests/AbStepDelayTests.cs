namespace Serdica.Perf.Cli.Tests;

/// <summary>Apart from the other tests of the command, because its sixteen measurements sleep for most of a minute.</summary>
public sealed class AbStepDelayTests : CliTests
{
    [Fact]
    public async Task A_step_that_sleeps_is_found_regressed_and_breaches_the_gate()
    {
        var gate = Path.Combine(Cli.Folder, "perf-gate.json");
        File.WriteAllText(gate, """{ "relative": [{ "metric": "p50", "worseBy": 0.1 }] }""");

        // Both sides mostly sleep: what a busy machine does to a process then is small beside the factor between them.
        var exitCode = await Cli.MeasureInThisProcessAsync(
            "ab --backend in-memory --scenario signal-roundtrip-latency-serial --operations 3 --warmup 1 --blocks 4",
            "--base",
            "--step-delay 50ms",
            "--candidate",
            "--step-delay 300ms",
            "--gate",
            gate
        );

        // The median and not the throughput: one stall of seconds, which a busy machine may do to any process, is a large part of
        // the few operations of a base and moves no median.
        Assert.True(exitCode == ExitCodes.GateBreached, $"Exit code {exitCode}: {Cli.Error}{Cli.Output}");
        Assert.Matches(@"(?m)^SLOWER OR MORE EXPENSIVE\. Of \d primary metrics: \d slower or more expensive", Cli.Output);
        Assert.Matches(@"p50, ms .* slower", Cli.Output);
        var result = Cli.Read<AbResult>(AbFolder.ResultFile);
        var median = result.Comparison.Scenarios[0].Metrics.Single(metric => metric.Metric == "p50");
        Assert.Equal(Verdict.Regressed, median.Verdict);
        Assert.True(median.Ratio > 2, $"The median is {median.Ratio} times that of the base.");
        Assert.Equal([4, 4, 4, 4], result.Blocks.Select(block => block.Runs.Count));
        EachItem.Holds(result.Blocks.SelectMany(block => block.Runs), run =>
            Assert.Equal(
                run.Side == AbSide.Candidate ? 300 : 50,
                BaselineReader.Read(Cli.PathOf(run.Folder)).Scenarios[0].Parameters.StepDelayMs
            )
        );
    }
}
