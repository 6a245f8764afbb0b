namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Instances as documents. State and progress are bytes, which the server never looks into.</summary>
internal static class InstanceDocuments
{
    private static readonly ElementReaders<Elements> Readers = new()
    {
        ["_id"] = static (instance, reader) => instance.Id = reader.ReadGuid(),
        ["version"] = static (instance, reader) => instance.Version = reader.ReadInt64(),
        ["status"] = static (instance, reader) => instance.Status = reader.ReadInt32(),
        ["waits"] = static (instance, reader) => instance.Waits = reader.ReadInt32(),
        ["definition"] = static (instance, reader) => instance.Definition = reader.ReadString(),
        ["definitionVersion"] = static (instance, reader) => instance.DefinitionVersion = reader.ReadInt32(),
        ["step"] = static (instance, reader) => instance.Step = reader.ReadString(),
        ["created"] = static (instance, reader) => instance.Created = reader.ReadTime(),
        ["updated"] = static (instance, reader) => instance.Updated = reader.ReadTime(),
        ["state"] = static (instance, reader) => instance.State = reader.ReadBytes(),
        ["progress"] = static (instance, reader) => instance.Progress = reader.ReadBytes(),
        ["businessKey"] = static (instance, reader) => instance.BusinessKey = reader.ReadString(),
        ["parent"] = static (instance, reader) => instance.Parent = reader.ReadGuid(),
        ["error"] = static (instance, reader) => instance.Error = reader.ReadString(),
    };

    public static StoredDocument New(InstanceRecord record, DateTimeOffset now) =>
        new(writer =>
        {
            writer.Write("_id", record.Id);
            WriteContent(writer, record, now, now);
        });

    /// <summary>
    /// The new document has no <c>_id</c>: the old one stays, and DocumentDB would store a second one.
    /// </summary>
    public static Replacement Replace(Decision decision, DateTimeOffset now)
    {
        var record = decision.Instance!;
        return new(
            record.Id,
            decision.ExpectedVersion,
            new(writer => WriteContent(writer, record, record.CreatedAt, now)),
            record.State.Length + (record.Progress?.Length ?? 0)
        );
    }

    public static InstanceRecord Read(IBsonReader reader)
    {
        var read = Readers.Read(reader);
        return new InstanceRecord
        {
            Id = read.Id,
            Version = read.Version,
            Status = (InstanceStatus)read.Status,
            Waits = (WaitKinds)read.Waits,
            Definition = read.Definition,
            DefinitionVersion = read.DefinitionVersion,
            Step = read.Step,
            CreatedAt = read.Created,
            UpdatedAt = read.Updated,
            State = read.State,
            Progress = read.Progress,
            BusinessKey = read.BusinessKey,
            ParentId = read.Parent,
            Error = read.Error,
        };
    }

    private static void WriteContent(IBsonWriter writer, InstanceRecord record, DateTimeOffset created, DateTimeOffset updated)
    {
        writer.WriteInt64("version", record.Version);
        writer.WriteInt32("status", (int)record.Status);
        writer.WriteInt32("waits", (int)record.Waits);
        writer.WriteString("definition", record.Definition);
        writer.WriteInt32("definitionVersion", record.DefinitionVersion);
        writer.WriteString("step", record.Step);
        writer.Write("created", created);
        writer.Write("updated", updated);
        writer.WriteBytes("state", record.State);
        if (record.Progress is { } progress)
            writer.WriteBytes("progress", progress);
        if (record.BusinessKey is { } key)
            writer.WriteString("businessKey", key);
        if (record.ParentId is { } parent)
            writer.Write("parent", parent);
        if (record.Error is { } error)
            writer.WriteString("error", error);
    }

    private sealed class Elements
    {
        public Guid Id;
        public Guid? Parent;
        public long Version;
        public int Status,
            Waits,
            DefinitionVersion;
        public string Definition = "",
            Step = "";
        public string? BusinessKey,
            Error;
        public DateTimeOffset Created,
            Updated;
        public byte[] State = [];
        public byte[]? Progress;
    }
}
