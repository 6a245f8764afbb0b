namespace Serdica.Perf.Workflows;

/// <summary>How much a snapshot reads.</summary>
public enum SnapshotDepth
{
    /// <summary>What is cheap enough to be read every second while the engine works.</summary>
    Sample,

    /// <summary>All there is, sizes of tables and the costliest statements among it; before and after a measured window.</summary>
    Full,
}
