using Microsoft.Extensions.Logging;
using Serdica.Perf.Results.Machine;

namespace Serdica.Perf.Cli.Tests;

public sealed class RunLogTests : CliTests
{
    private const string Secret = "s3cret-Pa55";

    [Fact]
    public async Task Its_lines_are_JSON_and_hold_begin_and_scenarios_but_no_operation()
    {
        await Cli.RunAsync("run", "--scenario", "in-memory-immediate-burst-smoke", "--operations", "500", "--output", Cli.Folder);

        var lines = await File.ReadAllLinesAsync(Cli.PathOf(RunLog.FileName), Token);
        Assert.Equal(2, lines.Length);
        using var ended = JsonDocument.Parse(lines[1]);
        Assert.Equal("in-memory-immediate-burst-smoke", ended.RootElement.GetProperty("Properties").Text("Scenario"));
        Assert.Equal(500, ended.RootElement.GetProperty("Properties").Int32("Completed"));
    }

    [Fact]
    public async Task A_run_against_a_server_leaves_no_password_in_it()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = $"Host=127.0.0.1;Port=1;Username=perf;Password={Secret};Timeout=2";

        var exitCode = await Cli.RunAsync("run", "--scenario", "postgresql-immediate-burst-smoke", "--output", Cli.Folder);

        Assert.Equal(ExitCodes.BackendUnavailable, exitCode);
        Assert.DoesNotContain(Secret, Cli.Written(RunLog.FileName));
    }

    [Theory]
    [InlineData(LogLevel.Debug, 3)]
    [InlineData(LogLevel.Information, 2)]
    [InlineData(LogLevel.Warning, 1)]
    [InlineData(LogLevel.Error, 0)]
    public async Task What_is_below_the_level_is_not_logged(LogLevel level, int lines)
    {
        var folder = await CreateFolderAsync(Cli);

        using (var log = RunLog.Create(folder, TextWriter.Null, TextWriter.Null, level))
        {
            var logger = log.Loggers.CreateLogger("part");
#pragma warning disable CA1848, CA2254 // Lines of a test.
            logger.LogDebug("one");
            logger.LogInformation("two");
            logger.LogWarning("three");
#pragma warning restore CA1848, CA2254
        }

        var file = Path.Combine(folder.Path, RunLog.FileName);
        Assert.Equal(lines, File.Exists(file) ? (await File.ReadAllLinesAsync(file, Token)).Length : 0);
    }

    [Fact]
    public async Task A_secret_that_a_part_logs_reaches_neither_file_nor_console()
    {
        using var information = new StringWriter();
        using var warnings = new StringWriter();
        var folder = await CreateFolderAsync(Cli);

        using (var log = RunLog.Create(folder, information, warnings))
        {
            var logger = log.Loggers.CreateLogger("part");
#pragma warning disable CA1848, CA2254 // Two lines of a test.
            logger.LogInformation("connecting with {Connection}", $"Host=db;Password={Secret};Port=1");
            logger.LogWarning("refused: {Url}", $"postgresql://alice:{Secret}@db/perf");
#pragma warning restore CA1848, CA2254
        }

        var file = await File.ReadAllTextAsync(Path.Combine(folder.Path, RunLog.FileName), Token);
        Assert.DoesNotContain(Secret, information.ToString() + warnings);
        Assert.Contains("connecting with", information.ToString());
        Assert.StartsWith("Warning: refused: postgresql://(secret)@db/perf", warnings.ToString());
        Assert.DoesNotContain($"Password={Secret}", file);
        Assert.Contains("Password=(secret);Port=1", file);
        Assert.DoesNotContain(Secret, file);
        EachItem.Holds(file.TrimEnd().Split('\n'), line => JsonDocument.Parse(line).Dispose());
    }

    internal static async Task<RunFolder> CreateFolderAsync(Cli cli) =>
        RunFolder.Create(
            cli.Folder,
            "in-memory",
            "test",
            RunManifest.Unfinished(DateTimeOffset.UnixEpoch, "test", await EnvironmentReader.ReadAsync(new(), Token))
        );
}
