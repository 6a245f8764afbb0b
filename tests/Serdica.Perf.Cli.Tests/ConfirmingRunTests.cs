namespace Serdica.Perf.Cli.Tests;

/// <summary>What a second run makes of the first one's breach: only a run that passed and kept the limit takes it away.</summary>
public sealed class ConfirmingRunTests : CliTests
{
    [Fact]
    public async Task Second_run_that_did_not_pass_takes_no_breach_away()
    {
        var exitCode = await RunAsync("wrong-in-the-second-run", mostMs: 0.000_001);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        Assert.Contains("GATE BREACHED: the second run did not pass, so the breach stands.", Cli.Output);
        Assert.Equal(2, Directory.GetDirectories(Cli.Folder).Length);
    }

    [Fact]
    public async Task Breach_that_the_second_run_does_not_have_does_not_count()
    {
        var exitCode = await RunAsync("quick-in-the-second-run", mostMs: 6_000);

        Assert.Equal(ExitCodes.Success, exitCode);
        Assert.Contains("Not confirmed by a second run (", Cli.Output);
        Assert.Contains("GATE HELD: 1 figure judged, 0 not; no breach was confirmed by a second run.", Cli.Output);
    }

    [Fact]
    public async Task Gate_that_holds_is_not_measured_again()
    {
        Assert.Equal(ExitCodes.Success, await RunAsync("wrong-in-the-second-run", mostMs: 1e9));
        Assert.Single(Directory.GetDirectories(Cli.Folder));
    }

    private Task<int> RunAsync(string scenario, double mostMs)
    {
        var gate = Path.Combine(Cli.Folder, "perf-gate.json");
        File.WriteAllText(gate, Invariant($$"""{ "objectives": [{ "metric": "p50", "most": {{mostMs:0.######}} }] }"""));
        return Cli.MeasureAsync(
            "run --backend in-memory --warmup 0 --rerun-to-confirm",
            "--assembly",
            typeof(OtherInTheSecondRun).Assembly.Location,
            "--scenario",
            scenario,
            "--gate",
            gate
        );
    }
}
