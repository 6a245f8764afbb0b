namespace Serdica.Perf.Databases;

/// <summary>A database server as it describes itself: what a report must name for its numbers to mean something.</summary>
internal sealed record ServerDescription
{
    /// <summary>Name of the product, for example <c>PostgreSQL</c> or <c>DocumentDB</c>.</summary>
    public required string Product { get; init; }

    /// <summary>Version as the server reports it, for example <c>15.18</c> or <c>1.0-0 on PostgreSQL 18.6</c>.</summary>
    public required string Version { get; init; }

    public required DatabaseSourceKind Source { get; init; }

    /// <summary>Durability class, from settings read back from the server and never from those asked for.</summary>
    public required DurabilityClass Durability { get; init; }

    /// <summary>The settings that decide durability, with their values, whether default or not.</summary>
    public required IReadOnlyDictionary<string, string> DurabilitySettings { get; init; }

    /// <summary>
    /// Other settings that differ from their default. Only numbers, switches and enumerations, and the libraries
    /// loaded at start: free text may hold secrets.
    /// </summary>
    public required IReadOnlyDictionary<string, string> Settings { get; init; }

    /// <summary>
    /// File system of the data folder, for example <c>ext4</c>; <see langword="null"/> when it is not known (a server
    /// elsewhere). On <c>tmpfs</c> a commit costs nothing and survives nothing.
    /// </summary>
    public string? FileSystem { get; init; }

    /// <summary>
    /// Processors that the suite has bound a local server to, as the system tells it; <see langword="null"/> where it may use
    /// all of them.
    /// </summary>
    public int? BoundProcessors { get; init; }

    /// <summary>The container that the server runs in; <see langword="null"/> when the suite started none.</summary>
    public ContainerDescription? Container { get; init; }
}

/// <summary>The container that a server runs in, as the engine tells it and not as it was asked for.</summary>
internal sealed record ContainerDescription
{
    /// <summary>Image with its digest; of an image that has none, with its id.</summary>
    public required string Image { get; init; }

    /// <summary>Name and version of the engine, for instance <c>Docker 28.1.1</c>.</summary>
    public required string Engine { get; init; }

    /// <summary>Processors that it may use; <see langword="null"/> without a limit.</summary>
    public double? Cpus { get; init; }

    /// <summary>Memory that it may use; <see langword="null"/> without a limit.</summary>
    public long? MemoryBytes { get; init; }

    /// <summary>Whether it was there before: data and caches of earlier runs are in it.</summary>
    public bool IsReused { get; init; }
}

/// <summary>What a crash of the machine may take away. Results of different classes are not comparable.</summary>
internal enum DurabilityClass
{
    /// <summary>What was acknowledged is still there after a crash or a power cut.</summary>
    Durable,

    /// <summary>The last acknowledged commits may be lost; what remains is consistent.</summary>
    LossOnCrash,

    /// <summary>After a crash the data may be damaged or gone.</summary>
    NotDurable,
}
