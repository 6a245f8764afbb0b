namespace Serdica.Perf.Measurement.Histories;

/// <summary>From this point on a series runs on another level.</summary>
/// <param name="Index">Of the first point on the new level.</param>
/// <param name="Before">Typical value since the change point before this, or since the beginning.</param>
/// <param name="After">Typical value up to the next change point, or to the end.</param>
/// <param name="PValue">Of Student's t-test between the two.</param>
public sealed record ChangePoint(int Index, double Before, double After, double PValue)
{
    /// <summary>-0.1 means that it fell by 10 %.</summary>
    public double Change => After / Before - 1;
}
