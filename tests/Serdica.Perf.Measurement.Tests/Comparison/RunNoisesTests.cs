namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class RunNoisesTests
{
    private static readonly RunResult Monday = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_000);
    private static readonly RunResult Tuesday = SimulatedRuns.OfThroughputs(7_920, 8_000, 8_080, 8_040, 7_960, 8_000);
    private static readonly RunResult Wednesday = SimulatedRuns.OfThroughputs(8_910, 9_000, 9_090, 9_045, 8_955, 9_000);
    private static readonly RunResult Thursday = SimulatedRuns.OfThroughputs(7_425, 7_500, 7_575, 7_537.5, 7_462.5, 7_500);

    [Fact]
    public void A_change_that_runs_of_the_same_code_have_shown_is_noise()
    {
        // Their logarithms have a standard deviation of 0.144; the assumed 0.06 counts as eight runs beside them.
        var noises = RunNoises.Learn([Monday, Wednesday, Thursday]);
        var noise = noises[(SimulatedRuns.Name, ComparedMetric.Throughput)];
        Assert.Equal((0.084, 10.0, 3), (Math.Round(noise.Deviation, 3), noise.Freedom, noise.Runs));

        var learned = Throughput(ComparisonSettings.Default with { BetweenRuns = noises });
        var steady = Throughput(SimulatedRuns.Steady(ComparisonSettings.Default));

        Assert.Equal((Verdict.Unstable, Verdict.Regressed), (learned.Verdict, steady.Verdict));
        Assert.Contains("between runs 8.4 % from 3 runs", ComparisonText.Evidence(learned));
    }

    /// <summary>When the operating system writes is not what the code determines.</summary>
    [Theory]
    [InlineData(MetricNames.DatabaseDiskReads)]
    [InlineData(MetricNames.DatabaseDiskWrites)]
    [InlineData(MetricNames.ContainerBlockReads)]
    [InlineData(MetricNames.ContainerBlockWrites)]
    public void Traffic_of_disks_is_assumed_to_be_as_noisy_as_times(string cost)
    {
        static RunNoise Assumed(string name, string unit) => RunNoise.Assumed(new(name, unit, _ => null));

        Assert.Equal(Assumed("p99", "ms"), Assumed(ComparedMetric.CostPrefix + cost, "bytes"));
        Assert.NotEqual(Assumed("p99", "ms"), Assumed(ComparedMetric.CostPrefix + MetricNames.WalBytes, "bytes"));
    }

    [Fact]
    public void Two_runs_are_too_few_and_runs_of_other_code_or_parameters_teach_nothing()
    {
        Assert.Contains(
            "from at least 3 runs of the same code, not from 2",
            Assert.Throws<BaselineException>(() => RunNoises.Learn([Monday, Tuesday])).Message
        );
        Assert.Contains(
            "commit: ",
            Refusal(Wednesday with { Environment = Wednesday.Environment with { Source = new() { Commit = "abc" } } })
        );
        Assert.Contains(
            "workers: 8 against 2",
            Refusal(SampleGate.Each(Wednesday, scenario => scenario with { Parameters = scenario.Parameters with { Workers = 2 } }))
        );
    }

    [Fact]
    public void Runs_on_another_machine_know_nothing_of_the_noise_of_the_compared_one()
    {
        var elsewhere = Monday with
        {
            Environment = Monday.Environment with { Machine = Monday.Environment.Machine with { OperatingSystem = "Another" } },
        };

        Assert.Contains(
            "measured under different conditions: machine operatingSystem: ",
            Assert.Throws<BaselineException>(() => RunNoises.Learn([Monday, Wednesday, Thursday], elsewhere)).Message
        );
        Assert.NotEmpty(RunNoises.Learn([Monday, Wednesday, Thursday], Tuesday));
    }

    private static string Refusal(RunResult other) =>
        Assert.Throws<BaselineException>(() => RunNoises.Learn([Monday, Tuesday, other])).Message;

    private static MetricComparison Throughput(ComparisonSettings settings) =>
        RunComparer.Compare(Monday, Tuesday, settings).Scenarios[0].Metrics[0];
}
