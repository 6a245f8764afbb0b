namespace Serdica.Perf.Workflows;

/// <summary>The live form of <see cref="HostCounters"/>.</summary>
internal sealed class CounterSet
{
    public long Batches;
    public long EmptyClaims;
    public long Signals;
    public long DirectSignals;
    public long Conflicts;
    public long HandlerFailures;
    public long StaleSignals;
    public long Deferred;
    public long DeadLetters;
    public long ActivityAttempts;
    public long ActivityFailures;
    public long BackendFailures;

    public HostCounters Read() =>
        new()
        {
            Batches = Volatile.Read(ref Batches),
            EmptyClaims = Volatile.Read(ref EmptyClaims),
            Signals = Volatile.Read(ref Signals),
            DirectSignals = Volatile.Read(ref DirectSignals),
            Conflicts = Volatile.Read(ref Conflicts),
            HandlerFailures = Volatile.Read(ref HandlerFailures),
            StaleSignals = Volatile.Read(ref StaleSignals),
            Deferred = Volatile.Read(ref Deferred),
            DeadLetters = Volatile.Read(ref DeadLetters),
            ActivityAttempts = Volatile.Read(ref ActivityAttempts),
            ActivityFailures = Volatile.Read(ref ActivityFailures),
            BackendFailures = Volatile.Read(ref BackendFailures),
        };
}
