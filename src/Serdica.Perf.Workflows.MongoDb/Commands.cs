namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands of the backend: queries, deletions, claims.</summary>
internal static class Commands
{
    /// <summary>The clock of the server, by way of a document that is always there.</summary>
    public static DocumentCommand ReadClock() => Find(
        Collections.Store,
        static filter => filter.Write("_id"u8, 0),
        static find =>
        {
            find.BeginDocument("projection"u8);
            find.Write("version"u8, 1);
            find.Write("now"u8, "$$NOW"u8);
            find.End();
        },
        ReadLevel.Latest);

    /// <param name="collection">Where to look.</param>
    /// <param name="filter">Writes the elements of the filter.</param>
    /// <param name="options">Writes further elements of the command: projection, sort, limit.</param>
    /// <param name="level">Which writes it sees.</param>
    public static DocumentCommand Find(
        string collection, Action<BsonWriter> filter, Action<BsonWriter>? options = null, ReadLevel level = ReadLevel.Kept)
    {
        var writer = new BsonWriter();
        writer.Write("find"u8, collection);
        writer.BeginDocument("filter"u8);
        filter(writer);
        writer.End();
        options?.Invoke(writer);

        writer.BeginDocument("readConcern"u8);
        writer.Write("level"u8, level == ReadLevel.Kept ? "majority"u8 : "local"u8);
        writer.End();

        // One page: the default of 101 documents would leave a cursor behind.
        writer.Write("batchSize"u8, int.MaxValue);
        writer.Write("singleBatch"u8, true);
        return new DocumentCommand(DocumentOperation.Find, collection, writer);
    }

    /// <summary>The documents with these ids.</summary>
    public static DocumentCommand FindIds(
        string collection, IEnumerable<Guid> ids, ReadLevel level = ReadLevel.Kept, params string[] fields) => Find(
        collection,
        filter => In(filter, "_id"u8, ids),
        fields.Length == 0 ? null : find => Project(find, fields),
        level);

    public static DocumentCommand FindIds(string collection, IEnumerable<string> ids) => Find(
        collection, filter => In(filter, "_id"u8, ids));

    /// <param name="collection">Where to count.</param>
    /// <param name="stages">Writes the stages of the pipeline.</param>
    public static DocumentCommand Aggregate(string collection, Action<BsonWriter> stages)
    {
        var writer = new BsonWriter();
        writer.Write("aggregate"u8, collection);
        writer.BeginArray("pipeline"u8);
        stages(writer);
        writer.End();
        writer.BeginDocument("cursor"u8);
        writer.End();
        return new DocumentCommand(DocumentOperation.Aggregate, collection, writer);
    }

    /// <summary>Deletes all that the filter finds. A transaction requires the expected number.</summary>
    public static DocumentCommand Delete(
        string collection, Action<BsonWriter> filter, int expected = DocumentCommand.AnyCount, bool relaxed = false)
    {
        var writer = new BsonWriter();
        writer.Write("delete"u8, collection);
        writer.BeginArray("deletes"u8);
        writer.BeginDocument();
        writer.BeginDocument("q"u8);
        filter(writer);
        writer.End();
        writer.Write("limit"u8, 0);
        writer.End();
        writer.End();
        if (relaxed)
            RelaxedConcern(writer);
        return new DocumentCommand(DocumentOperation.Delete, collection, writer) { Expected = expected, Relaxed = relaxed };
    }

    /// <summary>Deletes signals or messages by key. The slots tell a sharded cluster where they are.</summary>
    public static DocumentCommand DeleteKeys(string collection, IReadOnlyList<DueKey> keys, IEnumerable<int> slots) => Delete(
        collection,
        filter =>
        {
            In(filter, "_id"u8, keys);
            In(filter, "slot"u8, slots);
        },
        keys.Count);

    /// <summary>
    /// Claims what nobody holds: the unique <c>_id</c> lets one have each. Not waiting for the log: a claim that a
    /// crash forgets is free again, and the fence at the end finds it missing.
    /// </summary>
    public static DocumentCommand Claim(IReadOnlyList<Guid> ids, Guid token, DateTimeOffset until)
    {
        var writer = new BsonWriter();
        writer.Write("insert"u8, Collections.Claims);
        writer.Write("ordered"u8, false);
        writer.BeginArray("documents"u8);
        foreach (var id in ids)
        {
            writer.BeginDocument();
            writer.Write("_id"u8, id);
            writer.Write("token"u8, token);
            writer.Write("until"u8, until);
            writer.End();
        }

        writer.End();
        RelaxedConcern(writer);
        return new DocumentCommand(DocumentOperation.Insert, Collections.Claims, writer) { Relaxed = true };
    }

