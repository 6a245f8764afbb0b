namespace Serdica.Perf.Measurement.Sizing;

/// <summary>How the use of a component grows with the load.</summary>
public enum GrowthClass
{
    /// <summary>Too few steps, or too uncertain, to tell.</summary>
    Unknown,

    /// <summary>A baseline that hardly depends on the load.</summary>
    Fixed,

    /// <summary>Between a baseline and in proportion to the load.</summary>
    Linear,

    /// <summary>Faster than the load.</summary>
    Steep,
}
