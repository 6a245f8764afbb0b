using Serdica.Perf.Measurement.Tests;

namespace Serdica.Perf.Cli.Tests;

public sealed class SizeCommandTests : CliTests
{
    [Theory]
    [InlineData("", "plus 25 % of headroom", "1250")]
    [InlineData("--headroom 40%", "plus 40 % of headroom", "1400")]
    public async Task Requests_have_the_headroom_that_is_asked_for(string option, string rule, string processors)
    {
        await File.WriteAllTextAsync(
            Path.Combine(Cli.Folder, RunFolder.LoadFile),
            JsonSerializer.Serialize(OneCoreTest, MeasurementJson.Artifacts),
            Token
        );

        var exitCode = await Cli.RunAsync(["size", Cli.Folder, .. option.Split(' ', RemoveEmptyEntries)]);

        Assert.Equal((ExitCodes.Success, ""), (exitCode, Cli.Error));
        Assert.Contains(rule, Cli.Output);
        Assert.Contains($"cpu: {processors}m\n", Cli.Output);

        var file = Path.Combine(Cli.Folder, "sizes.md");
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("size", Cli.Folder, "--json", "--markdown", file));
        Assert.True(File.Exists(file));
    }

    [Theory]
    [InlineData("", 32)]
    [InlineData("--cores 64", 64)]
    public async Task Rate_that_is_asked_for_is_projected_to_machines_of_as_many_cores(string option, int cores)
    {
        var steps = ((double[])[100, 200, 400, 800]).Select(rate =>
            OneCoreTest.Steps[0] with
            {
                Scenario = $"in-memory-at-{rate}",
                CompletedPerSecond = rate,
                Resources = [OneCoreTest.Steps[0].Resources[0] with { Cpu = new(rate / 100, rate / 100, rate / 100) }],
            }
        );
        await File.WriteAllTextAsync(
            Path.Combine(Cli.Folder, RunFolder.LoadFile),
            JsonSerializer.Serialize(OneCoreTest with { Steps = [.. steps] }, MeasurementJson.Artifacts),
            Token
        );
        var further = option.Split(' ', RemoveEmptyEntries);

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync(["size", Cli.Folder, "--target", "100000", "--json", .. further]));

        using var advice = JsonDocument.Parse(Cli.Output);
        var projection = Assert.Single(advice.Items("projections"));
        Assert.Equal((100_000, cores), (projection.Number("perSecond"), projection.Int32("cores")));
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
                SampleStep.Good with
                {
                    Resources =
                    [new() { Component = "database", Samples = 10, Cpu = new(1, 1, 1), Memory = new(1 << 20, 1 << 20, 1 << 20) }],
                },
            ],
        };
}
