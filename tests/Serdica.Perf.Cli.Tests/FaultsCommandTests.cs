using Serdica.Perf.Cli.Commands.Faults;
using Serdica.Perf.Faults.Checking.Invariants;
using Serdica.Perf.Faults.Reduction;

namespace Serdica.Perf.Cli.Tests;

public sealed class FaultsCommandTests : CliTests
{
    [Fact]
    public async Task Commits_whose_answers_are_lost_are_neither_lost_nor_doubled()
    {
        // Most cut commits fail a call, so the limit is broken. The load ends when they are cut, on a slow machine later.
        string[] arguments = ["--cuts", "20", "--duration", "1m", "--threshold", "failedCalls <= 0", "--output", Cli.Folder];
        var code = await Cli.RunAsync(["faults", "--plan", "ambiguous-commit", "--seed", "1", "--think-time", "300ms", .. arguments]);
        Cli.SkipWithoutPostgreSql(code);

        Assert.True(code == ExitCodes.GateBreached, Cli.Output + Cli.Error);
        Assert.Contains("ambiguous-commit: cutCommits at ", Cli.Error);
        Assert.Contains("; the threshold 'failedCalls <= 0' is broken.", Cli.Error);
        Assert.Contains(
            "faults --plan ambiguous-commit --backend postgresql --seed 1 --duration 60s --hosts 2 --cuts 20 --think-time 300ms",
            Cli.Output
        );
        Assert.Contains("PROVEN.", Cli.Output);
        using var result = Cli.Parsed("faults.json");
        var fault = Assert.Single(result.Items("faults"));
        Assert.Equal("cutCommits", fault.Text("kind"));
        Assert.InRange(fault.Int32("failedCalls"), 1, int.MaxValue);
        Assert.InRange(fault.Number("evidenceValue"), 20, double.MaxValue);
        AssertUnknown(result.RootElement);
        Assert.DoesNotMatch(@"(?m)^\s*Fault '", Cli.Output);
        var threshold = Assert.Single(result.Items("thresholds"));
        Assert.Equal("breached", threshold.Text("outcome"));
        Assert.InRange(result.RootElement.GetProperty("timeline").GetArrayLength(), 7, 50);
        Assert.True(File.Exists(Cli.PathOf("plan.json")));
        Assert.Contains("cutCommits of all, ", Cli.Written("report.html"));
        // The sentence on the threshold, which begins with a dash, is as long as it is.
        EachItem.Holds(Cli.Output.Split('\n').Where(line => line.Contains("cutCommits") && line[0] != '-'), line =>
            Assert.InRange(line.TrimEnd().Length, 1, 80)
        );
        Assert.StartsWith("# PROVEN: ambiguous-commit on postgresql", Cli.Written("faults.md"));
    }

    [Fact]
    public async Task Run_is_unproven_when_fewer_commits_were_cut()
    {
        string[] arguments = ["--cuts", "1000000", "--duration", "16s", "--think-time", "300ms", "--output", Cli.Folder];
        var code = await Cli.RunAsync(["faults", "--plan", "ambiguous-commit", "--reduce", "0", .. arguments]);
        Cli.SkipWithoutPostgreSql(code);

        Assert.True(code == ExitCodes.NotJudged, Cli.Output + Cli.Error);
        using var result = Cli.Parsed("faults.json");
        var fault = Assert.Single(result.Items("faults"));
        var cut = fault.Number("evidenceValue");
        AssertUnknown(result.RootElement);
        Assert.Equal(
            $"Fault 'cutCommits' took effect {cut:N0} times; 1,000,000 times are required.",
            string.Concat(Cli.Output.Split('\n').Select(line => line.Trim()).Where(line => line.StartsWith("Fault '")))
        );
    }

    /// <summary>A call whose commit was cut does not know whether it was done.</summary>
    private static void AssertUnknown(JsonElement result)
    {
        var cut = result.GetProperty("faults")[0].Number("evidenceValue");
        Assert.InRange(result.Int64("unknownOutcomes"), (long)cut / 2, long.MaxValue);
    }

    [Theory]
    [InlineData("Held", ExitCodes.Success)]
    [InlineData("Violated", ExitCodes.Failed)]
    [InlineData("Unproven", ExitCodes.NotJudged)]
    public void Exit_code_is_that_of_the_verdict(string verdict, int expected) =>
        Assert.Equal(
            expected,
            FaultsCommand.Judge(SampleFaults.Result with { Verdict = Enum.Parse<InvariantVerdict>(verdict) }, TextWriter.Null)
        );

    [Fact]
    public async Task Violation_stays_a_failure_when_its_plan_was_reduced()
    {
        var violated = SampleFaults.Result with { Verdict = InvariantVerdict.Violated };
        var reduction = new PlanReduction(violated, Cli.Folder, (_, _, _) => Task.FromResult(SampleFaults.Result), _ => { });
        using var console = new StringWriter();

        Assert.Equal(ExitCodes.Failed, await FaultsCommand.ReduceAsync(reduction, 1, console, TextWriter.Null, Token));
        Assert.StartsWith("None of 1 try with fewer faults failed.", console.ToString());
    }

