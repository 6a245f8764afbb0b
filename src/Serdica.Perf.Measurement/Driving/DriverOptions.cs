namespace Serdica.Perf.Measurement.Driving;

/// <summary>Limits of the drivers.</summary>
internal sealed record DriverOptions
{
    /// <value>A start is late when it is this long after the intended one; default 10 ms, well above the lateness of the timer.</value>
    public TimeSpan LateAfter { get; init; } = FromMilliseconds(10);

    /// <value>
    /// An arrival for which no user became free in this time is dropped, so that arrivals cannot accumulate without end; default
    /// 10 s.
    /// </value>
    public TimeSpan DropAfter { get; init; } = FromSeconds(10);

    /// <value>When this share of all arrivals was dropped, the step is stopped as futile; default 10 %.</value>
    public double GiveUpShare { get; init; } = 0.1;

    /// <value>The pause of the pacer between two polls of its schedule; a test can replace it by a slower one.</value>
    public Action Pause { get; init; } = static () => Thread.Sleep(1);
}
