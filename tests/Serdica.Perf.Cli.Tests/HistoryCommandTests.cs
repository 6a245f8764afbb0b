namespace Serdica.Perf.Cli.Tests;

public sealed class HistoryCommandTests : CliTests
{
    private const string Scenario = KeptRun.Scenario;

    [Fact]
    public async Task A_change_is_told_when_it_shows_and_stands_in_the_trend()
    {
        var runs = await MakeRunsAsync();
        var history = Path.Combine(Cli.Folder, "history.ndjson");

        foreach (var run in runs)
            Assert.Equal(ExitCodes.Success, await Cli.RunAsync("history", "add", run, "--history", history));

        var change = $"{Scenario} throughput at 00000000000c (2026-11-13): 1,00";
        Assert.Contains($"New change point: {change}", Cli.Output);
        Assert.Single(Cli.Output.Split('\n'), line => line.StartsWith("New change point"));

        var from = Cli.Output.Length;
        var trends = Path.Combine(Cli.Folder, "trend.md");
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("trend", "--history", history, "--markdown", trends));
        Assert.Contains($"{Scenario} throughput: 00000000000c (2026-11-13): 1,00", Cli.Output[from..]);
        Assert.Contains("# Trend", File.ReadAllText(trends));
        Assert.DoesNotContain("No change point.", Cli.Output[from..]);

        from = Cli.Output.Length;
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("trend", "--history", history, "--metric", "throughput", "--json"));
        using var series = JsonDocument.Parse(Cli.Output[from..]);
        Assert.Equal(20, series.RootElement[0].GetProperty("points").GetArrayLength());
        Assert.Equal(11, series.RootElement[0].GetProperty("changePoints")[0].Int32("index"));

        var page = Path.Combine(Cli.Folder, "page.json");
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("report", runs[^1], "--history", history, "--output", page));
        using var report = JsonDocument.Parse(File.ReadAllText(page));
        var trend = report.Items("trends").Single(trend => trend.Text("name") == $"{Scenario} throughput");
        Assert.Equal([11], trend.Items("changePoints").Select(index => index.GetInt32()));
        Assert.Equal(20, trend.GetProperty("points").GetArrayLength());

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("report", runs[^1], "--history", history + "x", "--output", page));
        Assert.Contains($"There is no history '{history}x'", Cli.Error);
    }

    [Fact]
    public async Task A_known_change_is_not_new_when_a_run_before_it_is_added()
    {
        var runs = await MakeRunsAsync();
        var history = Path.Combine(Cli.Folder, "history.ndjson");
        foreach (var run in runs.Skip(1).Append(runs[0]))
            await Cli.RunAsync("history", "add", run, "--history", history);

        Assert.Single(Cli.Output.Split('\n'), line => line.StartsWith("New change point"));
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("trend", "--history", history, "--markdown", Cli.Folder));
    }

    [Fact]
    public async Task What_is_there_already_or_not_there_at_all_is_answered_with_a_sentence()
    {
        var run = (await MakeRunsAsync())[0];
        var history = Path.Combine(Cli.Folder, "history.ndjson");

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("trend", "--history", history));
        Assert.Contains("'serdica-perf history add RUN' creates one.", Cli.Error);
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("history", "add", run, "--history", history));
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("history", "add", run, "--history", history));
        Assert.Contains("A commit is added once; nothing was added.", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("trend", "--history", history, "--scenario", "postgresql-*"));
        Assert.Contains($"has no scenario 'postgresql-*'; it has {Scenario}.", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("trend", "--history", history, "--metric", "p50,throughputs"));
        Assert.Contains($"{history}' has no metric 'throughputs'; it has ", Cli.Error);
        Assert.EndsWith($"Did you mean 'throughput'?{Environment.NewLine}", Cli.Error);
        await Cli.RunAsync("trend", "--history", history, "--metric", "throughputs", "--scenario", Scenario);
        Assert.Contains($"{history}' of '{Scenario}' has no metric 'throughputs'; it has ", Cli.Error);
    }

    [Fact]
    public async Task A_history_that_another_process_adds_to_or_that_cannot_be_written_stays_as_it_was()
    {
        var run = (await MakeRunsAsync())[0];
        var history = Path.Combine(Cli.Folder, "history.ndjson");

        using (new FileStream(history + ".lock", FileMode.CreateNew, FileAccess.Write, FileShare.None))
            Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("history", "add", run, "--history", history));
        Directory.CreateDirectory(history + ".tmp");
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("history", "add", run, "--history", history));

        Assert.False(File.Exists(history));
        Assert.Equal(2, Cli.Error.Split("A file or folder cannot be read or written: ").Length - 1);
    }

    /// <summary>Twenty commits of one real run, slower by a fifth from the twelfth on.</summary>
    private async Task<string[]> MakeRunsAsync()
    {
        var run = await KeptRun.ReadAsync();
        return
        [
            .. Range(1, 20)
                .Select(number =>
                    Cli.Write(
                        $"{number}.json",
                        run with
                        {
                            StartedAt = new(2026, 11, number + 1, 0, 0, 0, TimeSpan.Zero),
                            Environment = run.Environment with
                            {
                                Source = new()
                                {
                                    Commit = number.ToString("x12", CultureInfo.InvariantCulture) + new string('0', 28),
                                    Dirty = false,
                                },
                                Runtime = run.Environment.Runtime with
                                {
                                    EntryConfiguration = "Release",
                                    SuiteConfiguration = "Release",
                                    DebuggerAttached = false,
                                },
                            },
                            Scenarios =
                            [
                                run.Scenarios[0] with
                                {
                                    Counts = run.Scenarios[0].Counts with { Completed = 1_000 },
                                    DurationMs = 1_000 * (number < 12 ? 1 : 1.25) * (1 - 0.001 * (number * 7 % 11)),
                                },
                            ],
                        }
                    )
                ),
        ];
    }
}
