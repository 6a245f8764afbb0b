namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>All starts with one business key, or all repeats of one start without a business key, and the rows that came of them.</summary>
internal sealed class StartHistory : LineGroup
{
    public StartHistory(string key, IReadOnlyList<HistoryLine> lines)
        : base(lines)
    {
        Key = key;
        Calls = Operations(HistoryKind.Invoke);
        Rows = [.. Of(HistoryKind.State).DistinctBy(line => line.Record.Instance)];
    }

    public string Key { get; }

    public IReadOnlyList<Operation> Calls { get; }

    /// <summary>One for each instance.</summary>
    public IReadOnlyList<HistoryLine> Rows { get; }
}
