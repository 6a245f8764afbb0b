namespace Serdica.Perf.Cli.Tests;

public sealed class RunGateTests : CliTests
{
    private const string Scenario = "in-memory-signal-roundtrip-latency-serial";

    /// <summary>The last step sleeps, so the median is above 5 ms whatever the machine.</summary>
    private static readonly string[] Slow = ["run", "--scenario", Scenario, "--operations", "20", "--warmup", "5", "--step-delay", "5ms"];

    [Fact]
    public async Task A_run_that_misses_an_objective_ends_with_its_own_exit_code_and_keeps_the_comparison()
    {
        SkipDebug();

        var exitCode = await Cli.RunAsync([
            .. Slow,
            "--output",
            Cli.Folder,
            "--gate",
            Gate("""{ "objectives": [{ "metric": "p50", "most": 4 }] }"""),
        ]);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        Assert.Contains($"{Scenario}: p50 is ", Cli.Output);
        Assert.Contains("## Gate: breached", Cli.Written("comparison.md"));
        Assert.Contains(BaselineReader.Read(Cli.RunFolder).Warnings, warning => warning.Code == "step-delay");
    }

    [Fact]
    public async Task A_breach_is_raised_when_a_second_run_has_it_too()
    {
        SkipDebug();

        var exitCode = await Cli.RunAsync([
            .. Slow,
            "--output",
            Cli.Folder,
            "--rerun-to-confirm",
            "--gate",
            Gate("""{ "objectives": [{ "metric": "p50", "most": 4 }] }"""),
        ]);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        Assert.Contains("GATE BREACHED: 1 limit exceeded; 1 figure judged, 0 not; the breach was confirmed by a second run.", Cli.Output);
        Assert.Equal(2, Directory.GetDirectories(Cli.Folder).Length);
    }

    [Fact]
    public async Task A_verdict_is_printed_also_where_its_file_cannot_be_written()
    {
        SkipDebug();
        Cli.OnLine = line =>
        {
            if (line.StartsWith("Run folder: "))
                Directory.CreateDirectory(Cli.PathOf("comparison.md"));
        };

        var gate = Gate("""{ "objectives": [{ "metric": "p50", "most": 4 }] }""");
        var exitCode = await Cli.RunAsync([.. Slow, "--output", Cli.Folder, "--gate", gate]);

        Assert.Equal(ExitCodes.Failed, exitCode);
        Assert.Contains("GATE BREACHED: 1 limit exceeded", Cli.Output);
    }

    [Fact]
    public async Task A_damaged_history_is_refused_before_the_run_is_measured()
    {
        using var runs = new Cli();
        var baselines = Directory.CreateDirectory(Path.Combine(Cli.Folder, "TestResults", "baselines")).FullName;
        File.WriteAllText(Path.Combine(baselines, "history.ndjson"), "<<<<<<< HEAD\n");
        var (before, _) = await runs.MakeRunsAsync(slower: 1);
        var gate = Gate("""{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }] }""");

        var (exitCode, output, error) = await ChildProcess.RunAsync(
            MeasuringProgram.DotNet,
            ["exec", MeasuringProgram.Here.Assembly, .. Slow, "--output", "new", "--gate", gate, "--baseline", before],
            Cli.Folder,
            new Dictionary<string, string>(),
            Token
        );

        Assert.Equal((ExitCodes.Usage, ""), (exitCode, output));
        Assert.Contains("Line 1 of the history", error);
        Assert.False(Directory.Exists(Path.Combine(Cli.Folder, "new")));
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
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Username=perf;Timeout=2";

        var exitCode = await Cli.MeasureAsync(
            $"run --scenario wrong-beyond-three --scenario immediate-burst-smoke --operations {operations} --warmup 0",
            "--assembly",
            typeof(OtherInTheSecondRun).Assembly.Location,
            "--backend",
            backends,
            "--gate",
            Gate("""{ "objectives": [{ "metric": "p50", "most": 0.000001 }] }""")
        );

        Assert.Contains("GATE BREACHED", Cli.Output);
        Assert.Equal(expected, exitCode);
    }

