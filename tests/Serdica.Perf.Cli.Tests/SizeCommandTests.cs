using Serdica.Perf.Results;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli.Tests;

public sealed class SizeCommandTests
{
    [Theory]
    [InlineData("", "plus 25 % of headroom", "1250")]
    [InlineData("--headroom 40%", "plus 40 % of headroom", "1400")]
    public async Task Requests_have_the_headroom_that_is_asked_for(string option, string rule, string processors)
    {
        using var cli = new Cli();
        await File.WriteAllTextAsync(
            Path.Combine(cli.Folder, RunFolder.LoadFile),
            JsonSerializer.Serialize(OneCoreTest, MeasurementJson.Artifacts),
            TestContext.Current.CancellationToken
        );

        var exitCode = await cli.RunAsync(["size", cli.Folder, .. option.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

        Assert.Equal((ExitCodes.Success, ""), (exitCode, cli.Error));
        Assert.Contains(rule, cli.Output, StringComparison.Ordinal);
        Assert.Contains($"cpu: {processors}m\n", cli.Output, StringComparison.Ordinal);
    }

    /// <summary>One step whose database used one core.</summary>
    private static LoadTestResult OneCoreTest { get; } =
        new()
        {
            Verdict = StepVerdict.Passed,
            RunId = "run",
            StartedAt = DateTimeOffset.UnixEpoch,
            Backend = "postgresql",
            Profile = new() { Name = "test", Steps = [] },
            Command = "serdica-perf load",
            Steps =
            [
                new()
                {
                    Name = "100/s",
                    Kind = LoadKind.Open,
                    Scenario = "postgresql-load",
                    StartedPerSecond = 100,
                    CompletedPerSecond = 100,
                    PlannedSeconds = 10,
                    ElapsedSeconds = 10,
                    DrainSeconds = 0,
                    Counts = new()
                    {
                        Offered = 1_000,
                        Started = 1_000,
                        Completed = 1_000,
                        Failed = 0,
                        Running = 0,
                    },
                    Response = new(),
                    Service = new(),
                    ScheduleLag = new(),
                    GeneratorLag = new(),
                    MinUsers = 1,
                    PeakUsers = 1,
                    Resources =
                    [
                        new()
                        {
                            Component = "database",
                            Samples = 10,
                            Cpu = new(1, 1, 1),
                            Memory = new(1 << 20, 1 << 20, 1 << 20),
                        },
                    ],
                },
            ],
        };
}
