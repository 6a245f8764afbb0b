namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>State of the plain round trip: what was done to it, and how often.</summary>
internal sealed class RoundtripState
{
    public int Operation { get; set; }

    public int FirstSteps { get; set; }

    public int Signals { get; set; }

    public int LastSteps { get; set; }

    public string? Correlation { get; set; }
}
