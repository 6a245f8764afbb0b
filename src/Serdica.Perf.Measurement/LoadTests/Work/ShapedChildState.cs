namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>State of a child of a shaped instance.</summary>
internal sealed class ShapedChildState
{
    public int Done { get; set; }
}
