namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>How the arrivals of an open step are spread.</summary>
public enum ArrivalPattern
{
    /// <summary>At equal distances.</summary>
    Uniform,

    /// <summary>At random and independent of each other, as those of many users are: distances are exponential.</summary>
    Poisson,
}
