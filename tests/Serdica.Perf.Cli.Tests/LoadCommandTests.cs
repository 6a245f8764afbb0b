namespace Serdica.Perf.Cli.Tests;

public sealed class LoadCommandTests : CliTests
{
    [Theory]
    [InlineData("run", "--scenario in-memory-immediate-burst-smoke --repeat 2")]
    [InlineData("run", "--scenario in-memory-signal-roundtrip-throughput-parallel --operations 300 --load closed")]
    [InlineData("load", "--backend in-memory --rate 200 --duration 500ms --warmup 0s")]
    public async Task Operations_are_kept_when_they_are_asked_for(string command, string options)
    {
        await Cli.RunAsync([command, .. options.Split(' '), "--keep-operations", "--output", Cli.Folder]);

        var lines = File.ReadLines(Cli.PathOf("operations.ndjson"))
            .Select(line => JsonDocument.Parse(line).RootElement)
            .ToArray();
        using var summary = Cli.Summary();
        foreach (var scenario in summary.Items("scenarios"))
        {
            var (name, repeat) = (scenario.Text("name"), scenario.GetProperty("parameters").Int32("repeat"));
            var kept = lines
                .Where(line => line.Text("scenario") == name && line.Int32("repeat") == repeat)
                .ToArray();
            Assert.Equal(scenario.GetProperty("counts").Int64("completed"), kept.Length);
            EachItem.Holds(kept, line =>
                Assert.True(
                    line.Int64("intendedUs") <= line.Int64("startUs")
                        && line.Int64("startUs") <= line.Int64("endUs")
                )
            );
            Assert.Equal(
                scenario.GetProperty("responseTime").Number("maxMs"),
                kept.Max(line => line.Int64("endUs") - line.Int64("intendedUs")) / 1000.0,
                0.01
            );
        }
    }

    [Fact]
    public async Task A_search_is_judged_by_what_it_finds_and_not_by_its_trials()
    {
        var exitCode = await Cli.MeasureAsync(
            "load --backend in-memory --find-max --duration 300ms --confirm 300ms --warmup 0s --delay 4ms --slots 1"
        );

        using var load = Cli.Parsed(RunFolder.LoadFile);
        using var summary = Cli.Summary();
        var found = load.RootElement.GetProperty("found");
        bool Has(string rate) => found.TryGetProperty(rate, out var value) && value.ValueKind == JsonValueKind.Number;
        Assert.Equal(found.GetProperty("confirmed").GetBoolean(), Has("perSecond"));
        Assert.Equal(Has("perSecond") ? ExitCodes.Success : ExitCodes.Failed, exitCode);
        Assert.Equal(Has("highestHeld") ? "passed" : "failed", summary.RootElement.Text("status"));
        Assert.Equal(found.Text("sentence"), summary.RootElement.Text("statusReason"));
        Assert.Contains(found.Text("sentence")!, Cli.Output);
        var failed = load.Items("steps").Count(step => step.Text("verdict") != "passed");
        Assert.Equal(failed, Regex.Count(Cli.Output, ": did not hold, "));
        Assert.DoesNotContain(": FAILED", Cli.Output);
    }

    [Theory]
    [InlineData("", "1m")]
    [InlineData("--duration 10s", "1m")]
    [InlineData("--duration 10s --scale 0.1", "1m")]
    [InlineData("--duration 2m", "2m")]
    [InlineData("--duration 2m --confirm 5m", "5m")]
    [InlineData("--duration 2s --confirm 3s --scale 0.5", "3s")]
    [InlineData("--duration 10s --confirm 1s", "10s")]
    public async Task A_rate_that_is_found_must_hold_for_a_minute_unless_another_time_is_asked_for(string options, string time)
    {
        var exitCode = await Cli.TypeAsync($"load --backend in-memory --find-max --dry-run {options}".TrimEnd());

        Assert.Equal(ExitCodes.Success, exitCode);
        Assert.Contains($"The rate that is found must then hold for {time}.", Cli.Output);
    }

    [Fact]
    public async Task Plan_of_a_closed_load_has_its_reads_and_the_number_of_its_operations()
    {
        await Cli.TypeAsync("load --backend in-memory --users 3 --reads 5 --operations 40 --dry-run");

        Assert.Contains(": 3 callers for 10s, at most 40 operations, 5 reads/s", Cli.Output);
    }

