namespace Serdica.Perf.Cli.Tests;

/// <summary>A short run in memory, measured once for all tests that only read it.</summary>
internal static class KeptRun
{
    public const string Scenario = "in-memory-immediate-burst-smoke";

    private static readonly Lazy<Task<(RunResult Result, Dictionary<string, byte[]> Files)>> Measured = new(MeasureAsync);

    public static async Task<RunResult> ReadAsync() => (await Measured.Value).Result;

    /// <summary>Two documents of one real run, whose repeats are given steady figures, and a number of operations.</summary>
    public static async Task<(string Before, string After)> MakeRunsAsync(
        this Cli cli,
        double slower,
        Func<RunResult, RunResult>? change = null,
        int operations = 1_000
    )
    {
        var run = await ReadAsync();
        var runtime = run.Environment.Runtime with
        {
            EntryConfiguration = "Release",
            SuiteConfiguration = "Release",
            DebuggerAttached = false,
        };
        run = run with { Warnings = [], Environment = run.Environment with { Runtime = runtime } };
        RunResult Repeated(double factor) =>
            run with
            {
                Scenarios =
                [
                    .. Range(1, 5)
                        .Select(repeat =>
                            run.Scenarios[0] with
                            {
                                DurationMs = operations * factor * (1 + 0.001 * (repeat - 3)),
                                Counts = run.Scenarios[0].Counts with { Completed = operations },
                                ResponseTime = run.Scenarios[0].ResponseTime with { Count = operations },
                                Parameters = run.Scenarios[0].Parameters with { Repeat = repeat },
                            }
                        ),
                ],
            };
        return (cli.Write("before.json", Repeated(1)), cli.Write("after.json", (change ?? (same => same))(Repeated(slower))));
    }

    /// <returns>The run's folder, which has its id for a name.</returns>
    public static async Task<string> CopyAsync(string root)
    {
        var (result, files) = await Measured.Value;
        foreach (var (name, content) in files)
        {
            var file = Path.Combine(root, result.RunId, name);
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            await File.WriteAllBytesAsync(file, content, Token);
        }

        return Path.Combine(root, result.RunId);
    }

    private static async Task<(RunResult Result, Dictionary<string, byte[]> Files)> MeasureAsync()
    {
        using var cli = new Cli();
        var exitCode = await cli.RunAsync(CancellationToken.None, "run", "--scenario", Scenario, "--output", cli.Folder);
        Assert.True(exitCode == ExitCodes.Success, cli.Error + cli.Output);
        var files = Directory.GetFiles(cli.RunFolder, "*", SearchOption.AllDirectories);
        return (
            BaselineReader.Read(cli.RunFolder),
            files.ToDictionary(file => Path.GetRelativePath(cli.RunFolder, file), File.ReadAllBytes)
        );
    }
}
