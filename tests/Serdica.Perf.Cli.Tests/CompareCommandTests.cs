namespace Serdica.Perf.Cli.Tests;

public sealed class CompareCommandTests : CliTests
{
    private const string Scenario = KeptRun.Scenario;

    [Fact]
    public async Task A_slower_run_is_shown_with_evidence_and_is_no_failure_without_a_gate()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1.5);

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("compare", before, after));

        Assert.Contains("Slower or more expensive: 1 metric", Cli.Output);
        Assert.Contains($"{Scenario} throughput: 1,000 to 667 op/s, 33.3 % slower (ratio 0.667", Cli.Output);
        Assert.Contains("Faster or cheaper: 0 metrics", Cli.Output);
    }

    [Fact]
    public async Task A_breach_of_the_gate_has_its_own_exit_code_and_stands_in_the_markdown()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1.5);
        var (gate, markdown) = (Path.Combine(Cli.Folder, "perf-gate.json"), Path.Combine(Cli.Folder, "comparison.md"));
        File.WriteAllText(gate, """{ "relative": [{ "scenario": "in-memory-*", "metric": "throughput", "worseBy": 0.1 }] }""");

        Assert.Equal(ExitCodes.GateBreached, await Cli.RunAsync("compare", before, after, "--gate", gate, "--markdown", markdown));
        Assert.Contains("GATE BREACHED: 1 limit exceeded; 1 figure judged, 0 not.", Cli.Output);
        Assert.Contains(
            "throughput went from 1,000 to 667 op/s, 33.3 % slower; the limit is 10 % worse (900).",
            File.ReadAllText(markdown)
        );

        // A verdict is not lost with the file.
        var (from, nowhere) = (Cli.Output.Length, Path.Combine(Cli.Folder, "no", "where.md"));
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("compare", before, after, "--gate", gate, "--markdown", nowhere));
        Assert.Contains("GATE BREACHED: 1 limit exceeded", Cli.Output[from..]);
        Assert.Contains(nowhere, Cli.Error);

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, before, "--gate", gate));
        Assert.Contains($"BASE and CANDIDATE are both '{before}', and a gate needs two runs; name another one.", Cli.Error);
        var folder = Directory.CreateDirectory(Path.Combine(Cli.Folder, "run")).FullName;
        File.Copy(before, Path.Combine(folder, RunFolder.SummaryFile));
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", folder, folder + '/', "--gate", gate));
        var link = Directory.CreateSymbolicLink(Path.Combine(Cli.Folder, "latest"), folder).FullName;
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", folder, link, "--gate", gate));
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", folder, Path.Combine(folder, RunFolder.SummaryFile), "--gate", gate));
        var same = Cli.Write("same.json", BaselineReader.Read(before));
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("compare", before, same, "--gate", gate));
        Assert.Contains("GATE HELD: 1 figure judged (1 by a wider limit), 0 not.", Cli.Output);
    }

    [Fact]
    public async Task What_a_gate_takes_for_noise_is_no_breach()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1.5);
        var gate = Path.Combine(Cli.Folder, "perf-gate.json");
        File.WriteAllText(
            gate,
            """{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }], "metrics": { "throughput": { "noiseFloor": 0.6 } } }"""
        );

        Assert.NotEqual(ExitCodes.GateBreached, await Cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("Slower or more expensive: 0 metrics", Cli.Output);
    }

    [Theory]
    [InlineData("--history")]
    [InlineData("--noise-from")]
    public async Task What_equal_code_differs_by_from_run_to_run_is_no_change(string option)
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1.5);
        var (run, history) = (BaselineReader.Read(before), Path.Combine(Cli.Folder, "history.ndjson"));
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
            known.AddRange([option, Cli.Write($"known-{factor}.json", other)]);
            if (option == "--history")
                Assert.Equal(ExitCodes.Success, await Cli.RunAsync("history", "add", known[^1], option, history));
        }

        var from = Cli.Output.Length;
        string[] given = option == "--history" ? [option, history] : [.. known];
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync(["compare", before, after, .. given]));
        Assert.Contains("Slower or more expensive: 0 metrics", Cli.Output[from..]);
    }

    [Fact]
    public async Task A_gate_does_not_hold_for_what_is_missing_failed_or_not_judged()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1);
        var gate = Path.Combine(Cli.Folder, "perf-gate.json");
        File.WriteAllText(gate, """{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }] }""");
        string Changed(string name, Func<RunResult, RunResult> change) => Cli.Write($"{name}.json", change(BaselineReader.Read(after)));

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

        Assert.Equal(ExitCodes.GateBreached, await Cli.RunAsync("compare", before, lacking, "--gate", gate));
        Assert.Contains($"{Scenario}: The candidate has no {Scenario}.", Cli.Output);
        Assert.Equal(ExitCodes.GateBreached, await Cli.RunAsync("compare", before, failed, "--gate", gate));
        Assert.Contains("repeats of the candidate did not pass: One was left.", Cli.Output);
        Assert.Equal(ExitCodes.NotJudged, await Cli.RunAsync("compare", before, failed));
        Assert.Contains("repeats of the candidate did not pass: One was left.", Cli.Output);
        Assert.NotEqual(ExitCodes.Success, await Cli.RunAsync("compare", before, aborted, "--gate", gate));
        Assert.Contains("The candidate's run is aborted: Stopped by the user.", Cli.Output);
        Assert.Equal(ExitCodes.NotJudged, await Cli.RunAsync("compare", Single("first"), Single("second"), "--gate", gate));
        Assert.Contains("Nothing could be judged, because 1 of 1 figure is inconclusive: 1 and 1 repeats", Cli.Output);

        File.WriteAllText(gate, """{ "relative": [{ "metric": "througput", "worseBy": 0.1 }] }""");
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("no metric has the name througput", Cli.Error);
        File.WriteAllText(gate, """{ "relative": [{ "scenario": "im-memory-*", "metric": "throughput", "worseBy": 0.1 }] }""");
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("no scenario has the name im-memory-*", Cli.Error);
        Assert.EndsWith($"Did you mean 'in-memory-*'?{Environment.NewLine}", Cli.Error);
        File.WriteAllText(
            gate,
            """{"objectives":[{"metric":"p99","most":1}],"quarantine":[{"scenario":"im-*","reason":"x","expires":"2099-01-01"}]}"""
        );
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, after, "--gate", gate));
        Assert.Contains("no scenario has the name im-*", Cli.Error);
        File.WriteAllText(gate, """{ "relative": [{ "scenario": "postgresql-*", "metric": "throughput", "worseBy": 0.1 }] }""");
        Assert.Equal(ExitCodes.NotJudged, await Cli.RunAsync("compare", before, after, "--gate", gate));
    }

    [Fact]
    public async Task Unlike_runs_are_refused_with_the_reason_and_compared_below_a_banner_when_allowed()
    {
        var (before, after) = await Cli.MakeRunsAsync(
            slower: 1.5,
            run => run with { Environment = run.Environment with { Machine = run.Environment.Machine with { LogicalCores = 99 } } }
        );

        Assert.Equal(ExitCodes.NotJudged, await Cli.RunAsync("compare", before, after));
        Assert.Contains("against 99", Cli.Output);
        Assert.Contains("Slower or more expensive: 0 metrics", Cli.Output);
        Assert.EndsWith($"Nothing was compared; the reasons are above.{Environment.NewLine}", Cli.Output);
        Assert.DoesNotContain("DIFFERENT CONDITIONS", Cli.Output);

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("compare", before, after, "--allow-unlike"));
        Assert.Contains("*** DIFFERENT CONDITIONS", Cli.Output);
        Assert.Contains("Slower or more expensive: 1 metric", Cli.Output);
        Assert.Single(Cli.Output.Split("Nothing was compared").Skip(1));

        var page = Path.Combine(Cli.Folder, "pull-request.md");
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("report", after, "--base", before, "--allow-unlike", "--output", page));
        Assert.Contains("> **DIFFERENT CONDITIONS", await File.ReadAllTextAsync(page, Token));
    }

    [Fact]
    public async Task Runs_without_a_common_scenario_are_not_taken_for_compared()
    {
        var (before, after) = await Cli.MakeRunsAsync(
            slower: 1,
            run => run with { Scenarios = [.. run.Scenarios.Select(result => result with { Name = "in-memory-another" })] }
        );

        Assert.Equal(ExitCodes.NotJudged, await Cli.RunAsync("compare", before, after));
        Assert.Contains("in-memory-another", Cli.Output);
        Assert.EndsWith($"Nothing was compared; the reasons are above.{Environment.NewLine}", Cli.Output);
    }

    [Fact]
    public async Task Runs_of_the_smoke_tier_show_no_figure_that_few_operations_stand_behind()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1.5, operations: 24);
        var (markdown, page) = (Path.Combine(Cli.Folder, "comparison.md"), Path.Combine(Cli.Folder, "report.md"));
        var from = Cli.Output.Length;

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("compare", before, after, "--markdown", markdown));
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("report", after, "--base", before, "--output", page));

        var screen = Cli.Output[from..];
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
        var (before, after) = await Cli.MakeRunsAsync(slower: 1.5);
        var from = Cli.Output.Length;

        await Cli.RunAsync("compare", before, after, "--json");

        using var document = JsonDocument.Parse(Cli.Output[from..]);
        var throughput = document.RootElement.GetProperty("comparison").GetProperty("scenarios")[0].GetProperty("metrics")[0];
        Assert.Equal("regressed", throughput.Text("verdict"));
        Assert.Equal(JsonValueKind.Null, document.RootElement.GetProperty("gate").ValueKind);
    }

    [Fact]
    public async Task Backends_are_printed_side_by_side()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1);

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("backends", before, after));
        Assert.Contains("# Backends side by side", Cli.Output);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("backends", before, "nowhere"));
        Assert.Contains("There is no run at 'nowhere'", Cli.Error);
    }

    [Fact]
    public async Task What_is_not_understood_is_answered_with_a_sentence()
    {
        var (before, after) = await Cli.MakeRunsAsync(slower: 1);

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", "nowhere", after));
        Assert.Contains("There is no run at 'nowhere'", Cli.Error);
        string[] noise = ["--noise-from", before, "--noise-from", before, "--noise-from", before];
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync(["compare", before, after, .. noise]));
        Assert.Contains("more than once; name 3 different runs.", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, after, "--gate", Path.Combine(Cli.Folder, "no-gate.json")));
        Assert.Contains("no-gate.json' cannot be read", Cli.Error);
        var run = BaselineReader.Read(after);
        var costs = new Dictionary<string, MetricValue> { ["x"] = null! };
        var damaged = Cli.Write("damaged.json", run with { Scenarios = [run.Scenarios[0] with { CostPerOperation = costs }] });
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, damaged));
        Assert.Matches(@"'x' in 'scenarios\[0\]\.costPerOperation' \(line \d+\) is null\.", Cli.Error);
        damaged = Cli.Write("damaged.json", run with { Scenarios = [run.Scenarios[0], null!] });
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, damaged));
        Assert.Matches(@"an element in 'scenarios' \(line \d+\) is null\.", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("compare", before, after, "--gate", "x", "--allow-unlike"));
        Assert.Contains("leave --allow-unlike or --gate out", Cli.Error);
    }
}
