namespace Serdica.Perf.Measurement.Tests.Sizing;

public sealed class ProjectionTests
{
    private const double Mebibyte = 1 << 20;

    [Fact]
    public void Each_resource_is_projected_and_the_first_limit_is_that_of_the_database()
    {
        StepResult[] steps = [.. new double[] { 500, 1_000, 2_000, 4_000 }.Select(Step)];
        var projection = Projection.Of(steps, target: 100_000, cores: 16);

        Assert.Equal((4_000, 4, 16), (projection.MeasuredPerSecond, projection.Rates, projection.Cores));
        Assert.Equal(
            [
                // 0.1 cores and 0.3 for each 1,000 operations a second, of which 11.2 are planned with.
                ("database", ProjectedResource.Processors, 1.3, 30.1, 3, 37_000),
                ("engine and generator", ProjectedResource.Processors, 4.0, 100.0, 9, 11_200),
                ("database", ProjectedResource.Written, 8, 200, null, null),
                ("database", ProjectedResource.Commits, 2_000, 50_000, null, (double?)null),
            ],
            projection.Uses.Select(use =>
                (
                    use.Component,
                    use.Resource,
                    Math.Round(use.Measured, 6),
                    Math.Round(use.Use.Value, 6),
                    use.Machines,
                    use.OneMachine is { } one ? Math.Round(one.Value, 3) : (double?)null
                )
            )
        );
        Assert.Same(projection.Uses[0], projection.FirstLimit);
        Assert.Empty(projection.LeftOut);
        Assert.Equal(3, Projection.Of(steps, target: 76_000, cores: 16).Uses[0].Machines);
    }

    [Fact]
    public void Resource_that_does_not_grow_is_named_and_an_unknown_database_limits_nothing()
    {
        var projection = Projection.Of(
            [
                .. new double[] { 500, 1_000, 2_000, 4_000 }.Select(rate =>
                    Step(rate) with
                    {
                        CommitsPerOperation = null,
                        Resources = [Figures("engine and generator", cores: 500 / rate, mebibytes: 0)],
                    }
                ),
            ],
            target: 5_000,
            cores: 16
        );

        Assert.Empty(projection.Uses);
        Assert.Equal(["engine and generator, cores"], projection.LeftOut);
        Assert.Null(projection.FirstLimit);
    }

    [Fact]
    public void Target_that_was_measured_and_too_few_rates_are_refused_with_what_to_do()
    {
        StepResult[] steps = [.. new double[] { 500, 1_000, 2_000, 4_000 }.Select(Step)];

        Assert.Equal(
            "The target of 4,000/s is not above the 4,000/s that were measured; the sizes of the steps say what it takes.",
            Mistake(() => Projection.Of(steps, 4_000, 16))
        );
        Assert.Equal(
            "A projection needs steps at 4 or more different rates, and these runs have 3: measure more rates, for instance with "
                + "--rate 500,1000,2000,4000.",
            Mistake(() => Projection.Of(steps[1..], 5_000, 16))
        );
    }

    [Fact]
    public void One_rate_that_was_measured_four_times_is_no_line()
    {
        StepResult[] steps = [.. new[] { 999.8, 1_000.1, 1_000.3, 1_000.6 }.Select(Step)];

        Assert.Contains("these runs have 1: ", Mistake(() => Projection.Of(steps, 100_000, 16)));
        Assert.Null(RateLine.Fit([(999.8, 1.00), (1_000.1, 1.01), (1_000.3, 1.03), (1_000.6, 1.02)]));
    }

    [Fact]
    public void Report_says_how_far_it_reaches_what_it_assumes_and_what_breaks_first()
    {
        using var writer = new StringWriter { NewLine = "\n" };
        var steps = new double[] { 500, 1_000, 2_000, 4_000 }.Select(Step).ToArray();

        SizingMarkdown.Write(writer, SizingAdvice.Of([SizingAdviceTests.Test(steps)], new(), [1_000_000, 20_000], cores: 16));

        var text = writer.ToString();
        Assert.Matches(@"## Projection to 20,000 ops/s\n\nExtrapolated from 4 rates of up to 4,000 ops/s, 5 times as far", text);
        Assert.Matches(@"## Projection to 1,000,000 ops/s\n\nExtrapolated from 4 rates of up to 4,000 ops/s, 250 times", text);
        Assert.Contains("A machine has 16 cores (`--cores`)", text);
        Assert.Contains(
            "The first limit is the database: one server of this size is used up at about 37,000 ops/s. It is enough for this rate.\n",
            text
        );
        Assert.Contains("the instances must be divided among 27 database servers.\n", text);
        Assert.Matches(@"\| database +\| cores +\| +1\.30 \| +6\.10 \| +6\.10 to 6\.10 \| +1 \| +37,000 \| +37,000 to 37,000 \|", text);
    }

    [Fact]
    public void End_of_an_interval_that_is_not_reached_is_unknown_in_the_report_and_null_in_JSON()
    {
        double[] cores = [1.0, 1.4, 1.1, 1.6];
        var steps = cores.Select((use, index) => Step(500 << index) with { Resources = [Figures("database", use, mebibytes: 0)] });
        var advice = SizingAdvice.Of([SizingAdviceTests.Test([.. steps])], new(), [10_000]);
        using var writer = new StringWriter { NewLine = "\n" };

        SizingMarkdown.Write(writer, advice);

        var text = writer.ToString();
        Assert.Contains(" to unknown |", text);
        Assert.Contains("or too few steps have it: database, MiB/s written.\n", text);
        Assert.Contains("\"high\": null", JsonSerializer.Serialize(advice, MeasurementJson.Artifacts));
    }

    private static StepResult Step(double rate) =>
        SizingAdviceTests.Step(rate, 1, 1) with
        {
            CommitsPerOperation = 0.5,
            StartedPerSecond = 2 * rate,
            Resources =
            [
                Figures("machine", cores: 0.001 * rate, mebibytes: 1),
                Figures("database", cores: 0.1 + 0.0003 * rate, mebibytes: 0.002 * rate),
                // Two replicas of half the cores each.
                Figures("engine and generator", cores: 0.0005 * rate, mebibytes: 0) with { Replicas = 2 },
            ],
        };

    private static ResourceFigures Figures(string component, double cores, double mebibytes) =>
        new()
        {
            Component = component,
            Samples = 10,
            Cpu = new(2 * cores, 3 * cores, cores),
            Memory = new(Mebibyte, Mebibyte, Mebibyte),
            DiskWrite = new(2 * mebibytes * Mebibyte, 3 * mebibytes * Mebibyte, mebibytes * Mebibyte),
        };
}