    /// <summary>Which of the claims somebody else has or is just giving back, by their place in the command.</summary>
    /// <exception cref="DocumentCommandException">The server refused one for another reason.</exception>
    public static List<int> TakenClaims(DocumentReply reply)
    {
        var taken = new List<int>();
        foreach (var (index, code, message) in reply.WriteErrors())
        {
            if (code is not (DocumentErrors.DuplicateKey or DocumentErrors.WriteConflict))
                throw new DocumentCommandException(code, message, isTransient: false);
            taken.Add(index);
        }

        return taken;
    }

    /// <summary>Deletes all that belongs to instances, but not them.</summary>
    public static IEnumerable<DocumentCommand> DeleteBelongings(IReadOnlyCollection<Guid> instances) =>
        new[] { Collections.Signals, Collections.DedupKeys, Collections.DeadLetters }
            .Select(collection => Delete(collection, filter => In(filter, "instance"u8, instances)));

    /// <summary>Gives claims back within the transaction that writes what they were taken for: the fence.</summary>
    public static DocumentCommand Fence(IReadOnlyCollection<Guid> ids, Guid token) =>
        Delete(Collections.Claims, filter => ClaimsOf(filter, ids, token), ids.Count);

    /// <summary>Gives claims back for which nothing was written.</summary>
    public static DocumentCommand Release(IReadOnlyCollection<Guid> ids, Guid token) =>
        Delete(Collections.Claims, filter => ClaimsOf(filter, ids, token), relaxed: true);

    /// <summary>Frees what was claimed by processes that did not come back.</summary>
    public static DocumentCommand SweepClaims(DateTimeOffset now) => Delete(
        Collections.Claims,
        filter =>
        {
            filter.BeginDocument("until"u8);
            filter.Write("$lt"u8, now);
            filter.End();
        },
        relaxed: true);

    public static void In(BsonWriter writer, ReadOnlySpan<byte> name, IEnumerable<Guid> values)
    {
        BeginIn(writer, name);
        foreach (var value in values)
            writer.Write(default, value);
        EndIn(writer);
    }

    public static void In(BsonWriter writer, ReadOnlySpan<byte> name, IEnumerable<DueKey> values)
    {
        BeginIn(writer, name);
        foreach (var value in values)
            writer.Write(default, value);
        EndIn(writer);
    }

    public static void In(BsonWriter writer, ReadOnlySpan<byte> name, IEnumerable<string> values)
    {
        BeginIn(writer, name);
        foreach (var value in values)
            writer.Write(default, value);
        EndIn(writer);
    }

    public static void In(BsonWriter writer, ReadOnlySpan<byte> name, IEnumerable<int> values)
    {
        BeginIn(writer, name);
        foreach (var value in values)
            writer.Write(default, value);
        EndIn(writer);
    }

    public static void Project(BsonWriter find, params ReadOnlySpan<string> fields)
    {
        find.BeginDocument("projection"u8);
        foreach (var field in fields)
            find.Write(System.Text.Encoding.UTF8.GetBytes(field), 1);
        find.End();
    }

    private static void ClaimsOf(BsonWriter filter, IReadOnlyCollection<Guid> ids, Guid token)
    {
        In(filter, "_id"u8, ids);
        filter.Write("token"u8, token);
    }

    /// <summary>Written by one server and not yet by the others, nor by the log.</summary>
    private static void RelaxedConcern(BsonWriter writer)
    {
        writer.BeginDocument("writeConcern"u8);
        writer.Write("w"u8, 1);
        writer.Write("j"u8, false);
        writer.End();
    }

    private static void BeginIn(BsonWriter writer, ReadOnlySpan<byte> name)
    {
        writer.BeginDocument(name);
        writer.BeginArray("$in"u8);
    }

    private static void EndIn(BsonWriter writer)
    {
        writer.End();
        writer.End();
    }
}
