namespace Serdica.Perf.Cli.Tests;

public sealed class CompareCommandTests
{
    private const string Scenario = KeptRun.Scenario;

    [Fact]
    public async Task A_slower_run_is_shown_with_evidence_and_is_no_failure_without_a_gate()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1.5);

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("compare", before, after));

        Assert.Contains("Slower or more expensive: 1 metric", cli.Output);
        Assert.Contains($"{Scenario} throughput: 1,000 to 667 op/s, 33.3 % slower (ratio 0.667", cli.Output);
        Assert.Contains("Faster or cheaper: 0 metrics", cli.Output);
    }

    [Fact]
    public async Task A_breach_of_the_gate_has_its_own_exit_code_and_stands_in_the_markdown()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1.5);
        var (gate, markdown) = (Path.Combine(cli.Folder, "perf-gate.json"), Path.Combine(cli.Folder, "comparison.md"));
        File.WriteAllText(gate, """{ "relative": [{ "scenario": "in-memory-*", "metric": "throughput", "worseBy": 0.1 }] }""");

        Assert.Equal(ExitCodes.GateBreached, await cli.RunAsync("compare", before, after, "--gate", gate, "--markdown", markdown));
        Assert.Contains("GATE BREACHED: 1 limit exceeded; 1 figure judged, 0 not.", cli.Output);
        Assert.Contains(
            "throughput went from 1,000 to 667 op/s, 33.3 % slower; the limit is 10 % worse (900).",
            File.ReadAllText(markdown)
        );

        // A verdict is not lost with the file.
        var (from, nowhere) = (cli.Output.Length, Path.Combine(cli.Folder, "no", "where.md"));
        Assert.Equal(ExitCodes.Failed, await cli.RunAsync("compare", before, after, "--gate", gate, "--markdown", nowhere));
        Assert.Contains("GATE BREACHED: 1 limit exceeded", cli.Output[from..]);
        Assert.Contains(nowhere, cli.Error);

        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, before, "--gate", gate));
        Assert.Contains($"BASE and CANDIDATE are both '{before}', and a gate needs two runs; name another one.", cli.Error);
        var folder = Directory.CreateDirectory(Path.Combine(cli.Folder, "run")).FullName;
        File.Copy(before, Path.Combine(folder, RunFolder.SummaryFile));
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", folder, folder + '/', "--gate", gate));
        var link = Directory.CreateSymbolicLink(Path.Combine(cli.Folder, "latest"), folder).FullName;
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", folder, link, "--gate", gate));
        Assert.Equal(
            ExitCodes.Usage,
            await cli.RunAsync("compare", folder, Path.Combine(folder, RunFolder.SummaryFile), "--gate", gate)
        );
        var same = Write(cli, "same.json", BaselineReader.Read(before));
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("compare", before, same, "--gate", gate));
        Assert.Contains("GATE HELD: 1 figure judged (1 by a wider limit), 0 not.", cli.Output);
    }

    [Fact]
    public async Task What_a_gate_takes_for_noise_is_no_breach()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1.5);
        var gate = Path.Combine(cli.Folder, "perf-gate.json");
        File.WriteAllText(
            gate,
            """{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }], "metrics": { "throughput": { "noiseFloor": 0.6 } } }"""
        );

        Assert.NotEqual(ExitCodes.GateBreached, await cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("Slower or more expensive: 0 metrics", cli.Output);
    }

    [Theory]
    [InlineData("--history")]
    [InlineData("--noise-from")]
    public async Task What_equal_code_differs_by_from_run_to_run_is_no_change(string option)
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1.5);
        var (run, history) = (BaselineReader.Read(before), Path.Combine(cli.Folder, "history.ndjson"));
        List<string> known = [];
        foreach (var factor in (int[])[1, 2, 4])
        {
            // A history has a run of each commit; the noise is learned from runs of one.
            var commit = (option == "--history" ? factor : 1).ToString("x40", CultureInfo.InvariantCulture);
            var scenarios = run.Scenarios.Select(repeat => repeat with { DurationMs = repeat.DurationMs * factor });
            var other = run with
            {
                RunId = $"known-{factor}",
                Environment = run.Environment with { Source = new() { Commit = commit, Dirty = false } },
                Scenarios = [.. scenarios],
            };
            known.AddRange([option, Write(cli, $"known-{factor}.json", other)]);
            if (option == "--history")
                Assert.Equal(ExitCodes.Success, await cli.RunAsync("history", "add", known[^1], option, history));
        }

        var from = cli.Output.Length;
        string[] given = option == "--history" ? [option, history] : [.. known];
        Assert.Equal(ExitCodes.Success, await cli.RunAsync(["compare", before, after, .. given]));
        Assert.Contains("Slower or more expensive: 0 metrics", cli.Output[from..]);
    }

    [Fact]
    public async Task A_gate_does_not_hold_for_what_is_missing_failed_or_not_judged()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1);
        var gate = Path.Combine(cli.Folder, "perf-gate.json");
        File.WriteAllText(gate, """{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }] }""");
        string Changed(string name, Func<RunResult, RunResult> change) => Write(cli, $"{name}.json", change(BaselineReader.Read(after)));

        var lacking = Changed(
            "lacking",
            run => run with { Scenarios = [.. run.Scenarios.Select(scenario => scenario with { Name = "in-memory-other" })] }
        );
        var failed = Changed(
            "failed",
            run =>
                run with
                {
                    Scenarios =
                    [
                        .. run.Scenarios.Select(scenario =>
                            scenario with { Status = ScenarioStatus.Failed, FailureReasons = ["One was left."] }
                        ),
                    ],
                }
        );
        var aborted = Changed("aborted", run => run with { Status = RunStatus.Aborted, StatusReason = "Stopped by the user." });
        string Single(string name) => Changed(name, run => run with { Scenarios = [run.Scenarios[0]] });

        Assert.Equal(ExitCodes.GateBreached, await cli.RunAsync("compare", before, lacking, "--gate", gate));
        Assert.Contains($"{Scenario}: The candidate has no {Scenario}.", cli.Output);
        Assert.Equal(ExitCodes.GateBreached, await cli.RunAsync("compare", before, failed, "--gate", gate));
        Assert.Contains("repeats of the candidate did not pass: One was left.", cli.Output);
        Assert.Equal(ExitCodes.NotJudged, await cli.RunAsync("compare", before, failed));
        Assert.Contains("repeats of the candidate did not pass: One was left.", cli.Output);
        Assert.NotEqual(ExitCodes.Success, await cli.RunAsync("compare", before, aborted, "--gate", gate));
        Assert.Contains("The candidate's run is aborted: Stopped by the user.", cli.Output);
        Assert.Equal(ExitCodes.NotJudged, await cli.RunAsync("compare", Single("first"), Single("second"), "--gate", gate));
        Assert.Contains("Nothing could be judged, because 1 of 1 figure is inconclusive: 1 and 1 repeats", cli.Output);

        File.WriteAllText(gate, """{ "relative": [{ "metric": "througput", "worseBy": 0.1 }] }""");
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("no metric has the name througput", cli.Error);
        File.WriteAllText(gate, """{ "relative": [{ "scenario": "im-memory-*", "metric": "throughput", "worseBy": 0.1 }] }""");
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("no scenario has the name im-memory-*", cli.Error);
        Assert.EndsWith($"Did you mean 'in-memory-*'?{Environment.NewLine}", cli.Error);
        File.WriteAllText(
            gate,
            """{"objectives":[{"metric":"p99","most":1}],"quarantine":[{"scenario":"im-*","reason":"x","expires":"2099-01-01"}]}"""
        );
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("no scenario has the name im-*", cli.Error);
        File.WriteAllText(gate, """{ "relative": [{ "scenario": "postgresql-*", "metric": "throughput", "worseBy": 0.1 }] }""");
        Assert.Equal(ExitCodes.NotJudged, await cli.RunAsync("compare", before, after, "--gate", gate));
    }

    [Fact]
    public async Task Unlike_runs_are_refused_with_the_reason_and_compared_below_a_banner_when_allowed()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(
            cli,
            slower: 1.5,
            run => run with { Environment = run.Environment with { Machine = run.Environment.Machine with { LogicalCores = 99 } } }
        );

        Assert.Equal(ExitCodes.NotJudged, await cli.RunAsync("compare", before, after));
        Assert.Contains("against 99", cli.Output);
        Assert.Contains("Slower or more expensive: 0 metrics", cli.Output);
        Assert.EndsWith($"Nothing was compared; the reasons are above.{Environment.NewLine}", cli.Output);
        Assert.DoesNotContain("DIFFERENT CONDITIONS", cli.Output);

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("compare", before, after, "--allow-unlike"));
        Assert.Contains("*** DIFFERENT CONDITIONS", cli.Output);
        Assert.Contains("Slower or more expensive: 1 metric", cli.Output);
        Assert.Single(cli.Output.Split("Nothing was compared").Skip(1));

        var page = Path.Combine(cli.Folder, "pull-request.md");
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("report", after, "--base", before, "--allow-unlike", "--output", page));
        Assert.Contains("> **DIFFERENT CONDITIONS", await File.ReadAllTextAsync(page, Token));
    }

    [Fact]
    public async Task Runs_without_a_common_scenario_are_not_taken_for_compared()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(
            cli,
            slower: 1,
            run => run with { Scenarios = [.. run.Scenarios.Select(result => result with { Name = "in-memory-another" })] }
        );

        Assert.Equal(ExitCodes.NotJudged, await cli.RunAsync("compare", before, after));
        Assert.Contains("in-memory-another", cli.Output);
        Assert.EndsWith($"Nothing was compared; the reasons are above.{Environment.NewLine}", cli.Output);
    }

    [Fact]
    public async Task Runs_of_the_smoke_tier_show_no_figure_that_few_operations_stand_behind()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1.5, operations: 24);
        var (markdown, page) = (Path.Combine(cli.Folder, "comparison.md"), Path.Combine(cli.Folder, "report.md"));
        var from = cli.Output.Length;

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("compare", before, after, "--markdown", markdown));
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("report", after, "--base", before, "--output", page));

        var screen = cli.Output[from..];
        Assert.Contains("Correctness only: there are too few operations for throughput.", screen);
        Assert.Matches($"  {Scenario} throughput, p99.*: A repeat has only 24 operations, which are too few.", screen);
        EachItem.Holds(
            [screen, File.ReadAllText(markdown), File.ReadAllText(page)],
            text =>
            {
                Assert.Contains("Correctness only: there are too few operations for throughput.", text);
                Assert.DoesNotContain("1,000", text);
                Assert.DoesNotContain("op/s,", text);
                Assert.DoesNotContain("0.667", text);
            }
        );
    }

    [Fact]
    public async Task The_comparison_is_also_JSON()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1.5);
        var from = cli.Output.Length;

        await cli.RunAsync("compare", before, after, "--json");

        using var document = JsonDocument.Parse(cli.Output[from..]);
        var throughput = document.RootElement.GetProperty("comparison").GetProperty("scenarios")[0].GetProperty("metrics")[0];
        Assert.Equal("regressed", throughput.GetProperty("verdict").GetString());
        Assert.Equal(JsonValueKind.Null, document.RootElement.GetProperty("gate").ValueKind);
    }

    [Fact]
    public async Task Backends_are_printed_side_by_side()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1);

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("backends", before, after));
        Assert.Contains("# Backends side by side", cli.Output);
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("backends", before, "nowhere"));
        Assert.Contains("There is no run at 'nowhere'", cli.Error);
    }

    [Fact]
    public async Task What_is_not_understood_is_answered_with_a_sentence()
    {
        using var cli = new Cli();
        var (before, after) = await MakeRunsAsync(cli, slower: 1);

        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", "nowhere", after));
        Assert.Contains("There is no run at 'nowhere'", cli.Error);
        string[] noise = ["--noise-from", before, "--noise-from", before, "--noise-from", before];
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync(["compare", before, after, .. noise]));
        Assert.Contains("more than once; name 3 different runs.", cli.Error);
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, after, "--gate", Path.Combine(cli.Folder, "no-gate.json")));
        Assert.Contains("no-gate.json' cannot be read", cli.Error);
        var run = BaselineReader.Read(after);
        var costs = new Dictionary<string, MetricValue> { ["x"] = null! };
        var damaged = Write(cli, "damaged.json", run with { Scenarios = [run.Scenarios[0] with { CostPerOperation = costs }] });
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, damaged));
        Assert.Matches(@"'x' in 'scenarios\[0\]\.costPerOperation' \(line \d+\) is null\.", cli.Error);
        damaged = Write(cli, "damaged.json", run with { Scenarios = [run.Scenarios[0], null!] });
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, damaged));
        Assert.Matches(@"an element in 'scenarios' \(line \d+\) is null\.", cli.Error);
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("compare", before, after, "--gate", "x", "--allow-unlike"));
        Assert.Contains("leave --allow-unlike or --gate out", cli.Error);
    }

    /// <summary>Two documents of one real run, whose repeats are given steady figures, and a number of operations.</summary>
    internal static async Task<(string Before, string After)> MakeRunsAsync(
        Cli cli,
        double slower,
        Func<RunResult, RunResult>? change = null,
        int operations = 1_000
    )
    {
        var run = await KeptRun.ReadAsync();
        var runtime = run.Environment.Runtime with
        {
            EntryConfiguration = "Release",
            SuiteConfiguration = "Release",
            DebuggerAttached = false,
        };
        run = run with { Warnings = [], Environment = run.Environment with { Runtime = runtime } };
        RunResult Repeated(double factor) =>
            run with
            {
                Scenarios =
                [
                    .. Enumerable
                        .Range(1, 5)
                        .Select(repeat =>
                            run.Scenarios[0] with
                            {
                                DurationMs = operations * factor * (1 + 0.001 * (repeat - 3)),
                                Counts = run.Scenarios[0].Counts with { Completed = operations },
                                ResponseTime = run.Scenarios[0].ResponseTime with { Count = operations },
                                Parameters = run.Scenarios[0].Parameters with { Repeat = repeat },
                            }
                        ),
                ],
            };
        return (Write(cli, "before.json", Repeated(1)), Write(cli, "after.json", (change ?? (same => same))(Repeated(slower))));
    }

    private static string Write(Cli cli, string name, RunResult run)
    {
        var path = Path.Combine(cli.Folder, name);
        File.WriteAllText(path, JsonSerializer.Serialize(run, MeasurementJson.Artifacts));
        return path;
    }
}
