namespace Serdica.Perf.Measurement.Tests.History;

public sealed class HistoryNoiseTests
{
    private static readonly RunResult Measured = Commit(99, 10_000);

    [Fact]
    public void Three_runs_of_the_series_are_known_and_two_are_not()
    {
        Assert.Empty(HistoryNoise.Of(History(10_000, 11_000), Measured));

        // Successive logarithms differ by 0.0953 up and down: half their mean square is 0.0674 squared, with 4/3 degrees of freedom.
        var noise = HistoryNoise.Of(History(10_000, 11_000, 10_000), Measured)[(SimulatedRuns.Name, ComparedMetric.Throughput)];

        Assert.Equal(3, noise.Runs);
        Assert.Equal(8 + 4 / 3.0, noise.Freedom, 9);
        Assert.Equal(Math.Sqrt((8 * 0.0036 + 4 / 3.0 * 0.0674 * 0.0674) / (8 + 4 / 3.0)), noise.Deviation, 4);
    }

    [Fact]
    public void Slow_noise_counts_by_its_variance_around_the_mean()
    {
        double[] values = [.. Range(0, 16).Select(index => 10_000 * Math.Exp(index / 4 % 2 == 0 ? 0.12 : -0.12))];

        var noise = HistoryNoise.Of(History(values), Measured)[(SimulatedRuns.Name, ComparedMetric.Throughput)];

        Assert.Equal(Math.Sqrt((8 * 0.0036 + 10 * 16 / 15.0 * 0.0144) / 18), noise.Deviation, 6);
    }

    [Fact]
    public void A_change_of_level_counts_as_one_difference()
    {
        double[] steady = [.. Range(0, 40).Select(index => 10_000.0 + index % 2 * 100)];
        double[] stepped = [.. steady.Select((value, index) => index < 20 ? value : value * 1.3)];

        double Deviation(double[] values) =>
            HistoryNoise.Of(History(values), Measured)[(SimulatedRuns.Name, ComparedMetric.Throughput)].Deviation;

        Assert.InRange(Deviation(stepped), Deviation(steady), 0.05);
        Assert.True(Deviation(steady) < 0.04);
    }

    /// <summary>With a correlation of one half, successive runs differ by half of the variance only.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Runs_that_resemble_their_neighbours_have_all_of_their_noise_and_no_change_of_level(double step)
    {
        const int Histories = 50;
        const double Spread = 0.12;

        var deviations = Range(1, Histories)
            .Select(seed =>
            {
                var random = new Random(7_919 * seed);
                var noise = Spread * Noise.Normal(random);
                double[] values =
                [
                    .. Range(0, 100)
                        .Select(index =>
                        {
                            noise = 0.5 * noise + Math.Sqrt(0.75) * Spread * Noise.Normal(random);
                            return 10_000 * Math.Exp(noise + (index < 50 ? 0 : step));
                        }),
                ];
                return HistoryNoise.Of(History(values), Measured)[(SimulatedRuns.Name, ComparedMetric.Throughput)].Deviation;
            });

        Assert.InRange(deviations.Average(), 0.9 * Spread, 1.1 * Spread);
    }

    [Fact]
    public void Other_series_and_the_compared_runs_themselves_teach_nothing()
    {
        var lines = History(10_000, 11_000, 10_000, 12_000);

        Assert.Empty(HistoryNoise.Of([.. lines.Select(line => line with { Series = "another" })], Measured));
        Assert.Empty(HistoryNoise.Of(lines, Measured with { RunId = lines[0].Run }, Measured with { RunId = lines[1].Run }));
    }

    /// <summary>Merges leave the lines of a history in any order.</summary>
    [Fact]
    public void Neighbours_are_so_in_time_and_not_in_the_file()
    {
        var lines = History(10_000, 11_000, 12_000, 13_000);

        var (sorted, mixed) = (Throughput(lines), Throughput([lines[2], lines[0], lines[3], lines[1]]));

        Assert.Equal(sorted, mixed);
    }

    [Fact]
    public void A_figure_of_zero_teaches_nothing()
    {
        var lines = History(10_000, 11_000, 10_000, 9_000);
        var throughput = lines[3].Figures[ComparedMetric.Throughput];
        var zero = lines[3] with
        {
            Figures = new Dictionary<string, HistoryFigure> { [ComparedMetric.Throughput] = throughput with { Value = 0 } },
        };

        Assert.Equal(Throughput([.. lines.Take(3)]), Throughput([.. lines.Take(3), zero]));
    }

    private static RunNoise Throughput(IReadOnlyList<HistoryLine> lines) =>
        HistoryNoise.Of(lines, Measured)[(SimulatedRuns.Name, ComparedMetric.Throughput)];

    [Fact]
    public void A_slow_down_is_found_by_what_the_history_knows_and_not_without_it()
    {
        RunResult Run(double perSecond) =>
            SimulatedRuns.OfThroughputs([.. Range(0, 6).Select(repeat => perSecond * (1 + 0.001 * repeat))]) with
            {
                Environment = Measured.Environment,
            };
        var (before, after) = (Run(10_000), Run(8_000));
        var history = History([.. Range(0, 60).Select(index => 10_000.0 + index % 3 * 50)]);

        Verdict Judge(IReadOnlyList<HistoryLine> lines) =>
            RunComparer
                .Compare(before, after, ComparisonSettings.Default with { BetweenRuns = HistoryNoise.Of(lines, before, after) })
                .Scenarios[0]
                .Metrics[0]
                .Verdict;

        Assert.Equal((Verdict.Regressed, Verdict.Unstable), (Judge(history), Judge([])));
    }

    private static IReadOnlyList<HistoryLine> History(params double[] perSecond) =>
        [.. perSecond.SelectMany((value, index) => HistoryLine.Of(Commit(index + 1, value) with { RunId = $"run-{index}" }))];

    private static RunResult Commit(int number, double perSecond) => SimulatedRuns.AsCommit(SimulatedRuns.OfThroughputs(perSecond), number);
}
