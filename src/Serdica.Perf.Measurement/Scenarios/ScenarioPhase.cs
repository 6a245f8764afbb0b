namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>Where a run of a scenario stands, in order.</summary>
public enum ScenarioPhase
{
    Opening,
    WarmingUp,
    Preparing,
    Measuring,
    Draining,
    Verifying,
}
