namespace Serdica.Perf.Measurement.LoadTests;

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
