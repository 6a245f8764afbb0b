namespace Serdica.Perf.Measurement.Results;

/// <summary>How a whole run ended.</summary>
public enum RunStatus
{
    /// <summary>Every scenario that was measured passed its verification, trials of a search aside that did not hold.</summary>
    Passed,

    /// <summary>At least one scenario failed, or a search found nothing.</summary>
    Failed,

    /// <summary>The run was stopped before its end: by the user, or by the death of the process.</summary>
    Aborted,
}
