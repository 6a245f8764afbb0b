namespace Serdica.Perf.Measurement.Analysis;

/// <summary>What kept a scenario from being faster.</summary>
public enum Limit
{
    /// <summary>The evidence is thin, or points nowhere in particular.</summary>
    Unknown,

    /// <summary>Engine and load generator: the figures are theirs and not the database's.</summary>
    Harness,

    /// <summary>All processors of the machine were busy.</summary>
    Processors,

    /// <summary>The processors too, but it was neither engine nor database that used most of them.</summary>
    Others,

    LogFlush,

    Storage,

    Contention,

    /// <summary>Sessions mostly ran, while processors were free: statements, one after another.</summary>
    Statements,

    /// <summary>The database had little to do: too few callers, or too long a way to it.</summary>
    Callers,
}
