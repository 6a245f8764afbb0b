namespace Serdica.Perf.Delivery.Tests;

public sealed class ReportScriptTests
{
    [Fact]
    public async Task The_newest_report_goes_to_the_summary_page_of_either_pipeline()
    {
        using var folder = new TemporaryFolder();
        await WriteRunAsync(folder, "20261120T010000Z-suite-tests", "# Last night");
        var report = await WriteRunAsync(folder, "20261121T010000Z-suite-tests", "# This night");
        var page = folder.Below("page.md");

        var shown = await RunAsync(new() { ["TF_BUILD"] = "True", ["GITHUB_STEP_SUMMARY"] = page }, folder.Path);
        var missing = await RunAsync([], folder.Below("none"));
        Directory.CreateDirectory(folder.Below("20261121T020000Z-suite-tests"));
        var killed = await RunAsync([], folder.Path);

        var optional = await RunAsync([], "--optional", folder.Below("none"));

        Assert.Equal((0, 0), (shown.ExitCode, optional.ExitCode));
        Assert.Contains($"##vso[task.uploadsummary]{report}", shown.Output);
        Assert.Equal("# This night\n", await File.ReadAllTextAsync(page, Token));
        Assert.True(Directory.Exists(folder.Below("none")));
        Assert.Equal((1, 1), (killed.ExitCode, missing.ExitCode));
        Assert.Contains("The last run, 20261121T020000Z-suite-tests, wrote no report.", killed.Output);
        Assert.Contains("There is no report in", missing.Output);
    }

    [Theory]
    [InlineData("ab.md")]
    [InlineData("faults.md")]
    public async Task Comparison_of_two_commits_and_a_run_under_faults_have_reports_too(string name)
    {
        using var folder = new TemporaryFolder();
        await WriteRunAsync(folder, "20261120T010000Z-suite-tests", "# Last night");
        var report = await WriteRunAsync(folder, "20261121T010000Z-this-night", "# This night", name);

        var shown = await RunAsync(new() { ["TF_BUILD"] = "True" }, folder.Path);

        Assert.Contains($"##vso[task.uploadsummary]{report}", shown.Output);
    }

    private static Task<CommandResult> RunAsync(Dictionary<string, string> variables, params string[] arguments) =>
        DotnetCommand.RunAsync(Repository.Root, variables, ["run", "eng/report.cs", "--", .. arguments]);

    private static async Task<string> WriteRunAsync(TemporaryFolder folder, string run, string text, string name = "summary.md")
    {
        Directory.CreateDirectory(folder.Below(run));
        var report = folder.Below(run, name);
        await File.WriteAllTextAsync(report, text, Token);
        return report;
    }
}
