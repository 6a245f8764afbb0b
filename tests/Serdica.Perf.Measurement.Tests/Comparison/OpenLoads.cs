namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Runs of an open load whose arrivals started late, as <c>postgresql-load-pg-queue</c> had them.</summary>
internal static class OpenLoads
{
    /// <param name="run">Its response times become service times, and the wait is added to them.</param>
    /// <param name="waitedMs">The mean lateness of an operation's start in milliseconds, whatever the cause.</param>
    public static RunResult Late(RunResult run, double ownP99Ms, double ownAverageMs, double waitedMs)
    {
        var late = SampleGate.Each(
            run,
            scenario =>
                scenario with
                {
                    Parameters = scenario.Parameters with { Load = LoadModel.Open },
                    Counts = scenario.Counts with { Late = waitedMs > 0 ? scenario.Counts.Started * 3 / 100 : 0 },
                    ServiceTime = scenario.ResponseTime with { AverageMs = scenario.ResponseTime.P50Ms },
                    ResponseTime = scenario.ResponseTime with
                    {
                        AverageMs = scenario.ResponseTime.P50Ms + waitedMs,
                        P50Ms = scenario.ResponseTime.P50Ms + waitedMs,
                        P95Ms = scenario.ResponseTime.P95Ms + waitedMs,
                        P99Ms = scenario.ResponseTime.P99Ms + waitedMs,
                        MaxMs = scenario.ResponseTime.MaxMs + waitedMs,
                    },
                    GeneratorLag = new() { Count = scenario.ResponseTime.Count, AverageMs = ownAverageMs, P99Ms = ownP99Ms },
                }
        );
        return late with
        {
            Warnings = waitedMs > 0 ? [new(WarningCodes.LoadNotHeld, "It did not hold its rate.", SimulatedRuns.Name)] : [],
        };
    }
}
