namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Comparisons of five blocks as they were measured on the build machine, where every block of the candidate was slower.</summary>
public sealed class KeptBlocksTests
{
    /// <summary>
    /// One caller on PostgreSQL, 2026-11-23: throughput, p50, p99, writing commits, bytes of log, processor time of the engine.
    /// </summary>
    private static readonly double[][] OneCaller =
    [
        [1274.4670, 0.700415, 2.916351, 3.000333, 1282.0347, 0.789252],
        [1140.2716, 0.778239, 3.047423, 3.002333, 1275.8613, 0.851091],
        [1188.9468, 0.778239, 2.523135, 3.000667, 1275.9093, 0.817330],
        [1241.8834, 0.749567, 2.506751, 3.000667, 1276.1280, 0.752729],
        [1152.5366, 0.765951, 3.096575, 3.001000, 1275.8267, 0.847112],
        [1281.2301, 0.724991, 2.424831, 3.000000, 1275.9333, 0.769317],
        [1206.4033, 0.765951, 2.654207, 3.001000, 1276.3307, 0.781931],
        [1140.6147, 0.827391, 2.473983, 3.002333, 1276.4000, 0.820867],
        [1191.3881, 0.782335, 2.162687, 3.001333, 1276.3707, 0.799116],
        [1133.0324, 0.806911, 2.899967, 3.000333, 1278.0960, 0.847672],
        [1118.8298, 0.823295, 2.916351, 3.002000, 1275.9520, 0.861698],
        [1150.4761, 0.806911, 2.703359, 3.000667, 1276.2667, 0.825597],
        [1053.5485, 0.905215, 2.260991, 3.000333, 1277.7680, 0.867975],
        [1148.6713, 0.811007, 2.424831, 3.000667, 1276.5520, 0.819286],
        [1187.8844, 0.794623, 2.007039, 3.001333, 1275.9787, 0.798419],
        [1137.4761, 0.811007, 2.621439, 3.001333, 1285.2987, 0.834181],
        [1148.3987, 0.790527, 3.244031, 3.004000, 1358.0347, 0.819822],
        [1105.2892, 0.856063, 2.523135, 3.000000, 1275.8107, 0.818076],
        [1137.5772, 0.802815, 2.424831, 3.000333, 1271.2507, 0.860301],
        [1206.2652, 0.774143, 2.293759, 3.000333, 1276.2133, 0.752962],
    ];

    /// <summary>Throughput by block of the comparison that lingering was judged by, with 64 callers.</summary>
    private static readonly double[] Lingering = [0.921, 0.819, 0.859, 0.809, 0.864];

    [Fact]
    public void One_caller_is_found_slower_and_no_interval_is_absurd()
    {
        var order = Range(1, 5).SelectMany(AbBlock.Order).ToArray();
        var metrics = Compare([.. order.Zip(OneCaller, (side, figures) => (side, Run(figures)))]);

        var throughput = metrics["throughput"];
        Assert.Equal(Verdict.Regressed, throughput.Verdict);
        Assert.Equal(0.940, throughput.Ratio!.Value, 3);
        Assert.InRange(throughput.Low!.Value, 0.88, 0.93);
        Assert.InRange(throughput.High!.Value, 0.95, 0.99);
        Assert.InRange(metrics["cost.engineCpu"].High!.Value, 1.07, 1.2);
        Assert.Equal(Verdict.Unstable, metrics["p99"].Verdict);
        Assert.Equal(Verdict.Same, metrics["cost.writingCommits"].Verdict);
    }

    /// <summary>
    /// Only the ratios of its blocks were kept. Halves that are like their block leave the fewest degrees of freedom and so the most
    /// cautious verdict; those of <see cref="OneCaller"/> lay 2.2 % from theirs.
    /// </summary>
    [Theory]
    [InlineData(0, nameof(Verdict.Unstable))]
    [InlineData(0.022, nameof(Verdict.Regressed))]
    public void Interval_of_lingering_excludes_no_change_and_the_verdict_depends_on_what_was_not_kept(double half, string verdict)
    {
        var throughput = Compare([
            .. Lingering
                .Index()
                .SelectMany(block =>
                    AbBlock
                        .Order(block.Index + 1)
                        .Select(
                            (side, run) =>
                                (
                                    side,
                                    SimulatedRuns.OfThroughputs(
                                        side == AbSide.Base ? 15_925 : 15_925 * block.Item * Math.Exp(run < 2 ? -half : half)
                                    )
                                )
                        )
                ),
        ])["throughput"];

        Assert.Equal(verdict, throughput.Verdict.ToString());
        Assert.InRange(throughput.Low!.Value, 0.75, 0.82);
        Assert.InRange(throughput.High!.Value, 0.88, 0.95);
    }

    private static Dictionary<string, MetricComparison> Compare((AbSide Side, RunResult Result)[] runs)
    {
        AbBlock[] blocks =
        [
            .. runs.Chunk(4)
                .Select((block, index) => new AbBlock(index + 1, [.. block.Select(run => new AbRun(run.Side, "run", run.Result))])),
        ];
        return BlockComparer
            .Compare("base", "candidate", blocks, ComparisonSettings.Default)
            .Scenarios[0]
            .Metrics.ToDictionary(metric => metric.Metric);
    }

    private static RunResult Run(double[] figures) =>
        SampleGate.Each(
            SimulatedRuns.OfThroughputs(figures[0]),
            scenario =>
                scenario with
                {
                    ResponseTime = scenario.ResponseTime with { P50Ms = figures[1], P99Ms = figures[2] },
                    CostPerOperation = new Metrics
                    {
                        [MetricNames.WritingCommits] = MetricValue.Of(figures[3]),
                        [MetricNames.WalBytes] = MetricValue.Of(figures[4], "bytes"),
                        [MetricNames.EngineCpu] = MetricValue.Of(figures[5], "ms"),
                    },
                }
        );
}
