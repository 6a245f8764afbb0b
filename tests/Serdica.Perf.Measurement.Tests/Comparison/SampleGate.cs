namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>What a gate is asked to judge.</summary>
internal static class SampleGate
{
    public static readonly DateOnly Today = new(2026, 11, 21);

    public static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_000);

    public static readonly RunResult Slower = SimulatedRuns.OfThroughputs(7_920, 8_000, 8_080, 8_040, 7_960, 8_000);

    public static GateResult Judge(GateSettings gate, RunResult before, RunResult candidate) =>
        Gate.Judge(gate, RunComparer.Compare(before, candidate, SimulatedRuns.Steady(gate.Comparison)), candidate, Today);

    public static GateSettings Limit(string metric, double worseBy = 0.1, string scenario = "*") =>
        new() { Relative = [new RelativeLimit { Scenario = scenario, Metric = metric, WorseBy = worseBy }] };

    public static MetricComparison Unstable(ScenarioComparison scenario, string metric, string reason) =>
        scenario.Metrics.Single(found => found.Metric == metric) with
        {
            Verdict = Verdict.Unstable,
            Reason = reason,
            CorrectedPValue = null,
        };

    public static RunResult First(RunResult run, Func<ScenarioResult, ScenarioResult> change) =>
        run with { Scenarios = [change(run.Scenarios[0]), .. run.Scenarios.Skip(1)] };

    public static RunResult Each(RunResult run, Func<ScenarioResult, ScenarioResult> change) =>
        run with { Scenarios = [.. run.Scenarios.Select(change)] };

    public static RunResult Elsewhere(RunResult run) =>
        run with { Environment = run.Environment with { Machine = run.Environment.Machine with { LogicalCores = 4 } } };

    public static RunResult Debug(RunResult run) =>
        run with { Environment = run.Environment with { Runtime = run.Environment.Runtime with { SuiteConfiguration = "Debug" } } };

    public static RunResult WithSecond(RunResult run, Func<ScenarioResult, ScenarioResult>? change = null)
    {
        var second = Each(run, scenario => (change ?? (same => same))(scenario with { Name = "postgresql-second", Scenario = "second" }));
        return run with { Scenarios = [.. run.Scenarios, .. second.Scenarios] };
    }
}
