namespace Serdica.Perf.Measurement.Tests.History;

public sealed class HistoryTests : FolderTests
{
    [Fact]
    public void Each_scenario_of_a_run_is_one_line_with_the_means_of_its_repeats()
    {
        var file = Root.Below("below", "history.ndjson");

        HistoryFile.Append(file, HistoryLine.Of(Commit(1, 8_000, 12_500)));
        HistoryFile.Append(file, HistoryLine.Of(Commit(2, 9_000)));

        Assert.Equal(2, File.ReadAllLines(file).Length);
        var lines = HistoryFile.Read(file);
        Assert.Equal(
            (2, 10_000, "op/s"),
            (lines[0].Repeats, Math.Round(lines[0].Figures["throughput"].Value), lines[0].Figures["throughput"].Unit)
        );
        Assert.Equal("PostgreSQL 15.14", lines[0].Conditions["database"]);
        Assert.Equal(lines[0].Series, lines[1].Series);
        Assert.Empty(HistoryFile.Read(Root.Below("nowhere.ndjson")));
    }

    /// <summary>Git merges the file that commands use by default, so that two branches can add to it.</summary>
    [Fact]
    public void History_of_the_repository_is_merged_by_its_lines() =>
        Assert.Contains(
            $"{HistoryFile.DefaultPath.Replace('\\', '/')} merge=union",
            File.ReadLines(Path.Combine(RepositoryRoot.Folder, ".gitattributes"))
        );

    [Fact]
    public void A_scenario_is_added_once_for_a_commit_beside_others_that_are_new()
    {
        var file = Root.Below("history.ndjson");
        var first = HistoryLine.Of(Commit(1, 10_000));
        HistoryFile.Append(file, first);

        var refusal = Assert.Throws<HistoryException>(() => HistoryFile.Append(file, first)).Message;
        Assert.Contains($"already has {SimulatedRuns.Name} of commit 000000000001", refusal);
        Assert.Single(File.ReadAllLines(file));

        var another = first[0] with { Series = "another" };
        Assert.Equal([another], HistoryFile.Append(file, [another, first[0]]));
        Assert.Equal(["another"], HistoryFile.Read(file).Skip(1).Select(line => line.Series));
    }

    [Fact]
    public void Lines_of_another_version_are_refused_with_their_number()
    {
        var file = Root.Below("history.ndjson");
        var line = HistoryLine.Of(Commit(1, 8_000))[0];
        HistoryFile.Append(file, [line, line with { Series = "another", SchemaVersion = 2 }]);

        Assert.EndsWith(
            "is not understood; correct or remove it: Its schemaVersion is 2, and this program reads 1.",
            Assert.Throws<HistoryException>(() => HistoryFile.Read(file)).Message
        );
    }

    [Fact]
    public void Only_a_run_of_a_commit_as_it_is_belongs_in_a_history()
    {
        var run = Commit(1, 10_000);

        Assert.Contains("with changes on top of the commit", Refusal(WithSource(run, run.Environment.Source with { Dirty = true })));
        Assert.Contains("There is no git", Refusal(WithSource(run, new() { Reason = "There is no git on this machine." })));
        Assert.Contains("does not say whether there were changes", Refusal(WithSource(run, run.Environment.Source with { Dirty = null })));
        Assert.Contains("is failed", Refusal(run with { Status = RunStatus.Failed }));
        Assert.Contains(
            "made slow on purpose",
            Refusal(run with { Scenarios = [run.Scenarios[0] with { Parameters = run.Scenarios[0].Parameters with { StepDelayMs = 1 } }] })
        );
    }

    [Fact]
    public void Other_parameters_or_hardware_begin_another_series_and_another_kernel_does_not()
    {
        var run = Commit(1, 10_000);
        var series = HistoryLine.Of(run)[0].Series;

        Assert.NotEqual(
            series,
            SeriesOf(run with { Scenarios = [run.Scenarios[0] with { Parameters = run.Scenarios[0].Parameters with { Workers = 1 } }] })
        );
        Assert.NotEqual(series, SeriesOf(run with { Scenarios = [run.Scenarios[0] with { DefinitionHash = "d2" }] }));
        Assert.NotEqual(series, SeriesOf(WithMachine(run, run.Environment.Machine with { LogicalCores = 64 })));
        Assert.Equal(series, SeriesOf(WithMachine(run, run.Environment.Machine with { Kernel = "6.2.0" })));
    }

