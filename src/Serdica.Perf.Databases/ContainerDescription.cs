namespace Serdica.Perf.Databases;

/// <summary>The container that a server runs in, as the engine tells it and not as it was asked for.</summary>
public sealed record ContainerDescription
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
