using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The answers of <c>eng/regression.cs</c> that need no measurement, and its limits.</summary>
public sealed class RegressionScriptTests
{
    [Fact]
    public async Task Without_a_change_of_what_is_measured_nothing_is_measured()
    {
        using var folder = new TemporaryFolder();
        foreach (var file in ScriptFiles())
        {
            var copy = Path.Combine(folder.Path, file);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(Repository.PathOf(file), copy);
        }

        Git(folder.Path, "init", "--quiet");
        Commit(folder.Path, "Begin", "2020-01-01T00:00:00Z");

        var nothingBefore = await RunAsync(folder.Path, "--since", "2019-01-01");
        Commit(folder.Path, "Go on", "2020-01-03T00:00:00Z");
        var nothingChanged = await RunAsync(folder.Path, "--since", "2020-01-02");
        var noValue = await RunAsync(folder.Path, "--since");

        Assert.Equal((0, 0, 2), (nothingBefore.ExitCode, nothingChanged.ExitCode, noValue.ExitCode));
        Assert.Contains("There was no commit 2019-01-01", nothingBefore.Output, StringComparison.Ordinal);
        Assert.Contains("Nothing that is measured has changed since", nothingChanged.Output, StringComparison.Ordinal);
        Assert.Contains("--since has no value", noValue.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Its_limits_are_understood()
    {
        var settings = GateReader.Read(Repository.PathOf("eng/perf-gate.json"));

        Assert.Contains(settings.Relative, limit => limit.Metric == "throughput");
        Assert.Empty(settings.Quarantine);
    }

    [Theory]
    [InlineData("eng/perf-gate.json")]
    [InlineData("src/Serdica.Perf.Cli/Templates/perf-gate.json.txt")]
    public void Limits_name_each_metric_and_hold_what_must_stay_zero(string file)
    {
        var metrics = GateReader.Read(Repository.PathOf(file)).Relative.ToDictionary(limit => limit.Metric, limit => limit.WorseBy);

        Assert.DoesNotContain(metrics.Keys, metric => metric.Contains('*', StringComparison.Ordinal));
        string[] zeros = ["errors", "deadLetters", "cost.deadlocks", "cost.rollbacks", "cost.tempBytes"];
        EachItem.Holds(zeros, metric => Assert.Equal(0, metrics[metric]));
        Assert.Superset(new HashSet<string> { "throughput", "p50", "p99" }, metrics.Keys.ToHashSet());
    }

    /// <summary>docs/statistics.md publishes how often this number of blocks judges throughput.</summary>
    [Fact]
    public void It_measures_sixteen_blocks_or_more()
    {
        var blocks = Regex.Match(File.ReadAllText(Repository.PathOf("eng/regression.cs")), "\\[\"--blocks\", \"([0-9]+)\"\\]");

        Assert.InRange(int.Parse(blocks.Groups[1].Value, CultureInfo.InvariantCulture), 16, int.MaxValue);
    }

    /// <summary>The script, and what eng/Directory.Build.props compiles into it.</summary>
    private static IEnumerable<string> ScriptFiles()
    {
        string[] folders = ["eng/shared", "src/Serdica.Perf.Databases/PostgreSql/Installed"];
        return folders
            .SelectMany(folder => Directory.GetFiles(Repository.PathOf(folder), "*.cs"))
            .Select(file => Path.GetRelativePath(Repository.Root, file))
            .Concat(["Directory.Build.props", "eng/Directory.Build.props", "eng/regression.cs", "src/Serdica.Perf.Databases/OwnFolder.cs"]);
    }

    private static Task<CommandResult> RunAsync(string folder, params string[] arguments) =>
        DotnetCommand.RunAsync(folder, new Dictionary<string, string>(), ["run", "eng/regression.cs", "--", .. arguments]);

    private static void Commit(string folder, string message, string time) =>
        Git(
            folder,
            "-c",
            "user.name=test",
            "-c",
            "user.email=test@example.org",
            "-c",
            "commit.gpgsign=false",
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            message,
            "--date",
            time
        );

    private static void Git(string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo("git", arguments) { WorkingDirectory = folder };
        if (arguments is [.., "--date", var time])
            start.Environment["GIT_COMMITTER_DATE"] = time;
        using var git = Process.Start(start)!;
        git.WaitForExit();
        Assert.Equal(0, git.ExitCode);
    }
}
