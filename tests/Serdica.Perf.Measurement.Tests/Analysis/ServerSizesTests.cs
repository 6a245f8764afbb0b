namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class ServerSizesTests
{
    [Fact]
    public void Sizes_are_set_beside_the_smallest()
    {
        var sizes = Assert.Single(ServerSizes.Of([On("8", 3_000), On("2", 1_000)]));

        Assert.Equal([2, 8], sizes.Rungs.Select(level => level.Processors));
        Assert.Equal((3, 0.75), (sizes.Gain(sizes.Rungs[1]), sizes.Efficiency(sizes.Rungs[1])));
    }

    [Fact]
    public void What_was_measured_on_one_size_only_or_did_not_pass_is_left_out()
    {
        var failed = On("4", 3_000);
        failed = failed with { Scenarios = [failed.Scenarios[0] with { Status = ScenarioStatus.Failed }] };

        Assert.Empty(ServerSizes.Of([On("1", 1_000), failed]));
        Assert.Empty(ServerSizes.Of([On("1", 1_000), On("no limit", 3_000)]));
        Assert.Empty(ServerSizes.Of([On("2", 1_000), On("2", 1_100)]));
    }

    [Fact]
    public void Report_names_gain_and_run_folders()
    {
        using var writer = new StringWriter { NewLine = "\n" };

        ServerSizesMarkdown.Write(writer, [On("1", 1_000), On("2", 1_500)], "serdica-perf run --db-cpus 1,2");

        var text = writer.ToString();
        Assert.Contains(
            "- postgresql-signal-roundtrip-soak: 1,000.0/s on 1 and 1,500.0/s on 2 processors of the server, 1.50 times as much for 2 "
                + "times the processors.\n",
            text
        );
        Assert.Contains("| run-1", text);
        Assert.Matches(@"\| +1\.50 \| +0\.75 \| run-2", text);
        Assert.Contains("serdica-perf run --db-cpus 1,2", text);
    }

    [Theory]
    [InlineData("1", "1 processor of the server")]
    [InlineData("1.5", "1.5 processors of the server")]
    [InlineData("no limit", "a server without a limit")]
    public void Size_that_failed_is_named_with_its_reason(string processors, string size)
    {
        var failed = On(processors, 3_000);
        var scenario = failed.Scenarios[0] with { Status = ScenarioStatus.Failed, FailureReasons = ["It took too long."] };

        Assert.Equal(
            [$"postgresql-signal-roundtrip-soak: no figure with {size}, because it failed: It took too long (run run-{processors})."],
            ServerSizesMarkdown.Sentences([On("4", 1_000), failed with { Scenarios = [scenario] }])
        );
    }

    [Theory]
    [InlineData(ServerSizes.ContainerProcessors)]
    [InlineData(ServerSizes.BoundProcessors)]
    public void Processors_are_limited_by_a_container_or_by_the_suite(string setting)
    {
        var database = On("2", 1_000).Databases[0];

        Assert.Equal(1.5, ServerSizes.Processors(database with { Settings = new Dictionary<string, string> { [setting] = "1.5" } }));
    }

    private static RunResult On(string processors, double perSecond)
    {
        var run = ReferenceSizedRun.Whole;
        return run with
        {
            RunId = $"run-{processors}",
            Databases =
            [
                .. run
                    .Databases.Select(database =>
                        database with
                        {
                            Backend = "postgresql",
                            Settings = new Dictionary<string, string> { [ServerSizes.BoundProcessors] = processors },
                        }
                    )
                    .Take(1),
            ],
            Scenarios =
            [
                ReferenceSizedRun.Measured(
                    "signal-roundtrip-soak",
                    "WorkflowPerfSoak",
                    ScenarioFamilies.SignalRoundtrip,
                    1_000,
                    8,
                    8,
                    1_000_000 / perSecond
                ),
            ],
        };
    }
}
