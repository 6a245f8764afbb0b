using System.Diagnostics;
using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The answers of <c>eng/regression.cs</c> that need no measurement, and its limits.</summary>
public sealed class RegressionScriptTests
{
    [Fact]
    public async Task Without_a_change_of_what_is_measured_nothing_is_measured()
    {
        using var folder = new TemporaryFolder();
        foreach (var file in ScriptFiles.Of("eng/regression.cs"))
            ScriptFiles.Copy(file, folder);

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

    /// <summary>In the place of dotnet is a script that answers as a comparison whose gate was breached.</summary>
    [Fact]
    public async Task Change_of_what_is_measured_or_built_with_is_measured_and_its_exit_code_is_passed_on()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        using var folder = new TemporaryFolder();
        foreach (var file in ScriptFiles.Of("eng/regression.cs"))
            ScriptFiles.Copy(file, folder);
        StandIn.Write(folder, "#!/bin/sh\necho \"$*\"\nexit 3");
        Git(folder.Path, "init", "--quiet");
        Commit(folder.Path, "Begin", "2020-01-01T00:00:00Z");
        (string File, string Text)[] changes =
        [
            ("src/Any.cs", "\n"),
            ("Directory.Build.props", "\n"),
            ("Directory.Packages.props", "<Project />\n"),
            ("global.json", "{}\n"),
            ("eng/measuring.props", "<Project />\n"),
        ];

        foreach (var (day, (file, text)) in changes.Index())
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder.Below(file))!);
            await File.AppendAllTextAsync(folder.Below(file), text, TestContext.Current.CancellationToken);
            Git(folder.Path, "add", "--force", file);
            Commit(folder.Path, $"Change {file}", $"2020-01-{day + 3:00}T00:00:00Z");

            var run = await RunAsync(folder.Path, "--since", $"2020-01-{day + 2:00}T12:00:00Z");

            Assert.True(run.ExitCode == 3, $"{file}: {run.Output}");
            Assert.Contains(" ab --base commit:", run.Output, StringComparison.Ordinal);
            Assert.Contains("--gate " + folder.Below("eng", "perf-gate.json") + " --blocks 16", run.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Clone_without_the_commit_of_the_day_before_is_an_error()
    {
        using var folder = new TemporaryFolder();
        foreach (var file in ScriptFiles.Of("eng/regression.cs"))
            ScriptFiles.Copy(file, folder);
        using var origin = new TemporaryFolder();
        Git(origin.Path, "init", "--quiet");
        Commit(origin.Path, "Begin", "2020-01-01T00:00:00Z");
        Commit(origin.Path, "Go on", "2020-01-03T00:00:00Z");
        Git(folder.Path, "init", "--quiet");
        Git(folder.Path, "fetch", "--quiet", "--depth", "1", new Uri(origin.Path).AbsoluteUri);
        Git(folder.Path, "reset", "--quiet", "FETCH_HEAD");

        var shallow = await RunAsync(folder.Path, "--since", "2020-01-02");

        Assert.Equal(1, shallow.ExitCode);
        Assert.Contains("because it is shallow: fetch the whole history", shallow.Output, StringComparison.Ordinal);
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

    private static Task<CommandResult> RunAsync(string folder, params string[] arguments) =>
        DotnetCommand.RunProgramAsync(
            StandIn.Real,
            folder,
            new Dictionary<string, string> { ["PATH"] = StandIn.Path(folder) },
            ["run", "eng/regression.cs", "--", .. arguments]
        );

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
