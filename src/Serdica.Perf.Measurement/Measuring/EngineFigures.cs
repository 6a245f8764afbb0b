namespace Serdica.Perf.Measurement.Measuring;

/// <summary>Converts the engine's figures to those of a run, so that files keep their form when the engine changes.</summary>
internal static class EngineFigures
{
    public static ServerWait Recorded(WaitTime wait) => new(wait.Class, wait.Name, wait.Microseconds, wait.Count);

    public static ServerStatement Recorded(StatementCost statement) =>
        new(statement.Text, statement.Calls, statement.Milliseconds, statement.Rows, statement.LogBytes)
        {
            CpuMilliseconds = statement.CpuMilliseconds,
            LogicalReads = statement.LogicalReads,
        };

    public static EngineCounters Recorded(HostCounters host) =>
        new()
        {
            Batches = host.Batches,
            EmptyClaims = host.EmptyClaims,
            Signals = host.Signals,
            Conflicts = host.Conflicts,
            HandlerFailures = host.HandlerFailures,
            StaleSignals = host.StaleSignals,
            Deferred = host.Deferred,
            DeadLetters = host.DeadLetters,
            ActivityAttempts = host.ActivityAttempts,
            ActivityFailures = host.ActivityFailures,
            BackendFailures = host.BackendFailures,
        };

    /// <summary>What several hosts have done together.</summary>
    public static HostCounters Sum(IEnumerable<HostCounters> hosts) =>
        hosts.Aggregate(new HostCounters(), (all, host) => Add(all, host, 1));

    public static HostCounters Difference(HostCounters after, HostCounters before) => Add(after, before, -1);

    private static HostCounters Add(HostCounters one, HostCounters other, int sign) =>
        new()
        {
            Batches = one.Batches + (sign * other.Batches),
            EmptyClaims = one.EmptyClaims + (sign * other.EmptyClaims),
            Signals = one.Signals + (sign * other.Signals),
            DirectSignals = one.DirectSignals + (sign * other.DirectSignals),
            Conflicts = one.Conflicts + (sign * other.Conflicts),
            HandlerFailures = one.HandlerFailures + (sign * other.HandlerFailures),
            StaleSignals = one.StaleSignals + (sign * other.StaleSignals),
            Deferred = one.Deferred + (sign * other.Deferred),
            DeadLetters = one.DeadLetters + (sign * other.DeadLetters),
            ActivityAttempts = one.ActivityAttempts + (sign * other.ActivityAttempts),
            ActivityFailures = one.ActivityFailures + (sign * other.ActivityFailures),
            BackendFailures = one.BackendFailures + (sign * other.BackendFailures),
        };
}