    [Fact]
    public async Task A_step_that_could_not_be_verified_says_so_on_the_console()
    {
        await Cli.MeasureAsync(
            "load --backend in-memory --users 1 --operations 100 --error-rate 50% --duration 10m --warmup 0s",
            "--assembly",
            typeof(FailsOnce).Assembly.Location,
            "--workflow",
            FailsOnce.Scenario.Name
        );

        Assert.Equal(1, Assert.Single(LoadResultReader.Read(Cli.RunFolder).Steps).Counts.Failed);
        Assert.Contains("  UNVERIFIED: operations failed or never ended, and nothing verified ", Cli.Output);
        Assert.Contains("in-memory-load-users: UNVERIFIED (operations failed or never ended, and nothing verified ", Cli.Output);
        Assert.DoesNotContain("PASSED", Cli.Output);
        Assert.DoesNotContain(": passed", Cli.Output);
    }

    /// <summary>The sources of scenarios of one's own are where their assembly is, wherever the command is typed.</summary>
    [Fact]
    public async Task Commit_of_a_load_is_that_of_its_assembly_and_not_that_of_the_current_folder()
    {
        using var own = new Cli();
        var assembly = Path.Combine(own.Folder, Path.GetFileName(typeof(FailsOnce).Assembly.Location));
        File.Copy(typeof(FailsOnce).Assembly.Location, assembly);
        GitCommand.Run(own.Folder, "init", "--quiet");
        GitCommand.Commit(own.Folder);

        await Cli.MeasureAsync(
            "load --backend in-memory --rate 50 --duration 500ms --warmup 0s",
            "--assembly",
            assembly,
            "--workflow",
            FailsOnce.Scenario.Name
        );

        Assert.Equal(GitCommand.Run(own.Folder, "rev-parse", "HEAD").Trim(), BaselineReader.Read(Cli.RunFolder).Environment.Source.Commit);
    }

    [Fact]
    public async Task Repeats_are_told_side_by_side_in_every_file()
    {
        var exitCode = await Cli.MeasureAsync("load --backend in-memory --rate 200 --duration 1s --warmup 0s --repeat 2");

        // On a machine that is busy a repeat may miss its rate.
        var result = LoadResultReader.Read(Cli.RunFolder);
        Assert.Equal(result.Verdict == StepVerdict.Failed ? ExitCodes.Failed : ExitCodes.Success, exitCode);
        Assert.Matches("in-memory-load-rate-200: [0-2] of 2 passed, p99 ", Cli.Output);
        Assert.Equal([("rate-200 #1", 1), ("rate-200 #2", 2)], result.Steps.Select(step => (step.Name, step.Repeat)));
        Assert.Matches(@"\| in-memory-load-rate-200 \| [0-2] of 2 \|", Cli.Written(RunFolder.LoadReportFile));
        var summary = BaselineReader.Read(Cli.RunFolder);
        Assert.Equal(
            ("in-memory-load-rate-200", result.Steps.Count(step => step.Verdict != StepVerdict.Failed)),
            (Assert.Single(summary.Repeats).Name, summary.Repeats[0].Passed)
        );
        Assert.Equal(
            2,
            summary
                .Scenarios.SelectMany(scenario => scenario.Histograms.Values)
                .Where(path => path.Contains("response"))
                .Distinct()
                .Count()
        );
    }

    [Theory]
    [InlineData("--oscillate 20..80 --period 200ms --duration 1s", "oscillate")]
    [InlineData("--rate 300 --backlog-between 2..10 --delay 20ms --slots 1 --duration 1s", "rate-300")]
    public async Task A_load_that_swings_is_one_step(string options, string name)
    {
        await Cli.RunAsync(["load", "--backend", "in-memory", "--warmup", "0s", "--output", Cli.Folder, .. options.Split(' ')]);

        var step = Assert.Single(LoadResultReader.Read(Cli.RunFolder).Steps);
        Assert.Equal((name, 0, 0), (step.Name, step.Counts.Running, step.Counts.Failed));
        Assert.Equal(name != "oscillate", step.Oscillation is { Cycles: > 0, PeakBacklog: >= 10 });
    }

    [Fact]
    public async Task Without_being_asked_for_no_operation_is_kept()
    {
        await Cli.MeasureAsync("load --backend in-memory --rate 50 --duration 200ms --warmup 0s");

        Assert.False(File.Exists(Cli.PathOf("operations.ndjson")));
    }

