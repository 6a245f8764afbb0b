namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Who can follow an advice.</summary>
public enum AdviceKind
{
    /// <summary>A rate that was not tried, and is believed to hold.</summary>
    Rate,

    /// <summary>A setting of load, engine or server.</summary>
    Configuration,

    /// <summary>The machine, its processors or its disk.</summary>
    Infrastructure,
}
