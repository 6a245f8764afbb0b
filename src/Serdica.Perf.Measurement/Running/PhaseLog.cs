namespace Serdica.Perf.Measurement.Running;

/// <summary>Records when each phase of a load test started and ended. Phases follow one another. Not thread-safe.</summary>
internal sealed class PhaseLog
{
    private readonly long _begin = Stopwatch.GetTimestamp();
    private readonly List<LoadPhase> _phases = [];
    private LoadPhase? _current;

    /// <summary>The phases in order; a phase in progress counts as broken off here.</summary>
    public IReadOnlyList<LoadPhase> Phases =>
        _current is null ? _phases : [.. _phases, _current with { ToSeconds = Now, BrokenOff = true }];

    /// <summary>Ends the previous phase, if there is one, and starts another.</summary>
    public void Enter(LoadPhaseKind kind, string? step = null)
    {
        Leave();
        _current = new(kind, step, Now, Now);
    }

    public void Leave() => End(brokenOff: false);

    /// <summary>Ends the phase in progress before its planned end.</summary>
    public void BreakOff() => End(brokenOff: true);

    private double Now => Stopwatch.GetElapsedTime(_begin).TotalSeconds;

    private void End(bool brokenOff)
    {
        if (_current is { } phase)
            _phases.Add(phase with { ToSeconds = Now, BrokenOff = brokenOff });
        _current = null;
    }
}
