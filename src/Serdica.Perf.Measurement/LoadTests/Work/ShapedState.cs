namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>State of a shaped instance: what was done to it, and how often.</summary>
internal sealed class ShapedState
{
    /// <summary>The operation's number times the fan-out, plus the number within the operation.</summary>
    public long Number { get; set; }

    public int Events { get; set; }

    public int Activities { get; set; }

    /// <summary>The activity failed on purpose.</summary>
    public bool FailedOnPurpose { get; set; }

    public int Timers { get; set; }

    public int Children { get; set; }

    public int Finished { get; set; }

    /// <summary>Makes the state as large as it was asked for.</summary>
    public string Fill { get; set; } = "";
}
