namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Signals, dead letters and messages as documents.</summary>
internal static class SignalDocuments
{
    private static readonly ElementReaders<StoredSignal> Readers = new()
    {
        ["_id"] = static (signal, reader) => signal.Key = reader.ReadDueKey(),
        ["slot"] = static (signal, reader) => signal.Slot = reader.ReadInt32(),
        ["instance"] = static (signal, reader) => signal.Instance = reader.ReadGuid(),
        ["kind"] = static (signal, reader) => signal.Kind = (SignalKind)reader.ReadInt32(),
        ["name"] = static (signal, reader) => signal.Name = reader.ReadString(),
        ["attempt"] = static (signal, reader) => signal.Attempt = reader.ReadInt32(),
        ["payload"] = static (signal, reader) => signal.Payload = reader.ReadBytes(),
        ["reason"] = static (signal, reader) => signal.Reason = (DeadLetterReason)reader.ReadInt32(),
        ["detail"] = static (signal, reader) => signal.Detail = reader.ReadString(),
    };

    public static StoredDocument Of(Signal signal, DateTimeOffset now) =>
        new(writer =>
        {
            writer.Write("_id", DueKey.At(signal.Due.Resolve(now), signal.Id));
            writer.WriteInt32("slot", Slots.Of(signal.InstanceId));
            WriteContent(writer, signal);
        });

    public static StoredDocument Of(DeadLetter letter, DateTimeOffset now) =>
        new(writer =>
        {
            writer.Write("_id", DueKey.At(now, letter.Signal.Id));
            writer.Write("signal", letter.Signal.Id);
            writer.WriteInt32("reason", (int)letter.Reason);
            writer.WriteString("detail", letter.Detail);
            WriteContent(writer, letter.Signal);
        });

    public static StoredDocument Of(Message message, int slot, DateTimeOffset now) =>
        new(writer =>
        {
            writer.Write("_id", DueKey.At(message.Due.Resolve(now), message.Id));
            writer.WriteInt32("slot", slot);
            writer.WriteBytes("payload", message.Payload);
        });

    public static StoredSignal Read(IBsonReader reader) => Readers.Read(reader);

    public static DeleteDocuments Delete(string collection, IReadOnlyCollection<DueKey> keys) =>
        new(collection, Queries.In("_id", keys), keys.Count);

    /// <summary>Finds the signals of these instances that are due at this time.</summary>
    public static BsonDocument WhereDue(IEnumerable<Guid> instances, long milliseconds) =>
        Queries.In("instance", instances).Add("_id", new BsonDocument("$lt", DueKey.First(milliseconds + 1).ToBson()));

    private static void WriteContent(IBsonWriter writer, Signal signal)
    {
        writer.Write("instance", signal.InstanceId);
        writer.WriteInt32("kind", (int)signal.Kind);
        writer.WriteString("name", signal.Name);
        writer.WriteInt32("attempt", signal.Attempt);
        writer.WriteBytes("payload", signal.Payload);
    }
}

/// <summary>A signal, message or dead letter. What was not asked for has its default.</summary>
internal sealed class StoredSignal
{
    public DueKey Key;
    public int Slot;
    public Guid Instance;
    public SignalKind Kind;
    public string Name = "";
    public int Attempt;
    public byte[] Payload = [];
    public DeadLetterReason Reason;
    public string Detail = "";

    public Signal ToSignal() =>
        new()
        {
            Id = Key.Id,
            InstanceId = Instance,
            Kind = Kind,
            Name = Name,
            Payload = Payload,
            Due = Due.AtTime(Key.Time),
            Attempt = Attempt,
        };
}
