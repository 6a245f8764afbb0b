namespace Serdica.Perf.Faults.History;

/// <summary>One line of a history. Each kind uses a few of the properties; those without a value are not written.</summary>
internal sealed record HistoryRecord
{
    public required HistoryKind Kind { get; init; }

    /// <value>Microseconds since the <see cref="HistoryKind.Process"/> line, by the monotonic clock of the process.</value>
    public long At { get; init; }

    /// <value>Ties invocation and outcome of an operation together; unique in its file, from 1.</value>
    [JsonPropertyName("op")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Operation { get; init; }

    /// <value>Name of the process, in its first line; the process that a fault strikes, in the line of a fault.</value>
    public string? Process { get; init; }

    /// <value>What the process does: <c>client</c>, <c>host</c>, <c>run</c>, <c>census</c>.</value>
    public string? Role { get; init; }

    /// <value>Wall time at the zero of the monotonic clock; in lines of timers and rows a time of the database.</value>
    public DateTimeOffset? Time { get; init; }

    /// <value>One sequence of awaited calls: its signals to one instance have an order.</value>
    public string? Client { get; init; }

    public CallKind? Call { get; init; }

    public Guid? Instance { get; init; }

    /// <value>Names what a call carries, and is found again in the rows at the end: unique for each start or signal that is wanted. A
    /// repeat of a call has the same key.</value>
    public string? Key { get; init; }

    /// <value>Name of a signal, an activity's step, a fault or a gauge.</value>
    public string? Name { get; init; }

    public string? BusinessKey { get; init; }

    public string? DedupKey { get; init; }

    /// <value>Delay of a signal or timer in microseconds.</value>
    public long? Delay { get; init; }

    public AckOutcome? Outcome { get; init; }

    /// <value>Text of an error, or the evidence of a fault in words.</value>
    public string? Detail { get; init; }

    public string? Definition { get; init; }

    /// <value>Version of the instance: what a turn expects, or what a reader saw.</value>
    public long? Version { get; init; }

    /// <value>The version that a turn writes.</value>
    public long? Next { get; init; }

    public InstanceStatus? Status { get; init; }

    public WaitKinds? Waits { get; init; }

    /// <value>The parent of a child; the predecessor of a continuation.</value>
    public Guid? Parent { get; init; }

    /// <value>The first instance of the chain of continuations, where that is another one.</value>
    public Guid? Root { get; init; }

    /// <value>True where the other instance continues this one.</value>
    public bool? Continues { get; init; }

    /// <value>Id of an activity or a timer.</value>
    public Guid? Id { get; init; }

    /// <value>Fencing token of an activity's attempt.</value>
    public int? Token { get; init; }

    public HistoryPhase? Phase { get; init; }

    /// <value>A gauge; the evidence of a fault (connections cut, processes dead).</value>
    public double? Value { get; init; }

    /// <value>How much evidence a fault needs, where any is not enough.</value>
    public double? Least { get; init; }

    /// <value>True for a fault that lets nothing succeed while it lasts, such as a stopped database.</value>
    public bool? Stops { get; init; }

    /// <value>What the instance's workflow has written down, in a line of a row or a read.</value>
    public LedgerState? Ledger { get; init; }

    /// <value>How often the handler of a dead letter was tried.</value>
    public int? Attempts { get; init; }

    public DeadLetterReason? Reason { get; init; }

    public CensusCounts? Census { get; init; }

    public HistoryLimits? Limits { get; init; }
}
