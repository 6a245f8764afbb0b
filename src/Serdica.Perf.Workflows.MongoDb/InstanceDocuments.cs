namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Instances as documents. State and progress are bytes, which the server never looks into.</summary>
internal static class InstanceDocuments
{
    private static readonly FieldNames Names = new(
        "_id",
        "version",
        "status",
        "waits",
        "definition",
        "definitionVersion",
        "step",
        "created",
        "updated",
        "state",
        "progress",
        "businessKey",
        "parent",
        "error"
    );

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
        Guid id = default;
        Guid? parent = null;
        var (definition, step, key, error) = ("", "", (string?)null, (string?)null);
        var (version, status, waits, definitionVersion) = (0L, 0, 0, 0);
        DateTimeOffset created = default,
            updated = default;
        byte[] state = [];
        byte[]? progress = null;
        var names = Names.Decoder();
        reader.ReadStartDocument();
        while (reader.ReadBsonType() != BsonType.EndOfDocument)
        {
            switch (reader.ReadName(names))
            {
                case "_id":
                    id = reader.ReadGuid();
                    break;
                case "version":
                    version = reader.ReadInt64();
                    break;
                case "status":
                    status = reader.ReadInt32();
                    break;
                case "waits":
                    waits = reader.ReadInt32();
                    break;
                case "definition":
                    definition = reader.ReadString();
                    break;
                case "definitionVersion":
                    definitionVersion = reader.ReadInt32();
                    break;
                case "step":
                    step = reader.ReadString();
                    break;
                case "created":
                    created = reader.ReadTime();
                    break;
                case "updated":
                    updated = reader.ReadTime();
                    break;
                case "state":
                    state = reader.ReadBytes();
                    break;
                case "progress":
                    progress = reader.ReadBytes();
                    break;
                case "businessKey":
                    key = reader.ReadString();
                    break;
                case "parent":
                    parent = reader.ReadGuid();
                    break;
                case "error":
                    error = reader.ReadString();
                    break;
                default:
                    reader.SkipValue();
                    break;
            }
        }

        reader.ReadEndDocument();
        return new InstanceRecord
        {
            Id = id,
            Version = version,
            Status = (InstanceStatus)status,
            Waits = (WaitKinds)waits,
            Definition = definition,
            DefinitionVersion = definitionVersion,
            Step = step,
            CreatedAt = created,
            UpdatedAt = updated,
            State = state,
            Progress = progress,
            BusinessKey = key,
            ParentId = parent,
            Error = error,
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
}