    [Fact]
    public async Task A_load_test_leaves_its_artifacts_and_says_how_it_went()
    {
        await Cli.MeasureAsync("load --backend in-memory --rate 50,100 --arrivals uniform --duration 1s --warmup 0s");

        foreach (var file in (string[])[RunFolder.ManifestFile, RunFolder.SummaryFile, RunFolder.LoadFile, RunFolder.LoadReportFile])
            Assert.True(File.Exists(Cli.PathOf(file)), file);
        var result = LoadResultReader.Read(Cli.RunFolder);
        Assert.Equal([("rate-50", 50), ("rate-100", 100)], result.Steps.Select(step => (step.Name, step.Counts.Completed)));
        Assert.Contains($"The generator alone reaches {result.GeneratorCeilingPerSecond:N0} round trips/s", Cli.Output);
        Assert.Contains("rate-100: ", Cli.Output);
        Assert.EndsWith(
            $"Run folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), Cli.RunFolder)}{Environment.NewLine}",
            Cli.Output
        );
    }

    [Fact]
    public async Task One_letter_options_mean_what_they_mean_elsewhere_and_case_matters()
    {
        var exitCode = await Cli.MeasureAsync(
            "load --backend in-memory -e 50 --arrivals uniform -d 1s -D 1ms -F 2 -f 50% -P 1kb -s 100 -w 60s -c 1..500 -p 10ms --json"
        );

        using var json = JsonDocument.Parse(Cli.Output);
        Assert.Equal(json.RootElement.Text("verdict") == "failed" ? ExitCodes.Failed : ExitCodes.Success, exitCode);
        var profile = json.RootElement.GetProperty("profile");
        Assert.Equal(
            ("00:00:01", "00:00:00.0100000", "00:01:00"),
            (profile.GetProperty("steps")[0].Text("duration"), profile.Text("workerDelay"), profile.Text("drainLimit"))
        );
        var work = profile.GetProperty("work");
        Assert.Equal((1_000, 2, 0.5), (work.Int32("payloadBytes"), work.Int32("fanOut"), work.Number("failureRate")));
        var counts = json.RootElement.GetProperty("steps")[0].GetProperty("counts");
        Assert.Equal((50, 50), (counts.Int32("completed"), counts.Int32("injectedFailures")));
    }

    [Fact]
    public async Task Several_generators_share_the_load_and_merge_exactly()
    {
        await Cli.MeasureAsync("load --backend in-memory --rate 100 --arrivals uniform --duration 1s --warmup 0s --slots 5 --generators 2");

        var whole = LoadResultReader.Read(Cli.RunFolder);
        var parts = Directory
            .GetDirectories(Cli.PathOf("generators"))
            .SelectMany(Directory.GetDirectories)
            .Select(LoadResultReader.Read)
            .ToArray();
        Assert.Equal([50, 50], parts.Select(part => part.Steps[0].Counts.Completed));
        Assert.Equal([3, 2], parts.OrderByDescending(part => part.Profile.Slots).Select(part => part.Profile.Slots!.Value));
        Assert.NotEqual(parts[0].Profile.Seed, parts[1].Profile.Seed);
        var step = Assert.Single(whole.Steps);
        Assert.Equal(step.Counts.Completed / Math.Max(step.PlannedSeconds, step.ElapsedSeconds), step.CompletedPerSecond, 1e-6);
        Assert.Equal((2, 100, 100, 100), (whole.Generators, step.Counts.Completed, step.Response.Count, step.TargetPerSecond));
        Assert.Equal(parts.Max(part => part.Steps[0].Response.MaxMs), step.Response.MaxMs);
        Assert.Equal(parts.Min(part => part.Steps[0].Response.MinMs), step.Response.MinMs);
        Assert.Equal(parts.Average(part => part.Steps[0].Response.AverageMs)!.Value, step.Response.AverageMs!.Value, 1e-9);
        Assert.Single(Directory.GetFiles(Cli.PathOf("histograms"), "*.hlog"));
    }

    [Fact]
    public async Task Thresholds_and_kinds_are_in_every_output()
    {
        var exitCode = await Cli.MeasureAsync(
            "load --backend in-memory --rate 100 --duration 1s --warmup 0s --mix signal-roundtrip=2,start-only=1",
            "--threshold",
            "responseTime:p50 < 1h",
            "--threshold",
            "throughput > 1000000",
            "--threshold",
            "responseTime:p99.99 < 1h"
        );

        Assert.Equal(ExitCodes.Failed, exitCode);
        var step = Assert.Single(LoadResultReader.Read(Cli.RunFolder).Steps);
        Assert.Equal(
            [("responseTime:p50 < 3600000ms", true), ("throughput > 1000000", false), ("responseTime:p99.99 < 3600000ms", false)],
            step.Thresholds.Select(threshold => (threshold.Threshold, threshold.Held))
        );
        Assert.Equal(["signal-roundtrip", "start-only"], step.Kinds.Select(kind => kind.Name));
        Assert.Contains("BROKEN: throughput > 1000000, measured ", Cli.Output);
        Assert.Contains("BROKEN: responseTime:p99.99 < 3600000ms, not judged", Cli.Output);
        Assert.Contains("  start-only: ", Cli.Output);
        foreach (var file in (string[])["load.md", "report.html"])
        {
            var text = Cli.Written(file);
            Assert.Contains("start-only", text);
            Assert.Contains("broken", text);
        }
    }

