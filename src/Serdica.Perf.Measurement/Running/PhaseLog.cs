using System.Diagnostics;
using Serdica.Perf.Results.LoadTests;

namespace Serdica.Perf.Measurement.Running;

/// <summary>Keeps when each phase of a load test began and ended. They follow one another; one caller.</summary>
internal sealed class PhaseLog
{
    private readonly long _begin = Stopwatch.GetTimestamp();
    private readonly List<LoadPhase> _phases = [];
    private LoadPhase? _current;

    /// <summary>In order; what is under way is broken off here.</summary>
    public IReadOnlyList<LoadPhase> Phases => _current is null ? _phases : [.. _phases, _current with { ToSeconds = Now, BrokenOff = true }];

    /// <summary>Ends the phase before, if one is under way.</summary>
    public void Enter(LoadPhaseKind kind, string? step = null)
    {
        Leave();
        _current = new(kind, step, Now, Now);
    }

    public void Leave() => End(brokenOff: false);

    /// <summary>What is under way has ended before its time.</summary>
    public void BreakOff() => End(brokenOff: true);

    private double Now => Stopwatch.GetElapsedTime(_begin).TotalSeconds;

    private void End(bool brokenOff)
    {
        if (_current is { } phase)
            _phases.Add(phase with { ToSeconds = Now, BrokenOff = brokenOff });
        _current = null;
    }
}
