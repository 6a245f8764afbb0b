namespace Serdica.Perf.Faults.History;

/// <summary>What the checker holds a run to; the run's own process writes it once.</summary>
internal sealed record HistoryLimits
{
    /// <value>Tries of a signal before it becomes a dead letter; 0 when the run has no poison.</value>
    public int SignalAttempts { get; init; }

    /// <value>Attempts of an activity before its instance faults; 0 when the history does not say.</value>
    public int ActivityAttempts { get; init; }

    /// <value>Numbers of the invariants that the run has to prove; null for all.</value>
    public IReadOnlyList<int>? Required { get; init; }

    /// <value>Successful operations that a run needs before, during and after each fault; default 1.</value>
    public int LeastSuccesses { get; init; } = 1;

    /// <value>The longest windows before and after a fault, in microseconds; default 1 s. They end at the next fault.</value>
    public long Window { get; init; } = 1_000_000;

    /// <value>How far a gauge may stay above its baseline, as a share of it; default 0.2.</value>
    public double GaugeBand { get; init; } = 0.2;

    /// <value>By how much a gauge may stay above its baseline, however small its band is; default 0.</value>
    public double GaugeSlack { get; init; }

    /// <value>How far clocks of processes may differ, in microseconds, when lines of two processes are compared; default 2 ms.</value>
    public long ClockError { get; init; } = 2_000;
}
