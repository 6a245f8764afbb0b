namespace Serdica.Perf.Measurement.Environments;

/// <summary>Which code was measured.</summary>
public sealed record SourceDescription
{
    /// <summary>The full commit id; null when it can't be told.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether there were changes beside the commit; null when it can't be told.</summary>
    public bool? Dirty { get; init; }

    /// <summary>Why there is no commit; null when there is one.</summary>
    public string? Reason { get; init; }

    /// <summary>The informational version that the build wrote into the measuring library.</summary>
    public string? InformationalVersion { get; init; }
}
