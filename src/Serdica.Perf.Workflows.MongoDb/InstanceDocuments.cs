namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Instances as documents. State and progress are bytes, which the server never looks into.</summary>
internal static class InstanceDocuments
{
    /// <summary>
    /// Instances in one update. Its pipeline holds the new documents as a list in which each old one looks itself up:
    /// the longer the list, the longer the search, the shorter, the more statements.
    /// </summary>
    private const int MaxInUpdate = 32;

    private const int MaxUpdateBytes = 256 << 10;

    /// <summary>Writes a new instance.</summary>
    public static void Write(BsonWriter writer, InstanceRecord record, DateTimeOffset now)
    {
        writer.Write("_id"u8, record.Id);
        WriteContent(writer, record, now, now);
    }

    public static InstanceRecord Read(ReadOnlySpan<byte> document)
    {
        var reader = new BsonReader(document);
        Guid id = default;
        Guid? parent = null;
        var (definition, step, key, error) = ("", "", (string?)null, (string?)null);
        var (version, status, waits, definitionVersion) = (0L, 0, 0, 0);
        DateTimeOffset created = default, updated = default;
        byte[] state = [];
        byte[]? progress = null;
        while (reader.Next())
        {
            switch (reader.Name)
            {
                case var name when name.SequenceEqual("_id"u8): id = reader.Guid(); break;
                case var name when name.SequenceEqual("version"u8): version = reader.Int64(); break;
                case var name when name.SequenceEqual("status"u8): status = reader.Int32(); break;
                case var name when name.SequenceEqual("waits"u8): waits = reader.Int32(); break;
                case var name when name.SequenceEqual("definition"u8): definition = reader.String(); break;
                case var name when name.SequenceEqual("definitionVersion"u8): definitionVersion = reader.Int32(); break;
                case var name when name.SequenceEqual("step"u8): step = reader.String(); break;
                case var name when name.SequenceEqual("created"u8): created = reader.Time(); break;
                case var name when name.SequenceEqual("updated"u8): updated = reader.Time(); break;
                case var name when name.SequenceEqual("state"u8): state = reader.Binary().ToArray(); break;
                case var name when name.SequenceEqual("progress"u8): progress = reader.Binary().ToArray(); break;
                case var name when name.SequenceEqual("businessKey"u8): key = reader.String(); break;
                case var name when name.SequenceEqual("parent"u8): parent = reader.Guid(); break;
                case var name when name.SequenceEqual("error"u8): error = reader.String(); break;
            }
        }

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

    /// <summary>
    /// Replaces the decided instances; refused when one has not the expected version.
    /// </summary>
    /// <remarks>
    /// One statement for many documents: DocumentDB plans each statement of an update anew, which costs a quarter of
    /// a millisecond, ten times the work itself. The new documents have no <c>_id</c>: the old one stays, and DocumentDB
    /// would store a second one.
    /// </remarks>
    public static void AppendUpdates(List<DocumentCommand> commands, IReadOnlyList<Decision> decisions, DateTimeOffset now)
    {
        for (var first = 0; first < decisions.Count;)
        {
            var count = 0;
            for (var bytes = 0L; first + count < decisions.Count && count < MaxInUpdate && (count == 0 || bytes < MaxUpdateBytes); count++)
                bytes += decisions[first + count].Instance!.State.Length + (decisions[first + count].Instance!.Progress?.Length ?? 0);
            commands.Add(Update(decisions, first, count, now));
            first += count;
        }
    }

    private static DocumentCommand Update(IReadOnlyList<Decision> decisions, int first, int count, DateTimeOffset now)
    {
        var writer = new BsonWriter();
        writer.Write("update"u8, Collections.Instances);
        writer.BeginArray("updates"u8);
        writer.BeginDocument();
        writer.BeginDocument("q"u8);
        writer.BeginDocument("_id"u8);
        WriteIds(writer, "$in"u8, decisions, first, count);
        writer.End();
        writer.End();
        writer.BeginArray("u"u8);
        writer.BeginDocument();
        writer.BeginDocument("$replaceWith"u8);
        writer.BeginDocument("$let"u8);

        writer.BeginDocument("vars"u8);
        writer.BeginDocument("decided"u8);
        writer.BeginArray("$arrayElemAt"u8);
        writer.BeginDocument();
        writer.BeginArray("$literal"u8);
        for (var i = first; i < first + count; i++)
        {
            var record = decisions[i].Instance!;
            writer.BeginDocument();
            writer.Write("expected"u8, decisions[i].ExpectedVersion);
            writer.BeginDocument("document"u8);
            WriteContent(writer, record, record.CreatedAt, now);
            writer.End();
            writer.End();
        }

        writer.End();
        writer.End();
        writer.BeginDocument();
        writer.BeginArray("$indexOfArray"u8);
        writer.BeginDocument();
        WriteIds(writer, "$literal"u8, decisions, first, count);
        writer.End();
        writer.Write(default, "$_id"u8);
        writer.End();
        writer.End();
        writer.End();
        writer.End();
        writer.End();

        writer.BeginDocument("in"u8);
        writer.BeginArray("$cond"u8);
        writer.BeginDocument();
        writer.BeginArray("$eq"u8);
        writer.Write(default, "$version"u8);
        writer.Write(default, "$$decided.expected"u8);
        writer.End();
        writer.End();
        writer.Write(default, "$$decided.document"u8);

        // Not a document: the server refuses the update, and with it the transaction.
        writer.Write(default, "$version"u8);
        writer.End();
        writer.End();

        writer.End();
        writer.End();
        writer.End();
        writer.End();
        writer.Write("multi"u8, true);
        writer.End();
        writer.End();
        return new DocumentCommand(DocumentOperation.Update, Collections.Instances, writer) { Expected = count };
    }

    private static void WriteContent(BsonWriter writer, InstanceRecord record, DateTimeOffset created, DateTimeOffset updated)
    {
        writer.Write("version"u8, record.Version);
        writer.Write("status"u8, (int)record.Status);
        writer.Write("waits"u8, (int)record.Waits);
        writer.Write("definition"u8, record.Definition);
        writer.Write("definitionVersion"u8, record.DefinitionVersion);
        writer.Write("step"u8, record.Step);
        writer.Write("created"u8, created);
        writer.Write("updated"u8, updated);
        writer.WriteBinary("state"u8, record.State);
        if (record.Progress is { } progress)
            writer.WriteBinary("progress"u8, progress);
        if (record.BusinessKey is { } key)
            writer.Write("businessKey"u8, key);
        if (record.ParentId is { } parent)
            writer.Write("parent"u8, parent);
        if (record.Error is { } error)
            writer.Write("error"u8, error);
    }

    private static void WriteIds(BsonWriter writer, ReadOnlySpan<byte> name, IReadOnlyList<Decision> decisions, int first, int count)
    {
        writer.BeginArray(name);
        for (var i = first; i < first + count; i++)
            writer.Write(default, decisions[i].Instance!.Id);
        writer.End();
    }
}
