namespace Serdica.Perf.Measurement.Driving;

/// <summary>Limits of the drivers.</summary>
internal sealed record DriverOptions
{
    /// <value>A start is late when it was so long after the intended one; default 10 ms.</value>
    public TimeSpan LateAfter { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <value>An arrival for which no user was free so long is dropped, so that they can't pile up without end; default 10 s.</value>
    public TimeSpan DropAfter { get; init; } = TimeSpan.FromSeconds(10);

    /// <value>When so large a part of all arrivals was dropped the step is hopeless, and given up; default 10 %.</value>
    public double HopelessShare { get; init; } = 0.1;

    /// <value>The pause of the pacer between two looks at its schedule; a test puts a slower one in its place.</value>
    public Action Pause { get; init; } = static () => Thread.Sleep(1);
}
