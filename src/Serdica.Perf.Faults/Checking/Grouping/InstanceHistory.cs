namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>All that a history says of one instance. Clients address the first instance of a chain of continuations, so what became of
/// their signals is gathered there.</summary>
internal sealed class InstanceHistory : LineGroup
{
    public InstanceHistory(Guid id, IReadOnlyList<HistoryLine> lines)
        : base(lines)
    {
        Id = id;
        var calls = Operations(HistoryKind.Invoke);
        Starts = calls.FindAll(call => call.Record.Call == CallKind.Start);
        Signals = calls.FindAll(call => call.Record.Call == CallKind.Signal);
        Cancels = calls.FindAll(call => call.Record.Call == CallKind.Cancel);
        Turns = Operations(HistoryKind.Turn);
        Announcements = Operations(HistoryKind.Started);
        TimersArmed = Operations(HistoryKind.TimerArmed);
        TimersFired = Operations(HistoryKind.TimerFired);
        Effects = [.. Of(HistoryKind.Effect)];
        Closes = [.. Of(HistoryKind.Close)];
        Reads = [.. Of(HistoryKind.Read)];
        Pending = [.. Of(HistoryKind.Pending)];
        DeadLetters = [.. Of(HistoryKind.DeadLetter)];
        var rows = Of(HistoryKind.State).DistinctBy(line => line.Record.Instance).ToLookup(line => line.Record.Parent == id);
        Row = rows[false].FirstOrDefault(line => line.Record.Instance == id);
        Chain = [.. rows[false].OrderBy(line => line.Record.Ledger?.Round ?? 0)];
        Children = [.. rows[true].Where(line => line.Record.Root is null)];
    }

    public Guid Id { get; }

    /// <summary>Starts that were answered with this instance.</summary>
    public IReadOnlyList<Operation> Starts { get; }

    public IReadOnlyList<Operation> Signals { get; }

    public IReadOnlyList<Operation> Cancels { get; }

    public IReadOnlyList<Operation> Turns { get; }

    /// <summary>Turns and starts that create this instance as a child or a continuation.</summary>
    public IReadOnlyList<Operation> Announcements { get; }

    public IReadOnlyList<Operation> TimersArmed { get; }

    public IReadOnlyList<Operation> TimersFired { get; }

    public IReadOnlyList<HistoryLine> Effects { get; }

    public IReadOnlyList<HistoryLine> Closes { get; }

    public IReadOnlyList<HistoryLine> Reads { get; }

    /// <summary>Signals that open instances of the chain keep.</summary>
    public IReadOnlyList<HistoryLine> Pending { get; }

    public IReadOnlyList<HistoryLine> DeadLetters { get; }

    /// <summary>The row of this very instance at the end; null when the database does not have it.</summary>
    public HistoryLine? Row { get; }

    /// <summary>The rows of this instance and of those that continue it, in their order.</summary>
    public IReadOnlyList<HistoryLine> Chain { get; }

    /// <summary>The rows of its children; of one that was continued, the first.</summary>
    public IReadOnlyList<HistoryLine> Children { get; }

    /// <summary>This instance continues another one; its signals are judged there.</summary>
    public bool IsContinuation => Row?.Record.Root is not null;

    /// <summary>Keys of the signals that the chain has handled, in their order.</summary>
    public IEnumerable<string> Applied => Chain.SelectMany(row => row.Record.Ledger?.Applied ?? []);

    /// <summary>Results that this very instance has taken.</summary>
    public IReadOnlyList<TakenResult> Results => Row?.Record.Ledger?.Results ?? [];

    public bool IsCompleted => Row?.Record.Status == InstanceStatus.Completed;

    /// <summary>Whether the signal was promised to take effect. A duplicate may be that of another signal with its dedup key.</summary>
    public bool IsPromised(Operation call) =>
        call.Outcome == AckOutcome.Accepted
        || (
            call.Outcome == AckOutcome.Duplicate
            && Signals.All(other => other.Record.DedupKey != call.Record.DedupKey || other.Record.Key == call.Record.Key)
        );
}
