namespace Serdica.Perf.Measurement.Measuring;

/// <summary>The progress of a running scenario; read from outside for display.</summary>
internal sealed class ScenarioProgress(string name, ScenarioParameters parameters)
{
    private LoadRecorder? _load;

    public string Name => name;

    public ScenarioParameters Parameters => parameters;

    public ScenarioPhase Phase { get; internal set; }

    /// <summary>The number of operations to be measured; 0 while it is unknown, or for a load that lasts for a fixed time.</summary>
    public int Planned { get; internal set; } = parameters.Operations;

    /// <summary>Completed operations of the measurement, without warm-up and preparation.</summary>
    public int Completed => Volatile.Read(ref _load)?.Completed ?? 0;

    /// <summary>Arrivals of an open load that were never started.</summary>
    public int Dropped => Volatile.Read(ref _load)?.Dropped ?? 0;

    public int Failed => Volatile.Read(ref _load)?.Failed ?? 0;

    /// <summary>The counts of measured operations. Ends are read before starts, so that never more have ended than started.</summary>
    internal GeneratorSample Count()
    {
        var (completed, failed) = (Completed, Failed);
        var started = Volatile.Read(ref _load)?.Started ?? 0;
        return new(started, completed, failed, started - completed - failed);
    }

    /// <summary>Starts the measured load.</summary>
    internal void Measure(LoadRecorder load)
    {
        Volatile.Write(ref _load, load);
        Phase = ScenarioPhase.Measuring;
    }
}

/// <summary>The phases of a scenario's run, in order.</summary>
internal enum ScenarioPhase
{
    Opening,
    WarmingUp,

    /// <summary>Measures the maximum from which the rate of a soak is derived.</summary>
    Calibrating,
    Preparing,
    Measuring,
    Draining,
    Verifying,
}

/// <summary>The phases in words.</summary>
internal static class ScenarioPhaseWords
{
    /// <summary>For "stopped while ..." and for progress.</summary>
    public static string Words(this ScenarioPhase phase) =>
        phase switch
        {
            ScenarioPhase.Opening => "opening",
            ScenarioPhase.WarmingUp => "warming up",
            ScenarioPhase.Calibrating => "calibrating",
            ScenarioPhase.Preparing => "preparing",
            ScenarioPhase.Measuring => "measuring",
            ScenarioPhase.Draining => "draining",
            _ => "verifying",
        };
}
