namespace Serdica.Perf.Measurement.Baselines;

/// <summary>The database of a <see cref="ReferenceRun"/>.</summary>
public sealed record ReferenceDatabase
{
    public required string Product { get; init; }

    public required string Version { get; init; }

    public string? DockerImage { get; init; }

    public string? Transport { get; init; }
}
