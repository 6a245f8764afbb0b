
namespace Serdica.Perf.Results.LoadTests;

/// <summary>A stretch of a load test, on one time base for all of it.</summary>
/// <param name="Kind">What went on.</param>
/// <param name="Step">The step it belongs to; null of what comes before and between them.</param>
/// <param name="FromSeconds">From the begin of the test.</param>
/// <param name="ToSeconds">The same.</param>
/// <param name="BrokenOff">Whether the test ended in it, before its time.</param>
public sealed record LoadPhase(LoadPhaseKind Kind, string? Step, double FromSeconds, double ToSeconds, bool BrokenOff = false);

/// <summary>What went on in a stretch of a load test.</summary>
public enum LoadPhaseKind
{
    /// <summary>The generator measured itself, against operations that do nothing.</summary>
    Ceiling,

    /// <summary>A store was made and warmed up; in no figure.</summary>
    WarmUp,

    /// <summary>A closed load showed the maximum of which steps are a part.</summary>
    Calibration,

    /// <summary>A backlog was made ready for workers that start late.</summary>
    Backlog,

    /// <summary>Operations were begun: what is measured.</summary>
    Step,

    /// <summary>Nothing was begun any more, and what was running was waited for.</summary>
    Drain,

    /// <summary>The pause between two steps.</summary>
    Cooldown,

    /// <summary>Server and store were looked at: what was there before a step, and whether everything is right after it.</summary>
    Audit,
}
