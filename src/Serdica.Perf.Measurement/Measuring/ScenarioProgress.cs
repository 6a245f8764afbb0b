using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Results.Samples;

namespace Serdica.Perf.Measurement.Measuring;

/// <summary>How far a running scenario is; read from outside whenever somebody wants to show it.</summary>
public sealed class ScenarioProgress(string name, ScenarioParameters parameters)
{
    private LoadRecorder? _load;

    public string Name => name;

    public ScenarioParameters Parameters => parameters;

    public ScenarioPhase Phase { get; internal set; }

    /// <summary>How many operations are to be measured; 0 as long as that is not known, or for a load whose time decides.</summary>
    public int Planned { get; internal set; } = parameters.Operations;

    /// <summary>Of the measured operations; warm-up and preparation do not count.</summary>
    public int Completed => Volatile.Read(ref _load)?.Completed ?? 0;

    public int Failed => Volatile.Read(ref _load)?.Failed ?? 0;

    /// <summary>Where the measured operations stand. Ends are read before begins, so that no more have ended than begun.</summary>
    internal GeneratorSample Count()
    {
        var (completed, failed) = (Completed, Failed);
        var started = Volatile.Read(ref _load)?.Started ?? 0;
        return new(started, completed, failed, started - completed - failed);
    }

    /// <summary>The measured load begins.</summary>
    internal void Measure(LoadRecorder load)
    {
        Volatile.Write(ref _load, load);
        Phase = ScenarioPhase.Measuring;
    }
}

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

/// <summary>The phases in sentences.</summary>
internal static class ScenarioPhaseWords
{
    /// <summary>For "stopped while ..." and for progress.</summary>
    public static string Words(this ScenarioPhase phase) => phase switch
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
