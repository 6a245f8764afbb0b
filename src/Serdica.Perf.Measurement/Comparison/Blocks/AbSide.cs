namespace Serdica.Perf.Measurement.Comparisons.Blocks;

/// <summary>Which of the two that are compared.</summary>
public enum AbSide
{
    Base,
    Candidate,
}
