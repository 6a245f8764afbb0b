namespace Serdica.Perf.Databases;

/// <summary>Where a database comes from. The order is the order in which sources are tried.</summary>
public enum DatabaseSourceKind
{
    /// <summary>A server that somebody else runs, named by a connection string.</summary>
    External,

    /// <summary>A container that the suite starts and removes.</summary>
    Containers,

    /// <summary>A throw-away server that the suite starts from installed binaries and removes.</summary>
    Local,
}