    [Fact]
    public async Task A_futile_run_is_stopped_early_and_says_so()
    {
        var exitCode = await Cli.RunAsync([
            .. Slow,
            "--repeat",
            "9",
            "--output",
            Cli.Folder,
            "--gate",
            Gate("""{ "objectives": [{ "metric": "p50", "most": 1 }], "abort": { "afterRepeats": 2, "factor": 2 } }"""),
        ]);

        Assert.Equal(ExitCodes.GateBreached, exitCode);
        var run = BaselineReader.Read(Cli.RunFolder);
        Assert.Equal(2, run.Scenarios.Count);
        Assert.Equal(RunStatus.Aborted, run.Status);
        Assert.StartsWith($"Futility stop. {Scenario}: p50 is ", run.StatusReason);
    }

    [Fact]
    public async Task Relative_limits_need_a_baseline_and_a_baseline_needs_a_gate()
    {
        Assert.Equal(
            ExitCodes.Usage,
            await Cli.RunAsync([.. Slow, "--gate", Gate("""{ "relative": [{ "metric": "p50", "worseBy": 0.1 }] }""")])
        );
        Assert.Contains("has relative limits; name the run or baseline that they are relative to with --baseline.", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync([.. Slow, "--rerun-to-confirm"]));
        Assert.Contains("need a gate; name its file with --gate", Cli.Error);
    }

    [Theory]
    [InlineData("", "throughput")]
    [InlineData(", \"metrics\": { \"throughput\": { \"noiseFloor\": 1.5 } }")]
    public async Task Half_the_rate_of_the_baseline_is_a_breach_unless_the_gate_takes_it_for_noise(string further, params string[] breaches)
    {
        var (before, after) = await RunsAsync(slower: 2);

        var judged = Judge(before, after, futile: null, further);

        Assert.Equal(breaches, judged.Breaches.Select(breach => breach.Metric));
    }

    [Theory]
    [InlineData(true, false, "in-memory-other verification")]
    [InlineData(false, false)]
    [InlineData(true, true, "in-memory-immediate-burst-smoke throughput")]
    public async Task Scenario_that_only_the_baseline_has_is_missing_where_it_was_planned_and_not_left_out(
        bool isPlanned,
        bool isFutile,
        params string[] breaches
    )
    {
        var (before, after) = await RunsAsync(slower: 1);
        var further = before.Scenarios.Select(scenario => scenario with { Name = "in-memory-other" });
        var wider = before with { Scenarios = [.. before.Scenarios, .. further] };

        var judged = Judge(wider, after, isFutile ? Futile(after) : null, planned: isPlanned ? wider : after);

        Assert.Equal(breaches, judged.Breaches.Select(breach => $"{breach.Scenario} {breach.Metric}"));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(5)]
    public async Task Limit_that_stopped_a_run_is_one_breach_whether_or_not_its_repeats_are_enough_to_judge(int repeats)
    {
        var (before, after) = await RunsAsync(slower: 2);
        var stopped = after with { Scenarios = [.. after.Scenarios.Take(repeats)] };

        var judged = Judge(before, stopped, Futile(stopped));

        Assert.Equal("throughput", Assert.Single(judged.Breaches).Metric);
        Assert.Equal(GateOutcome.Breached, judged.Outcome);
        Assert.Empty(judged.JudgedFigures);
    }

    private async Task<(RunResult Before, RunResult After)> RunsAsync(double slower)
    {
        var (before, after) = await Cli.MakeRunsAsync(slower);
        return (BaselineReader.Read(before), BaselineReader.Read(after));
    }

    private static GateBreach Futile(RunResult run) => new(run.Scenarios[0].Name, "throughput", null, 500, 900, "It is futile.");

    /// <summary>Judges a run by a limit of 10 % on its throughput.</summary>
    private GateResult Judge(RunResult before, RunResult run, GateBreach? futile, string further = "", RunResult? planned = null)
    {
        var settings = GateReader.Parse($$"""{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }]{{further}} }""", "gate");
        var folder = RunFolder.Create(Cli.Folder, "in-memory", "smoke", RunManifest.Of(run));
        var names = (planned ?? run).Scenarios.Select(scenario => scenario.Name).ToHashSet();
        return new RunGate(settings, before, Confirm: false, History: []).Judge(run, futile, names, folder, TextWriter.Null);
    }

    private string Gate(string json)
    {
        var file = Path.Combine(Cli.Folder, "perf-gate.json");
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
