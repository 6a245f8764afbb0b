namespace Serdica.Perf.Databases.Containers;

/// <summary>A container as it is to be started.</summary>
internal sealed record ContainerPlan
{
    public required string Image { get; init; }

    /// <summary>The port of the server within the container; published on one that is free, unless it has a network.</summary>
    public required int Port { get; init; }

    /// <summary>The network that it shares with others and is reached on, made when it is missing; null for the engine's own.</summary>
    public string? Network { get; init; }

    /// <summary>Folder within the container that the server writes its data to.</summary>
    public required string DataFolder { get; init; }

    /// <summary>Name of the volume for <see cref="DataFolder"/>.</summary>
    public required string Volume { get; init; }

    /// <summary>Whether the data lie in memory and on no volume.</summary>
    public bool DataInMemory { get; init; }

    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>Arguments for the image's entry point; empty for its own.</summary>
    public IReadOnlyList<string> Command { get; init; } = [];

    public IReadOnlyList<ContainerFile> Files { get; init; } = [];

    public double? Cpus { get; init; }

    public long? MemoryBytes { get; init; }

    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>();

    /// <summary>The name under which the container is found again; <see langword="null"/> for one that ends with the suite.</summary>
    public string? KeptAs { get; init; }

    /// <summary>Whether there is one of that name already, which is then used and survives a failure.</summary>
    public bool IsReused { get; init; }
}

/// <summary>A small file that is in a container before it starts.</summary>
/// <param name="Path">Full path; its folder is made when it is missing.</param>
/// <param name="Content">In UTF-8.</param>
/// <param name="OnlyFor">User id of the one user who may read it; <see langword="null"/> for everybody.</param>
internal sealed record ContainerFile(string Path, string Content, uint? OnlyFor = null);

/// <summary>Labels of the suite's containers.</summary>
internal static class ContainerLabels
{
    /// <summary>On all of them: the back-end name.</summary>
    public const string Backend = "serdica-perf.backend";

    /// <summary>On all of them: the name of the volume that goes with the container.</summary>
    public const string Volume = "serdica-perf.volume";

    /// <summary>On those that have one: see <see cref="ContainerPlan.Network"/>.</summary>
    public const string Network = "serdica-perf.network";

    /// <summary>The process that the container ends with.</summary>
    public const string Owner = "serdica-perf.owner";

    /// <summary>On those that are kept in place of an owner: see <see cref="ContainerPlan.KeptAs"/>.</summary>
    public const string Kept = "serdica-perf.kept";
}
