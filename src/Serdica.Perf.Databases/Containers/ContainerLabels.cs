namespace Serdica.Perf.Databases.Containers;

/// <summary>Labels of the suite's containers.</summary>
internal static class ContainerLabels
{
    /// <summary>On all of them: the back-end name.</summary>
    public const string Backend = "serdica-perf.backend";

    /// <summary>On all of them: the name of the volume that goes with the container.</summary>
    public const string Volume = "serdica-perf.volume";

    /// <summary>The process that the container ends with.</summary>
    public const string Owner = "serdica-perf.owner";

    /// <summary>On those that are kept in place of an owner: see <see cref="ContainerPlan.KeptAs"/>.</summary>
    public const string Kept = "serdica-perf.kept";
}