    [Fact]
    public async Task Longest_recovery_is_a_threshold_that_needs_a_fault()
    {
        var file = Path.Combine(Cli.Folder, "plan.json");
        (SampleFaults.Result.Plan with { Faults = [] }).Write(file);

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("faults", "--plan", file, "--max-recovery", "1s", "--output", Cli.Folder));
        Assert.StartsWith("The threshold 'recoveredAfter <= 1000ms' is on a fault that this run does not have; it has none.", Cli.Error);
    }

    [Theory]
    [InlineData("zombie --cuts 9", "The plan 'zombie' cannot cut a number of commits; only 'ambiguous-commit' can.")]
    [InlineData("none.json --cuts 9", "--cuts is given, but the plan 'none.json' has its own; leave --cuts out.")]
    [InlineData("kill-workers", "There is no plan 'kill-workers'; there are kill-worker, zombie,")]
    [InlineData("zombie --duration 10s", "A load of 10 s has no room for a fault of the plan 'zombie'")]
    [InlineData("zombie --threshold recoveredAfter:killHost<=1s", "The threshold 'recoveredAfter:killHost <= 1000ms' is on a fault that")]
    [InlineData("zombie --default-thresholds", "No default threshold is on a fault of this run, which has pauseHost; use --threshold.")]
    [InlineData("kill-worker --default-thresholds --backend documentdb", "--default-thresholds is for postgresql, but the backend is")]
    [InlineData("kill-wrker", "There is no plan 'kill-wrker'; there are kill-worker, zombie,", "Did you mean 'kill-worker'?")]
    [InlineData("none.json", "The plan 'none.json' cannot be read: ", "; name the plan.json of an earlier run, or one of kill-worker, ")]
    [InlineData("none.json --seed 1", "--seed is given, but the plan 'none.json' has its own; leave --seed out.")]
    [InlineData("none.json --think-time 5ms", "--think-time is given, but the plan 'none.json' has its own; leave --think-time out.")]
    [InlineData("none.json --engine direct=off", "--engine is given, but the plan 'none.json' has its own; leave --engine out.")]
    [InlineData("zombie --engine direct=no", "The engine's setting direct is 'no'; it must be on or off.")]
    [InlineData("none.json --source local", "--source is given, but the plan 'none.json' has its own; leave --source out.")]
    [InlineData("disk-full --source containers", "Faults in containers are for postgresql, and fillDisk", "use --source local.")]
    [InlineData("zombie --source containers --backend documentdb", "Faults in containers are for postgresql, and fillDisk")]
    [InlineData("zombie --backend in-memory", "--backend is 'in-memory'; it must be one of postgresql, documentdb, citus.")]
    [InlineData("zombie --backend postgres", "--backend is 'postgres'; it must be one of postgresql,", "Did you mean 'postgresql'?")]
    public async Task What_cannot_be_run_is_refused(string arguments, string sentence, string advice = "")
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync(["faults", "--plan", .. arguments.Split(' ')]));
        Assert.StartsWith(sentence, Cli.Error);
        Assert.Contains(advice, Cli.Error);
    }

    [Theory]
    [InlineData("{ \"name\": ", "it is not JSON (line 1)")]
    [InlineData("[]", "it (line 1) does not have a valid value")]
    [InlineData("{}", "it has no 'name', 'backend', 'seed', 'duration', 'hosts', 'faults'")]
    [InlineData(
        """{"name":"x","faults":[{"kind":"killHosts","target":"host-1","at":"00:00:05","duration":"00:00:02"}]}""",
        "'faults[0].kind' (line 1) does not have a valid value"
    )]
    public async Task File_that_is_no_plan_is_refused_in_words_and_not_in_types(string json, string mistake)
    {
        var file = Path.Combine(Cli.Folder, "plan.json");
        await File.WriteAllTextAsync(file, json, Token);

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("faults", "--plan", file));

        Assert.StartsWith($"The plan '{file}' is not understood: {mistake}; name the plan.json", Cli.Error);
        Assert.DoesNotContain("Serdica", Cli.Error);
    }

    [Fact]
    public async Task Place_that_cannot_hold_the_folder_is_refused_before_anything_runs()
    {
        var file = Path.Combine(Cli.Folder, "a-file");
        await File.WriteAllTextAsync(file, "", Token);

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("faults", "--plan", "zombie", "--output", file));

        Assert.StartsWith($"A folder for the run cannot be created in '{file}': ", Cli.Error);
        Assert.EndsWith("Choose another place with --output.", Cli.Error.TrimEnd());
    }
}
