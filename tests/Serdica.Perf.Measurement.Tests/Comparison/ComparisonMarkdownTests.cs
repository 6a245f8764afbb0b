namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class ComparisonMarkdownTests
{
    private static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_000);

    [Fact]
    public void A_comparison_with_a_breached_gate()
    {
        var candidate = SimulatedRuns.OfThroughputs(7_920, 8_000, 8_080, 8_040, 7_960, 8_000);
        candidate = candidate with
        {
            Scenarios = [.. candidate.Scenarios, SampleRun.Serial],
            NotMeasured = [new("oracle-aq", "The driver is turned off.")],
        };
        var comparison = RunComparer.Compare(Base, candidate, SimulatedRuns.Steady(ComparisonSettings.Default));
        var gate = new GateSettings { Relative = [new() { Metric = "throughput", WorseBy = 0.1 }] };

        Matches("comparison-slower", comparison, Gate.Judge(gate, comparison, candidate, new(2026, 11, 21)));
    }

    [Fact]
    public void Unlike_runs_that_may_be_compared_and_are_noisy() =>
        Matches("comparison-unlike", RunComparer.Compare(Base, Noisy, SimulatedRuns.Steady(ComparisonSettings.Default), allowUnlike: true));

    [Fact]
    public void Unlike_runs() =>
        Matches("comparison-refused", RunComparer.Compare(Base, Noisy, SimulatedRuns.Steady(ComparisonSettings.Default)));

    private static RunResult Noisy { get; } =
        SimulatedRuns.OfThroughputs(7_000, 9_000, 12_000, 13_000, 9_500) with
        {
            Environment = Base.Environment with
            {
                Machine = Base.Environment.Machine with { MachineName = "perf-lab-2", LogicalCores = 4, CgroupCpuLimit = 3 },
                Runtime = Base.Environment.Runtime with { AvailableProcessors = 4 },
            },
        };

    private static void Matches(string file, RunComparison comparison, GateResult? gate = null) =>
        Golden.Matches(
            $"tests/Serdica.Perf.Measurement.Tests/Golden/{file}.md",
            Written.By(text => ComparisonMarkdown.Write(text, comparison, gate))
        );
}
