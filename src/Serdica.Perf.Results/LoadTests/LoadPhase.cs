namespace Serdica.Perf.Results.LoadTests;

/// <summary>A period of a load test. All periods share one time base.</summary>
/// <param name="Kind">What happened in it.</param>
/// <param name="Step">The step that it belongs to; null for periods before and between steps.</param>
/// <param name="FromSeconds">Its start, in seconds since the start of the test.</param>
/// <param name="ToSeconds">Its end, in seconds since the start of the test.</param>
/// <param name="BrokenOff">Whether the test ended in this period, before its planned end.</param>
public sealed record LoadPhase(LoadPhaseKind Kind, string? Step, double FromSeconds, double ToSeconds, bool BrokenOff = false);

/// <summary>What happened in a period of a load test.</summary>
public enum LoadPhaseKind
{
    /// <summary>The generator measured its own limit with operations that do nothing.</summary>
    Ceiling,

    /// <summary>A store was created and warmed up. No figure includes this period.</summary>
    WarmUp,

    /// <summary>A closed load measured the maximum from which the rates of steps are derived.</summary>
    Calibration,

    /// <summary>A backlog was prepared for workers that start late.</summary>
    Backlog,

    /// <summary>Operations were started: the measured period.</summary>
    Step,

    /// <summary>No operation was started any more; the test waited for running ones.</summary>
    Drain,

    /// <summary>The pause between two steps.</summary>
    Cooldown,

    /// <summary>Server and store were checked: for leftovers before a step, and for correct results after it.</summary>
    Audit,
}
