namespace Serdica.Perf.Measurement.Driving;

/// <summary>How a set of operations is driven.</summary>
internal sealed record LoadPlan
{
    /// <summary>The default of <see cref="DropAfter"/>.</summary>
    public static readonly TimeSpan UsualDropAfter = FromSeconds(10);

    public required LoadModel Model { get; init; }

    /// <value>
    /// The number of callers; a serial load always has one. For an open load it is the largest number of operations in flight.
    /// </value>
    public required int Concurrency { get; init; }

    /// <value>Arrivals a second of an open load, above zero; ignored by other loads.</value>
    public double PerSecond { get; init; }

    /// <value>
    /// How the arrivals of an open load are spread. Default <see cref="ArrivalPattern.Poisson"/>, as for the steps of a load test.
    /// </value>
    public ArrivalPattern Arrivals { get; init; } = ArrivalPattern.Poisson;

    /// <value>The seed of random arrivals.</value>
    public int Seed { get; init; }

    /// <value>
    /// An arrival of an open load for which no caller became free in this time is dropped and never started, so that a backlog
    /// of arrivals cannot grow without end. Default 10 s.
    /// </value>
    public TimeSpan DropAfter { get; init; } = UsualDropAfter;

    /// <value>No operation is started after this time; default: until all are done. A warm-up has such a limit.</value>
    public TimeSpan? MaxDuration { get; init; }

    /// <value>When nothing has completed for this time, the load is stopped, and missing operations count as running. Default 30 s.</value>
    public TimeSpan StallLimit { get; init; } = FromSeconds(30);

    /// <value>Records each operation; default none.</value>
    public OperationLog? Log { get; init; }

    /// <value>Operations of a wave, of which the last may have fewer; default all in one. Ignored by other models.</value>
    public int? WaveSize { get; init; }
}
