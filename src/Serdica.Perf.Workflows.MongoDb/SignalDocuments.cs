namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Signals, dead letters and messages as documents.</summary>
internal static class SignalDocuments
{
    private static readonly FieldNames Names = new("_id", "slot", "instance", "kind", "name", "attempt", "payload", "reason", "detail");

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

    public static StoredSignal Read(IBsonReader reader)
    {
        DueKey key = default;
        Guid instance = default;
        var (name, detail) = ("", "");
        var (slot, kind, attempt, reason) = (0, 0, 0, 0);
        byte[] payload = [];
        var names = Names.Decoder();
        reader.ReadStartDocument();
        while (reader.ReadBsonType() != BsonType.EndOfDocument)
        {
            switch (reader.ReadName(names))
            {
                case "_id":
                    key = reader.ReadDueKey();
                    break;
                case "slot":
                    slot = reader.ReadInt32();
                    break;
                case "instance":
                    instance = reader.ReadGuid();
                    break;
                case "name":
                    name = reader.ReadString();
                    break;
                case "kind":
                    kind = reader.ReadInt32();
                    break;
                case "attempt":
                    attempt = reader.ReadInt32();
                    break;
                case "payload":
                    payload = reader.ReadBytes();
                    break;
                case "reason":
                    reason = reader.ReadInt32();
                    break;
                case "detail":
                    detail = reader.ReadString();
                    break;
                default:
                    reader.SkipValue();
                    break;
            }
        }

        reader.ReadEndDocument();
        var signal = new Signal
        {
            Id = key.Id,
            InstanceId = instance,
            Kind = (SignalKind)kind,
            Name = name,
            Payload = payload,
            Due = Due.AtTime(key.Time),
            Attempt = attempt,
        };
        return new(key, slot, signal, (DeadLetterReason)reason, detail);
    }

    /// <summary>Deletes signals or messages by key.</summary>
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

/// <summary>A signal or message with the key of its document and its slot; of a dead letter with the reason.</summary>
internal readonly record struct StoredSignal(DueKey Key, int Slot, Signal Signal, DeadLetterReason Reason, string Detail);
