namespace Serdica.Perf.Cli.Tests;

public sealed class RunGateTests
{
    private const string Scenario = "in-memory-signal-roundtrip-latency-serial";

    /// <summary>The last step sleeps, so the median is above 5 ms whatever the machine.</summary>
    private static readonly string[] Slow = ["run", "--scenario", Scenario, "--operations", "20", "--warmup", "5", "--step-delay", "5ms"];

    [Fact]
    public async Task A_run_that_misses_an_objective_ends_with_its_own_exit_code_and_keeps_the_comparison()
    {
        using var cli = new Cli();
        SkipDebug();

        var exitCode = await cli.RunAsync([
            .. Slow,
            "--output",
            cli.Folder,
            "--gate",
            Gate(cli, """{ "objectives": [{ "metric": "p50", "most": 4 }] }"""),
        ]);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        Assert.Contains($"{Scenario}: p50 is ", cli.Output, Ordinal);
        Assert.Contains("## Gate: breached", File.ReadAllText(Path.Combine(cli.RunFolder, "comparison.md")), Ordinal);
        Assert.Contains(BaselineReader.Read(cli.RunFolder).Warnings, warning => warning.Code == "step-delay");
    }

    [Fact]
    public async Task A_breach_is_raised_when_a_second_run_has_it_too()
    {
        using var cli = new Cli();
        SkipDebug();

        var exitCode = await cli.RunAsync([
            .. Slow,
            "--output",
            cli.Folder,
            "--rerun-to-confirm",
            "--gate",
            Gate(cli, """{ "objectives": [{ "metric": "p50", "most": 4 }] }"""),
        ]);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        Assert.Contains(
            "GATE BREACHED: 1 limit exceeded; 1 figure judged, 0 not; the breach was confirmed by a second run.",
            cli.Output,
            Ordinal
        );
        Assert.Equal(2, Directory.GetDirectories(cli.Folder).Length);
    }

    /// <summary>
    /// Instances of one scenario are not as expected beyond the first ones, no response takes a nanosecond, and there is no PostgreSQL.
    /// </summary>
    [Theory]
    [InlineData(9, "in-memory", ExitCodes.Failed)]
    [InlineData(9, "postgresql,in-memory", ExitCodes.Failed)]
    [InlineData(3, "postgresql,in-memory", ExitCodes.GateBreached)]
    public async Task A_failure_counts_before_a_breach_and_a_breach_before_a_backend_that_is_not_there(
        int operations,
        string backends,
        int expected
    )
    {
        using var cli = new Cli();
        cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Username=perf;Timeout=2";

        var exitCode = await cli.MeasureAsync(
            $"run --scenario wrong-beyond-three --scenario immediate-burst-smoke --operations {operations} --warmup 0",
            "--assembly",
            typeof(OtherInTheSecondRun).Assembly.Location,
            "--backend",
            backends,
            "--gate",
            Gate(cli, """{ "objectives": [{ "metric": "p50", "most": 0.000001 }] }""")
        );

        Assert.Contains("GATE BREACHED", cli.Output, Ordinal);
        Assert.Equal(expected, exitCode);
    }

    [Fact]
    public async Task A_futile_run_is_stopped_early_and_says_so()
    {
        using var cli = new Cli();

        var exitCode = await cli.RunAsync([
            .. Slow,
            "--repeat",
            "9",
            "--output",
            cli.Folder,
            "--gate",
            Gate(cli, """{ "objectives": [{ "metric": "p50", "most": 1 }], "abort": { "afterRepeats": 2, "factor": 2 } }"""),
        ]);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        var run = BaselineReader.Read(cli.RunFolder);
        Assert.Equal(2, run.Scenarios.Count);
        Assert.Equal(RunStatus.Aborted, run.Status);
        Assert.StartsWith($"Futility stop. {Scenario}: p50 is ", run.StatusReason, Ordinal);
    }

    [Fact]
    public async Task Relative_limits_need_a_baseline_and_a_baseline_needs_a_gate()
    {
        using var cli = new Cli();

        Assert.Equal(
            ExitCodes.Usage,
            await cli.RunAsync([.. Slow, "--gate", Gate(cli, """{ "relative": [{ "metric": "p50", "worseBy": 0.1 }] }""")])
        );
        Assert.Contains("has relative limits; name the run or baseline that they are relative to with --baseline.", cli.Error, Ordinal);
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync([.. Slow, "--rerun-to-confirm"]));
        Assert.Contains("need a gate; name its file with --gate", cli.Error, Ordinal);
    }

    private static string Gate(Cli cli, string json)
    {
        var file = Path.Combine(cli.Folder, "perf-gate.json");
        File.WriteAllText(file, json);
        return file;
    }

    /// <summary>No gate judges a Debug build, and no run is compared with one.</summary>
    internal static void SkipDebug() =>
        Assert.SkipWhen(
            typeof(RunGateTests).Assembly.GetCustomAttributes(typeof(System.Reflection.AssemblyConfigurationAttribute), false)
                is [System.Reflection.AssemblyConfigurationAttribute { Configuration: "Debug" }],
            "This is a Debug build, of which a gate judges no objective."
        );
}
