namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Who decides when the next operation of a step begins.</summary>
public enum LoadKind
{
    /// <summary>A schedule: operations arrive at a rate, whatever became of those before them.</summary>
    Open,

    /// <summary>Users: each begins its next operation when its last one has ended.</summary>
    Closed,

    /// <summary>Workers that start late: a backlog is prepared, then burnt down as fast as it goes.</summary>
    BurnDown,
}
