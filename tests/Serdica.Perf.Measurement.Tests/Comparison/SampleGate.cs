namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>What a gate is asked to judge.</summary>
internal static class SampleGate
{
    public static readonly DateOnly Today = new(2026, 11, 21);

    public static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950, 10_000);

    public static readonly RunResult Slower = SimulatedRuns.OfThroughputs(7_920, 8_000, 8_080, 8_040, 7_960, 8_000);

    public static GateResult Judge(GateSettings gate, RunResult before, RunResult candidate) =>
        Gate.Judge(gate, RunComparer.Compare(before, candidate, SimulatedRuns.Steady(gate.Comparison)), candidate, Today);

    public static RunResult WithSecond(RunResult run, Func<ScenarioResult, ScenarioResult>? change = null) =>
        run with
        {
            Scenarios =
            [
                .. run.Scenarios,
                .. run.Scenarios.Select(scenario =>
                    (change ?? (same => same))(scenario with { Name = "postgresql-second", Scenario = "second" })
                ),
            ],
        };
}