    /// <summary>A figure of other hardware, or of a server that flushes nothing, is no further point of a line.</summary>
    [Fact]
    public void Each_condition_that_decides_figures_begins_another_series()
    {
        var run = Commit(1, 10_000);
        var (machine, runtime, database) = (run.Environment.Machine, run.Environment.Runtime, run.Databases[0]);
        RunResult[] others =
        [
            WithMachine(run, machine with { CpuModel = "another" }),
            WithMachine(run, machine with { CgroupCpuLimit = 3 }),
            WithMachine(run, machine with { CgroupMemoryLimitBytes = 1 << 30 }),
            WithMachine(run, machine with { Architecture = "another" }),
            WithRuntime(run, runtime with { AvailableProcessors = 1 }),
            WithRuntime(run, runtime with { ServerGc = !runtime.ServerGc }),
            run with { Databases = [database with { Durability = Durability.NotDurable }] },
            run with { Databases = [database with { DataFileSystem = "tmpfs" }] },
        ];

        Assert.Equal(1 + others.Length, others.Prepend(run).Select(SeriesOf).Distinct().Count());
    }

    [Fact]
    public void What_a_report_shows_of_no_repeat_is_no_point_of_a_line()
    {
        var run = Commit(1, 10_000, 10_100);
        var few = run.Scenarios[0] with { ResponseTime = run.Scenarios[0].ResponseTime with { Count = 99 } };

        Assert.Equal(
            HistoryLine.Of(run)[0].Figures.Keys.Except(["p99"]),
            HistoryLine.Of(run with { Scenarios = [run.Scenarios[1], few] })[0].Figures.Keys
        );
    }

    [Fact]
    public void A_line_that_is_not_understood_is_named()
    {
        var file = Root.Below("history.ndjson");
        HistoryFile.Append(file, HistoryLine.Of(Commit(1, 10_000)));
        var first = File.ReadAllText(file);
        File.WriteAllText(file, first.TrimEnd());
        HistoryFile.Append(file, HistoryLine.Of(Commit(2, 10_000)));
        Assert.Equal(2, HistoryFile.Read(file).Count);
        Assert.StartsWith(first, File.ReadAllText(file));

        File.AppendAllText(file, "<<<<<<< HEAD\n");

        Assert.StartsWith(
            $"Line 3 of the history '{file}' is not understood",
            Assert.Throws<HistoryException>(() => HistoryFile.Read(file)).Message
        );
    }

    [Fact]
    public void The_page_has_change_points_and_what_else_changed_there()
    {
        var history = Range(1, 20)
            .SelectMany(number =>
                HistoryLine.Of(
                    WithMachine(
                        Commit(number, (number <= 12 ? 10_000 : 8_500) + 10 * (number * 7 % 11)),
                        SampleRun.Environment.Machine with { Kernel = number <= 12 ? "6.1.0" : "6.2.0" }
                    )
                )
            )
            .ToArray();

        // The order of the lines, as merges leave them, does not matter.
        var trends = TrendSeries.Of([.. history.Reverse()], ["throughput", "p99", "nothing"]);

        Assert.Equal(["throughput", "p99"], trends.Select(series => series.Metric));
        Assert.Equal([12], trends[0].ChangePoints.Select(change => change.Index));
        Assert.True(trends[0].IsWorse(trends[0].ChangePoints[0]));
        Assert.True(trends[1].IsWorse(trends[1].ChangePoints[0]));
        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/trend.md", Written.By(text => TrendMarkdown.Write(text, trends)));
    }

    private static RunResult Commit(int number, params double[] perSecond)
    {
        var run = SimulatedRuns.OfThroughputs(perSecond);
        return WithSource(
            run,
            new() { Commit = number.ToString("x12", CultureInfo.InvariantCulture) + new string('0', 28), Dirty = false }
        ) with
        { StartedAt = run.StartedAt.AddDays(number) };
    }

    private static RunResult WithSource(RunResult run, SourceDescription source) =>
        run with { Environment = run.Environment with { Source = source } };

    private static RunResult WithMachine(RunResult run, MachineDescription machine) =>
        run with { Environment = run.Environment with { Machine = machine } };

    private static RunResult WithRuntime(RunResult run, RuntimeDescription runtime) =>
        run with { Environment = run.Environment with { Runtime = runtime } };

    private static string SeriesOf(RunResult run) => HistoryLine.Of(run)[0].Series;

    private static string Refusal(RunResult run) => Assert.Throws<HistoryException>(() => HistoryLine.Of(run)).Message;
}
