using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>How a set of operations is driven.</summary>
internal sealed record LoadPlan
{
    public required LoadModel Model { get; init; }

    /// <value>
    /// Callers; a serial load has one, whatever is said here. Of an open load it is the most that are in flight at once.
    /// </value>
    public required int Concurrency { get; init; }

    /// <value>Arrivals a second of an open load, above zero; of no meaning for the others.</value>
    public double PerSecond { get; init; }

    /// <value>
    /// An arrival of an open load is late when its call was made so long after its intended start. Default 10 ms, well above
    /// what the timer alone is late.
    /// </value>
    public TimeSpan LateAfter { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <value>
    /// An arrival of an open load for which no caller was free so long is dropped and never begun, so that a backlog of
    /// arrivals can't grow without end. Default 10 s.
    /// </value>
    public TimeSpan DropAfter { get; init; } = TimeSpan.FromSeconds(10);

    /// <value>No operation is begun after this time; default: until all are done. A warm-up has one.</value>
    public TimeSpan? MaxDuration { get; init; }

    /// <value>
    /// When nothing has completed for so long the load is given up, and what is missing counts as running. Default 30 s.
    /// </value>
    public TimeSpan StallLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <value>Takes each operation; default none.</value>
    public OperationLog? Log { get; init; }

    /// <value>Operations of a wave, the last one's perhaps fewer; default: all in one. Of no meaning for the other models.</value>
    public int? WaveSize { get; init; }
}
