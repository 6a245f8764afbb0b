using Serdica.Perf.Results.Runs;
using Serdica.Perf.Results.Samples;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Measuring;

/// <summary>Converts the engine's figures to those of a run, so that files keep their form when the engine changes.</summary>
internal static class EngineFigures
{
    public static ServerWait Recorded(WaitTime wait) => new(wait.Class, wait.Name, wait.Microseconds, wait.Count);

    public static ServerStatement Recorded(StatementCost statement) =>
        new(statement.Text, statement.Calls, statement.Milliseconds, statement.Rows, statement.LogBytes);

    public static EngineCounters Recorded(HostCounters host) => new()
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
}
