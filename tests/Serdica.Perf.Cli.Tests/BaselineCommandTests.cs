using System.Text.Json.Nodes;

namespace Serdica.Perf.Cli.Tests;

public sealed class BaselineCommandTests : CliTests
{
    [Fact]
    public async Task A_run_is_published_as_a_pair_in_the_folder_that_is_named()
    {
        var run = await RunAsync();
        var baselines = Path.Combine(Cli.Folder, "baselines");

        // A Debug build is refused, which is what this test may itself be.
        var exitCode = await Cli.RunAsync("baseline", "publish", run, "--output", baselines, "--number", "42", "--in-memory");
        if (IsDebug(run))
        {
            Assert.Equal(ExitCodes.Usage, exitCode);
            Assert.Contains("Debug build", Cli.Error);
            return;
        }

        Assert.Equal(ExitCodes.Success, exitCode);
        var files = Directory.GetFiles(baselines).Select(Path.GetFileName).Order(StringComparer.Ordinal).ToArray();
        Assert.Equal(2, files.Length);
        EachItem.Holds(files, file => Assert.StartsWith("42-in-memory-performance-baseline-", file));
        EachItem.Holds(Directory.GetFiles(baselines, "*.md").Select(File.ReadAllText), text => Assert.DoesNotContain(Cli.Folder, text));
        Assert.Contains($"Published {Path.Combine(baselines, files[0]!)}", Cli.Output);

        // Where the second file cannot be written there is no first one, whose number would be taken.
        var draft = Directory.CreateDirectory(Path.Combine(baselines, $"43{files[0]![2..]}.tmp"));
        string[] again = ["baseline", "publish", run, "--output", baselines, "--in-memory"];
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync(again));
        Assert.Equal(2, Directory.GetFiles(baselines).Length);
        draft.Delete();
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync(again));
        Assert.True(File.Exists(draft.FullName[..^4]));

        var published = Path.Combine(baselines, files.Single(file => file!.EndsWith(".json.gz"))!);
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("baseline", "check", published));
        Assert.Matches(@"All [\d,]+ figures are those of the raw data\.", Cli.Output);
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("compare", published, run));
    }

    [Fact]
    public async Task A_figure_that_is_not_that_of_the_raw_data_fails_the_check()
    {
        var folder = await RunAsync();
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("baseline", "check", folder));
        var file = Path.Combine(folder, RunFolder.SummaryFile);
        var summary = JsonNode.Parse(File.ReadAllText(file))!;
        summary["scenarios"]![0]!["throughputPerSecond"] = 4_711;
        File.WriteAllText(file, summary.ToJsonString());

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("baseline", "check", folder));

        Assert.Contains("in-memory-immediate-burst-smoke: throughputPerSecond is 4711, and its raw data give ", Cli.Output);
    }

    [Fact]
    public async Task An_aborted_run_is_refused_with_a_sentence()
    {
        var folder = await RunAsync();
        var summary = Path.Combine(folder, RunFolder.SummaryFile);
        File.WriteAllText(
            summary,
            File.ReadAllText(summary)
                .Replace(
                    "\"status\": \"passed\",\n  \"statusReason\": null",
                    "\"status\": \"aborted\",\n  \"statusReason\": \"Stopped by the user.\""
                )
        );

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("baseline", "publish", folder, "--output", Path.Combine(Cli.Folder, "baselines")));

        Assert.Contains("is aborted: Stopped by the user. Only a run that passed can become a baseline.", Cli.Error);
        Assert.False(Directory.Exists(Path.Combine(Cli.Folder, "baselines")));
    }

    private async Task<string> RunAsync()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("run", "--scenario", "in-memory-immediate-burst-smoke", "--output", Cli.Folder));
        return Cli.RunFolder;
    }

    private static bool IsDebug(string run) =>
        BaselineReader.Read(run).Environment.Runtime is var runtime
        && (runtime.EntryConfiguration == "Debug" || runtime.SuiteConfiguration == "Debug");
}