    [Fact]
    public async Task Several_generators_tell_what_their_one_server_used()
    {
        var exitCode = await Cli.MeasureAsync("load --source local --users 8 --delay 100ms --duration 2s --warmup 0s --generators 2");

        Cli.SkipWithoutPostgreSql(exitCode);
        Assert.True(exitCode == ExitCodes.Success, Cli.Output + Cli.Error);
        var resources = Assert.Single(LoadResultReader.Read(Cli.RunFolder).Steps).Resources;
        Assert.Equal(
            (1, 2),
            (
                resources.Single(figures => figures.Component == "database").Replicas,
                resources.Single(figures => figures.Component == "engine and generator").Replicas
            )
        );
        Assert.True(resources.Single(figures => figures.Component == "database").Cpu!.Max > 0);
    }

    /// <summary>What a generator has measured before it is aborted is a result, but not one of the whole test.</summary>
    [Fact]
    public async Task Generators_that_end_before_the_last_step_fail_the_test()
    {
        var server = await LocalServer.StartOrSkipAsync();
        await using var closing = server;
        Cli.Server = server;
        string[] Written() =>
            [
                .. Directory
                    .EnumerateFiles(Cli.Folder, "*.hlog", SearchOption.AllDirectories)
                    .Select(file => Path.GetRelativePath(Cli.RunFolder, file).Split(Path.DirectorySeparatorChar))
                    .Where(path => path[0] == "generators")
                    .Select(path => path[1])
                    .Distinct(),
            ];

        var profile = Path.Combine(Cli.Folder, "two.yml");
        var steps = "  - { name: one, rate: 20, duration: 1s }\n  - { name: two, rate: 20, duration: 15s }\n";
        await File.WriteAllTextAsync(profile, $"name: two\nwarmUp: 0s\nsteps:\n{steps}", Token);
        var running = Cli.MeasureAsync("load --generators 2 --profile", profile);
        await HangGuard.UntilAsync(
            () => Written().Length == 2 || running.IsCompleted,
            () => $"The generators have not ended the first step: {Cli.Output}{Cli.Error}"
        );
        await server.DisposeAsync();

        Assert.Equal(ExitCodes.Failed, await running);
        Assert.Matches("Generator [12] ended after 1 of 2 steps: ", Cli.Output + Cli.Error);
        Assert.Equal(RunStatus.Aborted, BaselineReader.Read(Cli.RunFolder).Status);
    }

    [Theory]
    [InlineData("load")]
    [InlineData("queue")]
    [InlineData("run")]
    [InlineData("size")]
    public async Task Help_has_examples_and_exit_codes(string command)
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync(command, "-h"));

        Assert.Contains($"serdica-perf {command}", Cli.Output);
        Assert.Contains("Exit codes:", Cli.Output);
    }

    [Fact]
    public async Task A_failed_step_fails_the_command()
    {
        Assert.Equal(
            ExitCodes.Failed,
            await Cli.MeasureAsync("load --backend in-memory --rate 400 --duration 1s --warmup 0s --delay 50ms --slots 1 --drain 0s")
        );
        Assert.Contains("Limited by: configured limit: slots.", Cli.Output);
        Assert.Contains("FAILED.", Cli.Output);
    }

    [Theory]
    [InlineData("temporal-dsql", "temporal-dsql-after-overload: 75/s for 3s")]
    [InlineData("hatchet-100-500-2000", "hatchet-100-500-2000-high: 2000/s for 1s")]
    [InlineData("pg-queue", "pg-queue-throttled: 20000/s for 1.2s")]
    [InlineData("tempo-medium", "tempo-medium-large-traces: 3991.06/s for 45s, poisson, 50 to 200 callers, 70 reads/s")]
    public async Task A_shipped_profile_is_found_by_name_and_scaled(string profile, string line)
    {
        Assert.Equal(
            ExitCodes.Success,
            await Cli.RunAsync("load", "--profile", profile, "--scale", "0.01", "--dry-run", "--output", Cli.Folder)
        );

        Assert.Contains(line, Cli.Output);
        Assert.Empty(Directory.GetFileSystemEntries(Cli.Folder));
    }
}
