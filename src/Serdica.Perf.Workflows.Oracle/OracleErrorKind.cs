namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What an error means to the engine, the weakest first: of several numbers the strongest kind counts.</summary>
internal enum OracleErrorKind
{
    /// <summary>A timeout of a dequeue; nothing is wrong.</summary>
    NoMessage,

    /// <summary>The caller has cancelled, or the command took too long.</summary>
    Cancelled,

    /// <summary>The connection is not usable any more; another one may be.</summary>
    LostConnection,

    /// <summary>Roll back and try again.</summary>
    Transient,

    /// <summary>Somebody else was first: load and decide again.</summary>
    Conflict,

    /// <summary>It fails again in the same way.</summary>
    Permanent,
}
