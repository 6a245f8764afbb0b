namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>What is known of an operation of a client or a host.</summary>
internal enum Fate
{
    /// <summary>No answer, or one that leaves it open.</summary>
    Unknown,

    /// <summary>It is durable, or it found what was wanted.</summary>
    Done,

    /// <summary>The engine has stated that it wrote nothing.</summary>
    NotDone,
}

/// <summary>A line that says that something is about to be done, with its answer.</summary>
/// <param name="Line">The invocation, turn or timer.</param>
/// <param name="Answer">The outcome; null when there is none in the file.</param>
internal sealed record Operation(HistoryLine Line, HistoryLine? Answer)
{
    public HistoryRecord Record => Line.Record;

    public AckOutcome? Outcome => Answer?.Record.Outcome;

    public Fate Fate =>
        Answer?.Record switch
        {
            { Kind: HistoryKind.Refused } => Fate.NotDone,
            { Kind: HistoryKind.Ack, Outcome: AckOutcome.Started or AckOutcome.Existing or AckOutcome.Accepted or AckOutcome.Committed } =>
                Fate.Done,
            { Kind: HistoryKind.Ack } => Fate.NotDone,
            _ => Fate.Unknown,
        };

    public bool MayBeWritten => Fate != Fate.NotDone;

    public IEnumerable<HistoryLine> Lines => Answer is null ? [Line] : [Line, Answer];
}
