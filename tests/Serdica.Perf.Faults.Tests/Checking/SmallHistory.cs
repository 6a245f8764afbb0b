namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>Lines of histories that a test writes itself, and what the checker counts in them.</summary>
internal static class SmallHistory
{
    public static HistoryRecord State(Guid id, LedgerState ledger) =>
        new() { Kind = HistoryKind.State, Instance = id, Status = InstanceStatus.Completed, Version = 0, Ledger = ledger };

    public static HistoryRecord Turn(Guid id, long operation, long from) =>
        new() { Kind = HistoryKind.Turn, Operation = operation, Instance = id, Version = from, Next = from + 1 };

    public static HistoryRecord Ack(long operation, AckOutcome outcome) =>
        new() { Kind = HistoryKind.Ack, Operation = operation, Outcome = outcome };

    public static HistoryRecord Gauge(HistoryPhase phase, double value) =>
        new() { Kind = HistoryKind.Gauge, Name = "connections", Phase = phase, Value = value };

    public static HistoryRecord Fault(long at, HistoryPhase phase, double? evidence) =>
        new() { Kind = HistoryKind.Fault, At = at, Operation = 1, Name = "kill-worker", Phase = phase, Value = evidence };

    public static void Successes(KeptHistory history, long at, int count) =>
        history.Add(
            "client",
            [.. Repeat(new HistoryRecord { Kind = HistoryKind.Ack, At = at, Outcome = AckOutcome.Accepted }, count)]
        );

    public static InvariantFinding Finding(KeptHistory history, int invariant) =>
        history.Check().Invariants.Single(finding => finding.Number == invariant);

    public static (long Judged, long Violations) Counts(KeptHistory history, int invariant)
    {
        var finding = Finding(history, invariant);
        return (finding.Judged, finding.Violations);
    }

    public static HistoryRecord Refused(long operation) => new() { Kind = HistoryKind.Refused, Operation = operation };

    /// <summary>A call of one client: the key of a signal is its name in the ledger.</summary>
    public static HistoryRecord Call(CallKind kind, Guid instance, long operation, string? key = null) =>
        new()
        {
            Kind = HistoryKind.Invoke,
            Call = kind,
            Operation = operation,
            Instance = instance,
            Client = "client-1",
            Name = "go",
            Key = key,
        };
}
