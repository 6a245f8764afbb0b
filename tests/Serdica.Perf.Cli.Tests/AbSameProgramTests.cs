namespace Serdica.Perf.Cli.Tests;

/// <summary>Apart from the other tests of the command, because it measures sixteen times.</summary>
public sealed class AbSameProgramTests : CliTests
{
    [Fact]
    public async Task The_same_program_on_both_sides_is_not_found_regressed()
    {
        Assert.Equal(
            ExitCodes.Success,
            await Cli.MeasureInThisProcessAsync("ab --base here --candidate here --json", AbCommandTests.Small)
        );

        using var printed = JsonDocument.Parse(Cli.Output);
        Assert.Equal(Cli.Written(AbFolder.ResultFile), Cli.Output);
        var comparison = Cli.Read<AbResult>(AbFolder.ResultFile).Comparison;
        Assert.Empty(comparison.With(Verdict.Regressed));

        // Which verdict equal programs get is the machine's to say, and that they were compared is not.
        var throughput = Assert.Single(comparison.Scenarios).Metrics[0];
        Assert.Equal((8, 8), (throughput.BeforeCount, throughput.AfterCount));
        Assert.NotNull(throughput.Ratio);
        Assert.NotNull(throughput.PValue);
        Assert.Contains(throughput.Verdict, (Verdict[])[Verdict.Same, Verdict.Unstable, Verdict.Improved]);
        Assert.Equal("passed", AbCommandTests.Status(Cli));
        Assert.Matches(@"block 4 of 4, candidate: in-memory-signal-roundtrip-throughput-parallel .*/s, after \d", Cli.Error);
    }
}
