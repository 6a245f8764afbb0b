using Serdica.Perf.Cli.Commands.Run;

namespace Serdica.Perf.Cli.Tests;

public sealed class RunCommandTests : CliTests
{
    private const string Burst = "in-memory-immediate-burst-smoke";

    [Fact]
    public async Task A_run_leaves_its_artifacts_and_names_its_folder()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("run", "--scenario", Burst, "--output", Cli.Folder));

        foreach (var file in (string[])[RunFolder.ManifestFile, RunFolder.SummaryFile, RunFolder.ReportFile, RunLog.FileName])
            Assert.True(File.Exists(Cli.PathOf(file)), file);
        Assert.Single(Directory.GetFiles(Cli.PathOf("histograms"), "*.hlog"));
        Assert.Contains($"{Burst}: passed", Cli.Output);
        Assert.Contains($"Run folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), Cli.RunFolder)}", Cli.Output);
    }

    [Theory]
    [InlineData($"run --scenario {Burst}")]
    [InlineData("load --backend in-memory --users 2 --operations 100 --duration 10m --warmup 0s")]
    public async Task The_same_command_again_is_compared_with_the_run_before_it(string command)
    {
        RunGateTests.SkipDebug();

        foreach (var _ in (int[])[1, 2])
            Assert.True(await Cli.MeasureAsync(command) == ExitCodes.Success, Cli.Output + Cli.Error);

        var runs = Directory.GetDirectories(Cli.Folder).OrderBy(folder => BaselineReader.Read(folder).StartedAt).ToArray();
        Assert.Contains(
            $"The last comparable run is {Path.GetFileName(runs[0])}.",
            File.ReadAllText(Path.Combine(runs[1], RunFolder.ReportFile))
        );
    }

    [Fact]
    public async Task With_json_the_output_is_the_summary_and_nothing_else()
    {
        Assert.Equal(
            ExitCodes.Success,
            await Cli.RunAsync("run", "--json", "--scenario", Burst, "--operations", "50", "--repeat", "2", "--output", Cli.Folder)
        );

        using var summary = JsonDocument.Parse(Cli.Output);
        var scenarios = summary.RootElement.GetProperty("scenarios");
        Assert.Equal("passed", summary.RootElement.Text("status"));
        Assert.Equal([1, 2], scenarios.EnumerateArray().Select(scenario => scenario.GetProperty("parameters").Int32("repeat")));
        EachItem.Holds(scenarios.EnumerateArray(), scenario => Assert.Equal(50, scenario.GetProperty("counts").Int32("completed")));
        Assert.Contains($"{Burst}: passed", Cli.Error);
    }

    [Theory]
    [InlineData("run", "--scenario in-memory-signal-roundtrip-throughput-parallel --operations 100")]
    [InlineData("load", "--backend in-memory --rate 100 --duration 1s --warmup 0s")]
    [InlineData("queue", "--backend in-memory --throttle 100 --duration 1s --warmup 0s")]
    public async Task A_setting_of_the_engine_is_in_force_and_in_the_results(string command, string options)
    {
        var exitCode = await Cli.RunAsync([command, .. options.Split(' '), "--engine", "claim-batch=1,direct=off", "--output", Cli.Folder]);

        // On a machine that is busy a load may miss its rate, and readers of a queue may be behind.
        using var queue = command == "queue" ? Cli.Parsed(RunFolder.QueueFile) : null;
        var missed =
            command == "load" && LoadResultReader.Read(Cli.RunFolder).Verdict == StepVerdict.Failed
            || queue is not null && QueueCommandTests.FallsBehind(queue.RootElement);
        Assert.Equal(missed ? ExitCodes.Failed : ExitCodes.Success, exitCode);

        using var summary = Cli.Summary();
        var scenario = Assert.Single(summary.Items("scenarios"));
        var counters = scenario.GetProperty("engineMetrics");
        Assert.Equal("1", scenario.GetProperty("parameters").GetProperty("engine").Text("claim-batch"));
        Assert.Equal(counters.GetProperty("signals").Number("value"), counters.GetProperty("batches").Number("value"));
    }

    [Fact]
    public async Task Sizes_of_the_server_are_set_side_by_side()
    {
        Assert.SkipWhen(Environment.ProcessorCount == 1, "There is one size of server on a machine with one processor.");

        var exitCode = await Cli.MeasureAsync(
            $"run --source local --db-cpus 1,{Environment.ProcessorCount} --scenario postgresql-signal-roundtrip-throughput-parallel "
                + "--operations 100 --warmup 10 --no-overhead"
        );

        Cli.SkipWithoutPostgreSql(exitCode);
        Assert.Equal(ExitCodes.Success, exitCode);
        Assert.Equal(2, Directory.GetDirectories(Cli.Folder).Length);
        var report = Assert.Single(Directory.GetFiles(Cli.Folder, RunLadder.ServerSizesFile, SearchOption.AllDirectories));
        EachItem.Holds(Directory.GetDirectories(Cli.Folder), folder => Assert.Contains(Path.GetFileName(folder), File.ReadAllText(report)));
        Assert.Contains($"on 1 and ", Cli.Output);
    }

    [Fact]
    public async Task A_dry_run_says_what_would_be_measured_and_leaves_nothing()
    {
        Assert.Equal(
            ExitCodes.Success,
            await Cli.RunAsync("run", "--dry-run", "--scenario", Burst, "--operations", "50", "--repeat", "2", "--output", Cli.Folder)
        );

        Assert.Contains($"{Burst}: 50 operations, ", Cli.Output);
        Assert.EndsWith($"Each would be measured 2 times; nothing was run.{Environment.NewLine}", Cli.Output);
        Assert.Empty(Directory.GetFileSystemEntries(Cli.Folder));
    }

    [Fact]
    public async Task A_cancelled_run_is_marked_aborted_and_keeps_its_artifacts()
    {
        using var cancel = new CancellationTokenSource();

        // When it begins: the messages are due after 2 s, so the run cannot end by itself before it is cancelled.
        Cli.OnLine = line =>
        {
            if (line.StartsWith("in-memory-delayed-burst-smoke"))
                cancel.Cancel();
        };
        var exitCode = await Cli.RunAsync(
            cancel.Token,
            "run",
            "--scenario",
            "in-memory-delayed-burst-smoke",
            "--warmup",
            "0",
            "--output",
            Cli.Folder
        );

        Assert.Equal(ExitCodes.Cancelled, exitCode);
        using var manifest = Cli.Parsed(RunFolder.ManifestFile);
        using var summary = Cli.Summary();
        Assert.Equal("aborted", manifest.RootElement.Text("status"));
        Assert.Equal("aborted", summary.RootElement.Text("status"));
        Assert.Contains("ABORTED", Cli.Output);
    }

    [Fact]
    public async Task What_nobody_foresaw_ends_the_run_with_a_sentence_and_keeps_what_was_measured()
    {
        Cli.OnLine = line =>
        {
            if (line.StartsWith($"{Burst} (repeat 2)"))
                throw new InvalidOperationException("The console has gone.");
        };

        var exitCode = await Cli.RunAsync("run", "--scenario", Burst, "--repeat", "2", "--output", Cli.Folder);

        Assert.Equal(ExitCodes.Failed, exitCode);
        using var summary = Cli.Summary();
        Assert.Equal("aborted", summary.RootElement.Text("status"));
        Assert.Equal("InvalidOperationException: The console has gone. run.log has the details.", summary.RootElement.Text("statusReason"));
        Assert.NotEmpty(summary.Items("scenarios"));
        Assert.Contains("The console has gone.", Cli.Written(RunLog.FileName));
    }

    [Fact]
    public async Task A_named_backend_that_cannot_be_had_is_recorded_and_has_an_exit_code_of_its_own()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Username=perf;Password=s3cret-Pa55;Timeout=2";

        var exitCode = await Cli.MeasureAsync("run --backend postgresql,in-memory --scenario immediate-burst-smoke");

        Assert.Equal(ExitCodes.BackendUnavailable, exitCode);
        using var summary = Cli.Summary();
        Assert.Equal("postgresql", summary.RootElement.GetProperty("notMeasured")[0].Text("backend"));
        Assert.Equal(Burst, summary.RootElement.GetProperty("scenarios")[0].Text("name"));
        Assert.DoesNotContain("s3cret", Cli.Output + Cli.Error + Cli.Written(RunFolder.SummaryFile));
    }

    [Fact]
    public async Task A_database_that_cannot_be_had_has_no_overhead_to_measure()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Username=perf;Password=s3cret-Pa55;Timeout=2";

        var exitCode = await Cli.RunAsync("run", "--scenario", "immediate-burst-smoke", "--output", Cli.Folder);

        Assert.Equal(ExitCodes.BackendUnavailable, exitCode);
        using var summary = Cli.Summary();
        Assert.Empty(summary.Items("scenarios"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_scenario_of_a_database_is_measured_in_memory_too_unless_it_is_not_wanted(bool wanted)
    {
        const string Line =
            "run --source local --scenario postgresql-immediate-burst-smoke --scenario postgresql-delayed-burst-smoke "
            + "--repeat 2 --warmup 0";

        var exitCode = await Cli.MeasureAsync(wanted ? Line : $"{Line} --no-overhead");

        Cli.SkipWithoutPostgreSql(exitCode);
        Assert.Equal(ExitCodes.Success, exitCode);
        using var summary = Cli.Summary();
        Assert.Equal(
            wanted ? [Burst] : [],
            summary.Items("scenarios")
                .Select(scenario => scenario.Text("name")!)
                .Where(name => name.StartsWith("in-memory"))
        );
        var report = Cli.Written(RunFolder.DetailsFile);
        Assert.Equal(wanted, report.Contains("## Harness overhead"));
    }
}
