namespace Serdica.Perf.Cli.Tests;

public sealed class HistoryCommandTests
{
    private const string Scenario = KeptRun.Scenario;

    [Fact]
    public async Task A_change_is_told_when_it_shows_and_stands_in_the_trend()
    {
        using var cli = new Cli();
        var runs = await MakeRunsAsync(cli);
        var history = Path.Combine(cli.Folder, "history.ndjson");

        foreach (var run in runs)
            Assert.Equal(ExitCodes.Success, await cli.RunAsync("history", "add", run, "--history", history));

        var change = $"{Scenario} throughput at 00000000000c (2026-11-13): 1,00";
        Assert.Contains($"New change point: {change}", cli.Output);
        Assert.Single(cli.Output.Split('\n'), line => line.StartsWith("New change point"));

        var from = cli.Output.Length;
        var trends = Path.Combine(cli.Folder, "trend.md");
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("trend", "--history", history, "--markdown", trends));
        Assert.Contains($"{Scenario} throughput: 00000000000c (2026-11-13): 1,00", cli.Output[from..]);
        Assert.Contains("# Trend", File.ReadAllText(trends));
        Assert.DoesNotContain("No change point.", cli.Output[from..]);

        from = cli.Output.Length;
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("trend", "--history", history, "--metric", "throughput", "--json"));
        using var series = JsonDocument.Parse(cli.Output[from..]);
        Assert.Equal(20, series.RootElement[0].GetProperty("points").GetArrayLength());
        Assert.Equal(11, series.RootElement[0].GetProperty("changePoints")[0].GetProperty("index").GetInt32());

        var page = Path.Combine(cli.Folder, "page.json");
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("report", runs[^1], "--history", history, "--output", page));
        using var report = JsonDocument.Parse(File.ReadAllText(page));
        var trend = report
            .RootElement.GetProperty("trends")
            .EnumerateArray()
            .Single(trend => trend.GetProperty("name").GetString() == $"{Scenario} throughput");
        Assert.Equal([11], trend.GetProperty("changePoints").EnumerateArray().Select(index => index.GetInt32()));
        Assert.Equal(20, trend.GetProperty("points").GetArrayLength());

        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("report", runs[^1], "--history", history + "x", "--output", page));
        Assert.Contains($"There is no history '{history}x'", cli.Error);
    }

    [Fact]
    public async Task A_known_change_is_not_new_when_a_run_before_it_is_added()
    {
        using var cli = new Cli();
        var runs = await MakeRunsAsync(cli);
        var history = Path.Combine(cli.Folder, "history.ndjson");
        foreach (var run in runs.Skip(1).Append(runs[0]))
            await cli.RunAsync("history", "add", run, "--history", history);

        Assert.Single(cli.Output.Split('\n'), line => line.StartsWith("New change point"));
        Assert.Equal(ExitCodes.Failed, await cli.RunAsync("trend", "--history", history, "--markdown", cli.Folder));
    }

    [Fact]
    public async Task What_is_there_already_or_not_there_at_all_is_answered_with_a_sentence()
    {
        using var cli = new Cli();
        var run = (await MakeRunsAsync(cli))[0];
        var history = Path.Combine(cli.Folder, "history.ndjson");

        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("trend", "--history", history));
        Assert.Contains("'serdica-perf history add RUN' creates one.", cli.Error);
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("history", "add", run, "--history", history));
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("history", "add", run, "--history", history));
        Assert.Contains("A commit is added once; nothing was added.", cli.Error);
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("trend", "--history", history, "--scenario", "postgresql-*"));
        Assert.Contains($"has no scenario 'postgresql-*'; it has {Scenario}.", cli.Error);
        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("trend", "--history", history, "--metric", "p50,throughputs"));
        Assert.Contains($"{history}' has no metric 'throughputs'; it has ", cli.Error);
        Assert.EndsWith($"Did you mean 'throughput'?{Environment.NewLine}", cli.Error);
        await cli.RunAsync("trend", "--history", history, "--metric", "throughputs", "--scenario", Scenario);
        Assert.Contains($"{history}' of '{Scenario}' has no metric 'throughputs'; it has ", cli.Error);
    }

    [Fact]
    public async Task A_history_that_another_process_adds_to_or_that_cannot_be_written_stays_as_it_was()
    {
        using var cli = new Cli();
        var run = (await MakeRunsAsync(cli))[0];
        var history = Path.Combine(cli.Folder, "history.ndjson");

        using (new FileStream(history + ".lock", FileMode.CreateNew, FileAccess.Write, FileShare.None))
            Assert.Equal(ExitCodes.Failed, await cli.RunAsync("history", "add", run, "--history", history));
        Directory.CreateDirectory(history + ".tmp");
        Assert.Equal(ExitCodes.Failed, await cli.RunAsync("history", "add", run, "--history", history));

        Assert.False(File.Exists(history));
        Assert.Equal(2, cli.Error.Split("A file or folder cannot be read or written: ").Length - 1);
    }

    /// <summary>Twenty commits of one real run, slower by a fifth from the twelfth on.</summary>
    private static async Task<string[]> MakeRunsAsync(Cli cli)
    {
        var run = await KeptRun.ReadAsync();
        return
        [
            .. Enumerable
                .Range(1, 20)
                .Select(number =>
                    Write(
                        cli,
                        number,
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

    private static string Write(Cli cli, int number, RunResult run)
    {
        var path = Path.Combine(cli.Folder, $"{number}.json");
        File.WriteAllText(path, JsonSerializer.Serialize(run, MeasurementJson.Artifacts));
        return path;
    }
}
