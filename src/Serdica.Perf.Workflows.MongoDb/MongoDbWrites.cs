namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Gathers decisions by collection and appends the commands that write them.</summary>
/// <param name="now">The server's clock.</param>
internal sealed class MongoDbWrites(DateTimeOffset now)
{
    private readonly List<Decision> _updates = [];
    private readonly InsertCommands _instances = new(Collections.Instances);
    private readonly InsertCommands _businessKeys = new(Collections.BusinessKeys);
    private readonly InsertCommands _signals = new(Collections.Signals);
    private readonly InsertCommands _dedupKeys = new(Collections.DedupKeys);
    private readonly InsertCommands _letters = new(Collections.DeadLetters);

    public void AddUpdate(Decision decision)
    {
        if (decision.Instance is not null)
            _updates.Add(decision);
        AddConsequences(decision);
    }

    public void AddStart(Decision decision)
    {
        AddInstance(decision.Instance!);
        AddConsequences(decision);
    }

    public void AddSignal(Signal signal)
    {
        SignalDocuments.Write(_signals.BeginDocument(), signal, now);
        _signals.EndDocument();
    }

    public void AddDedupKey(Guid instanceId, string key)
    {
        var writer = _dedupKeys.BeginDocument();
        DedupKeyDocuments.WriteId(writer, "_id"u8, instanceId, key);
        writer.Write("instance"u8, instanceId);
        _dedupKeys.EndDocument();
    }

    /// <summary>Instances first, then what belongs to them.</summary>
    public void AppendTo(List<DocumentCommand> commands)
    {
        InstanceDocuments.AppendUpdates(commands, _updates, now);
        _businessKeys.AppendTo(commands);
        _instances.AppendTo(commands);
        _dedupKeys.AppendTo(commands);
        _signals.AppendTo(commands);
        _letters.AppendTo(commands);
    }

    private void AddConsequences(Decision decision)
    {
        decision.Started?.ForEach(AddInstance);
        decision.Sent?.ForEach(AddSignal);
        foreach (var letter in decision.DeadLetters ?? [])
        {
            SignalDocuments.WriteDead(_letters.BeginDocument(), letter, now);
            _letters.EndDocument();
        }
    }

    private void AddInstance(InstanceRecord instance)
    {
        InstanceDocuments.Write(_instances.BeginDocument(), instance, now);
        _instances.EndDocument();
        if (instance.BusinessKey is not { } key)
            return;
        var writer = _businessKeys.BeginDocument();
        writer.Write("_id"u8, key);
        writer.Write("instance"u8, instance.Id);
        writer.Write("definition"u8, instance.Definition);
        _businessKeys.EndDocument();
    }
}
