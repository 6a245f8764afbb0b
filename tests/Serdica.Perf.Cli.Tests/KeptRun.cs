namespace Serdica.Perf.Cli.Tests;

/// <summary>A short run in memory, measured once for all tests that only read it.</summary>
internal static class KeptRun
{
    public const string Scenario = "in-memory-immediate-burst-smoke";

    private static readonly Lazy<Task<(RunResult Result, Dictionary<string, byte[]> Files)>> Measured = new(MeasureAsync);

    public static async Task<RunResult> ReadAsync() => (await Measured.Value).Result;

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
