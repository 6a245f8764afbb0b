using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>How far a running scenario is; read from outside whenever somebody wants to show it.</summary>
public sealed class ScenarioProgress(string name, ScenarioParameters parameters)
{
    private LoadRun? _load;

    public string Name => name;

    public ScenarioParameters Parameters => parameters;

    public ScenarioPhase Phase { get; internal set; }

    /// <summary>Of the measured operations; warm-up and preparation do not count.</summary>
    public int Completed => Volatile.Read(ref _load)?.Completed ?? 0;

    public int Failed => Volatile.Read(ref _load)?.Failed ?? 0;

    internal void Measure(LoadRun load)
    {
        Volatile.Write(ref _load, load);
        Phase = ScenarioPhase.Measuring;
    }
}
