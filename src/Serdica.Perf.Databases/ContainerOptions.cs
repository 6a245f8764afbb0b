namespace Serdica.Perf.Databases;

/// <summary>How a database in a container runs. A local server uses <see cref="Cpus"/> only; other sources use none of it.</summary>
internal sealed record ContainerOptions
{
    /// <summary>Image in place of the pinned one, with tag or digest; <see langword="null"/> for the pinned one.</summary>
    public string? Image { get; init; }

    /// <summary>
    /// Processors that the container may use, for instance <c>1.5</c>; <see langword="null"/> for no limit. A local server is
    /// bound to this number, which must be whole.
    /// </summary>
    public double? Cpus { get; init; }

    /// <summary>Memory that the container may use, swap included; <see langword="null"/> for no limit.</summary>
    public long? MemoryBytes { get; init; }

    /// <summary>Whether the data lie in memory (tmpfs), where nothing is durable; otherwise on a volume of their own.</summary>
    public bool DataInMemory { get; init; }

    /// <summary>A network for several containers; <see langword="null"/> for one that is alone.</summary>
    public string? Network { get; init; }

    /// <summary>
    /// Whether the server keeps running after the suite, and is used again by the next run that asks for the same. Data and
    /// caches of the runs before are then in it.
    /// </summary>
    public bool Keep { get; init; }

    /// <summary>Address of the container engine; <see langword="null"/> for the usual places.</summary>
    public string? Engine { get; init; }

    /// <summary>
    /// Host on which the published ports are reached; <see langword="null"/> for the engine's own. Needed where the suite
    /// itself runs in a container of that engine.
    /// </summary>
    public string? Host { get; init; }
}
