namespace Serdica.Perf.Databases;

/// <summary>What is asked for when a database is needed. <see cref="DatabaseEnvironment"/> fills it from the environment.</summary>
internal sealed record DatabaseRequest
{
    /// <summary>Connection string of the external server; <see langword="null"/> when there is none.</summary>
    public string? ConnectionString { get; init; }

    /// <summary>
    /// Process id of the external server, when it runs on this machine: its processor time and memory are read by it.
    /// </summary>
    public int? ExternalProcessId { get; init; }

    /// <summary>
    /// Whether an external server may be measured although it holds data that are neither the suite's nor the server's
    /// own; <see langword="false"/> (the default) refuses it before anything is made there.
    /// </summary>
    public bool AcceptsForeignData { get; init; }

    /// <summary>The only source to try; <see langword="null"/> (the default) tries all in their order.</summary>
    public DatabaseSourceKind? Source { get; init; }

    /// <summary>Folder in which local servers keep their data; <see langword="null"/> for the temporary folder of the system.</summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>
    /// Folder in which prepared programs are kept between runs; <see langword="null"/> for that of the user, then that
    /// of the machine.
    /// </summary>
    public string? CacheFolder { get; init; }

    /// <summary>
    /// Server settings for a server that the suite starts, on top of the suite's own. Those that would make it less
    /// durable are found out after the start and refused.
    /// </summary>
    public IReadOnlyDictionary<string, string> ServerSettings { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// Bytes of write-ahead log that the work will write, generously; <see langword="null"/> (the default) when unknown.
    /// Only this much is created in advance.
    /// </summary>
    public long? ExpectedLogBytes { get; init; }

    /// <summary>How a database in a container is run.</summary>
    public ContainerOptions Container { get; init; } = new();

    /// <summary>Without the connection string, which may hold a password: texts end in logs.</summary>
    private bool PrintMembers(StringBuilder builder) => builder.Append(Invariant($"Source = {Source}")).Length > 0;
}

/// <summary>Where a database comes from. The order is the order in which sources are tried.</summary>
internal enum DatabaseSourceKind
{
    /// <summary>A server that somebody else runs, named by a connection string.</summary>
    External,

    /// <summary>A container that the suite starts and removes.</summary>
    Containers,

    /// <summary>A throw-away server that the suite starts from installed binaries and removes.</summary>
    Local,
}
