namespace Serdica.Perf.Cli.Tests;

public sealed class AbSummaryTests
{
    private static readonly MetricComparison Throughput = new()
    {
        Metric = "throughput",
        Unit = "op/s",
        HigherIsBetter = true,
        Verdict = Verdict.Regressed,
        Reason = "More than chance.",
        Before = 10_000,
        After = 8_000,
        BeforeCount = 4,
        AfterCount = 4,
        Ratio = 0.8,
        Low = 0.75,
        High = 0.85,
        IsPrimary = true,
    };

    private static readonly MetricComparison Median = Throughput with
    {
        Metric = "p50",
        Unit = "ms",
        HigherIsBetter = false,
        Verdict = Verdict.Same,
        Before = 20,
        After = 20.2,
        Ratio = 1.01,
        Low = 0.99,
        High = 1.03,
    };

    private static readonly MetricComparison Tail = Median with
    {
        Metric = "p95",
        Verdict = Verdict.Regressed,
        Before = 40,
        After = 50,
        Ratio = 1.25,
        IsPrimary = false,
    };

    [Fact]
    public void The_verdict_is_the_first_and_the_last_line_and_each_figure_stands_once()
    {
        var lines = Lines(Result(null, Scenario("one", Throughput, Median, Tail)));

        Assert.Equal("SLOWER OR MORE EXPENSIVE. Of 2 primary metrics: 1 slower or more expensive, 1 no difference.", lines[0]);
        Assert.Equal("SLOWER OR MORE EXPENSIVE.", lines[^1]);
        Assert.Contains("postgresql-one", lines);
        var row = Assert.Single(lines, line => line.Contains("10,000"));
        Assert.Matches(@"throughput, op/s +10,000 +8,000 +0\.800 +0\.750 to 0\.850 +slower", row);
        Assert.Matches(
            @"20\.0 +20\.2 +1\.010 +0\.990 to 1\.030 +no difference larger than 3\.0 %",
            Assert.Single(lines, line => line.Contains("p50"))
        );
        Assert.Contains("throughput by block: 0.800  0.800", lines);
        Assert.Contains("Other metrics, informative: 1 slower or more expensive.", lines);
        Assert.Contains("  postgresql-one p95: 40.0 to 50.0 ms, 25.0 % slower", lines);
    }

    [Fact]
    public void With_a_gate_its_outcome_is_the_last_line()
    {
        var lines = Lines(Result(new() { Judged = 2 }, Scenario("one", Median with { IsPrimary = true })));

        Assert.Equal("NO DIFFERENCE. Of 1 primary metric: 1 no difference.", lines[0]);
        Assert.Equal("GATE HELD: 2 figures judged, 0 not.", lines[^1]);
    }

    [Fact]
    public void What_is_open_outweighs_what_has_no_difference()
    {
        var open = Throughput with { Verdict = Verdict.Unstable, BlocksNeeded = 20 };

        var lines = Lines(Result(null, Scenario("one", open, Median)));

        Assert.Equal("INCONCLUSIVE. Of 2 primary metrics: 1 inconclusive, 1 no difference.", lines[0]);
        Assert.Contains(lines, line => line.EndsWith("inconclusive: about 20 more blocks would be needed"));
    }

    [Fact]
    public void What_was_not_judged_outweighs_what_has_no_difference()
    {
        var limited = Throughput with { Verdict = Verdict.GeneratorLimited, Reason = "Repeat 1 of the base was limited." };

        var lines = Lines(Result(null, Scenario("one", limited, Median)));

        Assert.Equal("GENERATOR-LIMITED. Of 2 primary metrics: 1 generator-limited, 1 no difference.", lines[0]);
        Assert.Contains("  postgresql-one: Repeat 1 of the base was limited.", lines);
    }

    /// <summary>Scenarios are those of all runs of the base, and figures are found by their names.</summary>
    [Fact]
    public void Scenario_that_the_first_run_of_the_base_lacks_has_its_blocks()
    {
        var missing = new MetricComparison
        {
            Metric = "throughput",
            HigherIsBetter = true,
            Verdict = Verdict.NotMeasured,
            Reason = "1 of 4 runs of the base has no postgresql-two.",
        };

        var lines = Lines(Result(null, Scenario("one", Throughput), Scenario("two", missing)));

        Assert.Contains("postgresql-one throughput by block: 0.800  0.800", lines);
        Assert.Contains("postgresql-two throughput by block: –  0.800", lines);
        Assert.Contains("  postgresql-two: 1 of 4 runs of the base has no postgresql-two.", lines);
        Assert.Equal("SLOWER OR MORE EXPENSIVE.", lines[^1]);
    }

    private static ScenarioComparison Scenario(string name, params MetricComparison[] metrics) =>
        new() { Name = $"postgresql-{name}", Metrics = metrics };

    /// <summary>Two blocks, with a candidate at 0.8 of the base; the first run of the base has the first scenario only.</summary>
    private static AbResult Result(GateResult? gate, params ScenarioComparison[] scenarios)
    {
        string[] names = [.. scenarios.Select(scenario => scenario.Name["postgresql-".Length..])];
        var (before, after) = (Run(AbSide.Base, 1_000, names), Run(AbSide.Candidate, 800, names));
        return new()
        {
            StartedAt = DateTimeOffset.UnixEpoch,
            FinishedAt = DateTimeOffset.UnixEpoch,
            Command = "serdica-perf ab",
            Comparison = new() { Base = "before", Candidate = "after", AllowUnlike = true, Scenarios = scenarios },
            Gate = gate,
            Blocks =
            [
                new(1, [Run(AbSide.Base, 1_000, names[..1]), after, after, before]),
                new(2, [after, before, before, after]),
            ],
        };
    }

    private static AbRunFigures Run(AbSide side, double perSecond, string[] scenarios) =>
        new(
            side,
            "run",
            scenarios.ToDictionary(
                scenario => scenario,
                _ => (IReadOnlyDictionary<string, double>)new Dictionary<string, double> { ["throughput"] = perSecond }
            )
        );

    private static string[] Lines(AbResult result) =>
        [.. Written.By(text => AbSummary.Write(text, result)).TrimEnd().Split('\n').Select(line => line.TrimEnd())];
}
