namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>Where a run of a scenario stands, in order.</summary>
public enum ScenarioPhase
{
    Opening,
    WarmingUp,

    /// <summary>Finds the maximum that a soak takes its part of.</summary>
    Calibrating,
    Preparing,
    Measuring,
    Draining,
    Verifying,
}
