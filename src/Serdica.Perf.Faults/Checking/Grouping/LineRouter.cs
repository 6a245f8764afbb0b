namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>
/// Says which groups each line of a file belongs to. Answers do not name their instances: operations under way are remembered, which
/// are as many as a process makes at once.
/// </summary>
internal sealed class LineRouter(Action<string, HistoryLine> toInstance, Action<string, HistoryLine> toStart)
{
    private readonly Dictionary<long, Underway> _underway = [];

    /// <summary>Operations that have had no answer yet, those of turns included.</summary>
    public int WithoutAnswer => _underway.Count;

    public void Route(HistoryLine line)
    {
        var record = line.Record;
        switch (record.Kind)
        {
            case HistoryKind.Invoke when record.Call == CallKind.Start:
                var key = StartKey(record.BusinessKey, record.Key);
                toStart(key, line);
                _underway[record.Operation] = new Underway { StartKey = key, Start = line with { Text = line.Text.ToArray() } };
                break;
            case HistoryKind.Ack or HistoryKind.Refused or HistoryKind.Unknown:
                RouteAnswer(line);
                break;
            case HistoryKind.State:
                ToInstances(line, record.Instance, record.Root);
                // The parent may not know of it.
                if (record.Parent is { } parent)
                    toInstance(Name(parent), line);
                if (record is { Root: null, Ledger.Origin: { } origin })
                    toStart(StartKey(record.BusinessKey, origin), line);
                break;
            case HistoryKind.Pending or HistoryKind.DeadLetter:
                ToInstances(line, record.Instance, record.Root);
                break;
            case not (HistoryKind.Process or HistoryKind.Fault or HistoryKind.Gauge or HistoryKind.Limits or HistoryKind.Census):
                ToInstances(line, record.Instance, null);
                if (record.Operation > 0 && record.Instance is { } instance)
                    Remember(record.Operation, instance);
                break;
        }
    }

    private static string StartKey(string? businessKey, string? key) => businessKey is null ? $"key {key}" : $"business key {businessKey}";

    private void RouteAnswer(HistoryLine line)
    {
        if (!_underway.Remove(line.Record.Operation, out var operation))
            return;
        foreach (var instance in operation.Instances)
            toInstance(Name(instance), line);
        if (operation is not { StartKey: { } key, Start: { } start })
            return;
        toStart(key, line);
        if (line.Record.Instance is { } started)
        {
            toInstance(Name(started), start);
            toInstance(Name(started), line);
        }
    }

    private void Remember(long operation, Guid instance)
    {
        if (!_underway.TryGetValue(operation, out var underway))
            _underway[operation] = underway = new Underway();
        underway.Instances.Add(instance);
    }

    private void ToInstances(HistoryLine line, Guid? instance, Guid? root)
    {
        if (instance is { } id)
            toInstance(Name(id), line);
        if (root is { } first && first != instance)
            toInstance(Name(first), line);
    }

    private static string Name(Guid instance) => instance.ToString("N");

    private sealed class Underway
    {
        public HashSet<Guid> Instances { get; } = [];

        public string? StartKey { get; init; }

        public HistoryLine? Start { get; init; }
    }
}
