namespace Serdica.Perf.Measurement.Results;

/// <summary>What a caller does between two operations.</summary>
public enum LoadModel
{
    /// <summary>One operation at a time, the next after the completion of the last.</summary>
    Serial,

    /// <summary>Callers start operations without waiting for completions; the scenario ends when all are complete.</summary>
    Wave,

    /// <summary>Each caller waits for the completion of its operation before it starts the next.</summary>
    Closed,

    /// <summary>
    /// Operations arrive at a constant rate, whether those before them have completed or not; the response time counts from
    /// the intended start.
    /// </summary>
    Open,
}
