namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Signals, dead letters and messages as documents.</summary>
internal static class SignalDocuments
{
    public static void Write(BsonWriter writer, Signal signal, DateTimeOffset now)
    {
        writer.Write("_id"u8, DueKey.At(signal.Due.Resolve(now), signal.Id));
        writer.Write("slot"u8, Slots.Of(signal.InstanceId));
        WriteContent(writer, signal);
    }

    public static void WriteDead(BsonWriter writer, DeadLetter letter, DateTimeOffset now)
    {
        writer.Write("_id"u8, DueKey.At(now, letter.Signal.Id));
        writer.Write("signal"u8, letter.Signal.Id);
        writer.Write("reason"u8, (int)letter.Reason);
        writer.Write("detail"u8, letter.Detail);
        WriteContent(writer, letter.Signal);
    }

    public static StoredSignal Read(ReadOnlySpan<byte> document)
    {
        var reader = new BsonReader(document);
        DueKey key = default;
        Guid instance = default;
        var (name, detail) = ("", "");
        var (kind, attempt, reason) = (0, 0, 0);
        byte[] payload = [];
        while (reader.Next())
        {
            switch (reader.Name)
            {
                case var field when field.SequenceEqual("_id"u8): key = reader.DueKey(); break;
                case var field when field.SequenceEqual("instance"u8): instance = reader.Guid(); break;
                case var field when field.SequenceEqual("name"u8): name = reader.String(); break;
                case var field when field.SequenceEqual("kind"u8): kind = reader.Int32(); break;
                case var field when field.SequenceEqual("attempt"u8): attempt = reader.Int32(); break;
                case var field when field.SequenceEqual("payload"u8): payload = reader.Binary().ToArray(); break;
                case var field when field.SequenceEqual("reason"u8): reason = reader.Int32(); break;
                case var field when field.SequenceEqual("detail"u8): detail = reader.String(); break;
            }
        }

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
        return new(key, signal, (DeadLetterReason)reason, detail);
    }

    public static List<StoredSignal> ReadAll(DocumentReply reply)
    {
        var signals = new List<StoredSignal>();
        var documents = reply.Documents();
        while (documents.Next())
            signals.Add(Read(documents.Document()));
        return signals;
    }

    public static void Write(BsonWriter writer, Message message, int slot, DateTimeOffset now)
    {
        writer.Write("_id"u8, DueKey.At(message.Due.Resolve(now), message.Id));
        writer.Write("slot"u8, slot);
        writer.WriteBinary("payload"u8, message.Payload);
    }

    private static void WriteContent(BsonWriter writer, Signal signal)
    {
        writer.Write("instance"u8, signal.InstanceId);
        writer.Write("kind"u8, (int)signal.Kind);
        writer.Write("name"u8, signal.Name);
        writer.Write("attempt"u8, signal.Attempt);
        writer.WriteBinary("payload"u8, signal.Payload);
    }
}
