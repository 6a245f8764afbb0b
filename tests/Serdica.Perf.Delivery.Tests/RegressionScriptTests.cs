using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The answers of <c>eng/regression.cs</c> that need no measurement, and its limits.</summary>
public sealed class RegressionScriptTests(ScriptCopy script) : FolderTests, IClassFixture<ScriptCopy>
{
    [Fact]
    public async Task Without_a_change_of_what_is_measured_nothing_is_measured()
    {
        var folder = await BeginAsync();
        Commit(folder.Path, "Begin", "2020-01-01T00:00:00Z");

        var nothingBefore = await RunAsync(folder.Path, "--since", "2019-01-01");
        Commit(folder.Path, "Go on", "2020-01-03T00:00:00Z");
        var nothingChanged = await RunAsync(folder.Path, "--since", "2020-01-02");
        var noValue = await RunAsync(folder.Path, "--since");
        var misspelt = await RunAsync(folder.Path, "--since", "yesterdayy");
        var unknown = await RunAsync(folder.Path, "--since", "2020-01-02", "--bloks=20");

        Assert.Equal((0, 0, 2), (nothingBefore.ExitCode, nothingChanged.ExitCode, noValue.ExitCode));
        Assert.Equal((2, 2), (misspelt.ExitCode, unknown.ExitCode));
        Assert.Contains("--since is 'yesterdayy'; give a date", misspelt.Output);
        Assert.Contains("'--bloks=20' is not understood", unknown.Output);
        Assert.Contains("HEAD has no commit from before '2019-01-01'", nothingBefore.Output);
        Assert.Contains("Nothing that is measured has changed since", nothingChanged.Output);
        Assert.Contains("--since has no value", noValue.Output);
    }

    /// <summary>In the place of dotnet is a script that answers as a comparison whose gate was breached.</summary>
    [Fact]
    public async Task Change_of_what_is_measured_or_built_with_is_measured_and_its_exit_code_is_passed_on()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        var folder = await BeginAsync();
        StandIn.Write(folder, "#!/bin/sh\necho \"$*\"\nexit 3");
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
            await File.AppendAllTextAsync(folder.Below(file), text, Token);
            Git(folder.Path, "add", "--force", file);
            Commit(folder.Path, $"Change {file}", $"2020-01-{day + 3:00}T00:00:00Z");

            var run = await RunAsync(folder.Path, "--since", $"2020-01-{day + 2:00}T12:00:00Z");

            Assert.True(run.ExitCode == 3, $"{file}: {run.Output}");
            Assert.Contains(" ab --base commit:", run.Output);
            Assert.Contains("--gate " + folder.Below("eng", "perf-gate.json") + " --blocks 16", run.Output);
        }
    }

    [Fact]
    public async Task Clone_without_the_commit_of_the_day_before_is_an_error()
    {
        var folder = await BeginAsync();
        using var origin = new TemporaryFolder();
        Git(origin.Path, "init", "--quiet");
        Commit(origin.Path, "Begin", "2020-01-01T00:00:00Z");
        Commit(origin.Path, "Go on", "2020-01-03T00:00:00Z");
        Git(folder.Path, "fetch", "--quiet", "--depth", "1", new Uri(origin.Path).AbsoluteUri);
        Git(folder.Path, "reset", "--quiet", "FETCH_HEAD");

        var shallow = await RunAsync(folder.Path, "--since", "2020-01-02");

        Assert.Equal(1, shallow.ExitCode);
        Assert.Contains("because it is shallow: fetch the whole history", shallow.Output);
    }

    /// <summary>A commit that lay on a branch for days is new when it is merged, so it is no base.</summary>
    [Theory]
    [InlineData("src/Serdica.Perf.Cli/Templates/.github/workflows/perf-nightly.yml.txt")]
    [InlineData("src/Serdica.Perf.Cli/Templates/azure-pipelines.yml.txt")]
    public async Task Base_of_a_new_project_is_on_its_main_line(string template)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        StandIn.Write(Root, "#!/bin/sh\necho \"$*\"");
        var script = Regex.Match(File.ReadAllText(Repository.PathOf(template)), " base=.*?--gate perf-gate.json", RegexOptions.Singleline);
        Git(Root.Path, "init", "--quiet");
        Commit(Root.Path, "Begin", "2020-01-01T00:00:00Z");
        Git(Root.Path, "branch", "side");
        Commit(Root.Path, "Go on", "2020-01-02T00:00:00Z");
        Root.Write("perf-gate.json", "{}");
        Git(Root.Path, "add", "perf-gate.json");
        Commit(Root.Path, "Add the project", DateTimeOffset.UtcNow.ToString("O", CultureInfo.InvariantCulture));
        var withoutProject = await ShellAsync(script.Value);
        Git(Root.Path, "commit", "--quiet", "--amend", "--no-edit", "--date", "2020-01-02T12:00:00Z");
        var onlyOld = await ShellAsync(script.Value);
        Git(Root.Path, "checkout", "--quiet", "side");
        Commit(Root.Path, "Slow", "2020-01-03T00:00:00Z");
        Git(Root.Path, "checkout", "--quiet", "-");
        Git(Root.Path, "merge", "--quiet", "--no-edit", "side");

        var merged = await ShellAsync(script.Value);
        var expected = (await ShellAsync("git rev-parse HEAD^1")).Output.Trim();

        Assert.Matches(@"\AThe base [0-9a-f]+ has no perf-gate.json, so there is nothing to compare with.\n\z", withoutProject.Output);
        Assert.Matches(@"\ANo commit is newer than the base [0-9a-f]+, so nothing is measured\.\n\z", onlyOld.Output);
        Assert.Contains($" ab --project . --base commit:{expected} ", merged.Output);

        Task<CommandResult> ShellAsync(string text) =>
            DotnetCommand.RunProgramAsync("sh", Root.Path, StandIn.Variables(Root.Path), "-ec", text);
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

        Assert.DoesNotContain(metrics.Keys, metric => metric.Contains('*'));
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

    /// <summary>The folder of the script, with a new repository.</summary>
    private async Task<TemporaryFolder> BeginAsync()
    {
        var folder = await script.CompileAsync("eng/regression.cs");
        if (Directory.Exists(folder.Below(".git")))
            Directory.Delete(folder.Below(".git"), recursive: true);
        Git(folder.Path, "init", "--quiet");
        return folder;
    }

    private static Task<CommandResult> RunAsync(string folder, params string[] arguments) =>
        DotnetCommand.RunProgramAsync(
            StandIn.Real,
            folder,
            StandIn.Variables(folder),
            ["run", "--no-build", "eng/regression.cs", "--", .. arguments]
        );

    private static void Commit(string folder, string message, string time) =>
        Git(folder, "commit", "--quiet", "--allow-empty", "-m", message, "--date", time);

    private static void Git(string folder, params string[] arguments)
    {
        string[] author = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
        var start = new ProcessStartInfo("git", [.. author, .. arguments]) { WorkingDirectory = folder };
        if (arguments is [.., "--date", var time])
            start.Environment["GIT_COMMITTER_DATE"] = time;
        using var git = Process.Start(start)!;
        git.WaitForExit();
        Assert.Equal(0, git.ExitCode);
    }
}
