using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Load;

/// <summary>How a set of operations is driven.</summary>
public sealed record LoadPlan
{
    public required LoadModel Model { get; init; }

    /// <value>Callers; a serial load has one, whatever is said here.</value>
    public required int Concurrency { get; init; }

    /// <value>No operation is begun after this time; default: until all are done. A warm-up has one.</value>
    public TimeSpan? MaxDuration { get; init; }

    /// <value>
    /// When nothing has completed for so long the load is given up, and what is missing counts as running. Default 30 s.
    /// </value>
    public TimeSpan StallLimit { get; init; } = TimeSpan.FromSeconds(30);

    internal int Callers => Model == LoadModel.Serial ? 1 : Concurrency;

    /// <summary>Whether a caller waits for the completion of its operation before it begins the next.</summary>
    internal bool CallersWait => Model is LoadModel.Serial or LoadModel.Closed;
}
