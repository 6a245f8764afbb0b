namespace Serdica.Perf.Measurement.Results;

/// <summary>How one scenario ended.</summary>
public enum ScenarioStatus
{
    /// <summary>All operations completed and every check held.</summary>
    Passed,

    /// <summary>It ran, but a check did not hold; it has reasons and no throughput.</summary>
    Failed,

    /// <summary>It was stopped before its end.</summary>
    Aborted,

    /// <summary>It did not run; the reason is given.</summary>
    NotMeasured,
}
