namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Counts everything, as of one moment.</summary>
internal sealed class MongoDbCensus(IDocumentDatabase database, ServerClock clock)
{
    public async Task<BackendCensus> TakeAsync(CancellationToken cancellationToken)
    {
        var now = await clock.ReadAsync(cancellationToken).ConfigureAwait(false);
        var pages = await database.ReadSnapshotAsync(
            [
                Commands.Aggregate(Collections.Instances, static stages => CountBy(stages, "$status")),
                Commands.Aggregate(Collections.Signals, stages => CountUntil(stages, now)),
                Commands.Aggregate(Collections.Signals, static stages => CountBy(stages, null)),
                Commands.Aggregate(Collections.DeadLetters, static stages => CountBy(stages, null)),
                Commands.Aggregate(Collections.Messages, static stages => CountBy(stages, null)),
                Commands.Aggregate(Collections.Instances, Unmoved),
                Commands.Aggregate(Collections.Instances, AwaitedParents),
                Commands.Aggregate(Collections.Instances, static stages => ByDefinition(stages, WaitKinds.None)),
                Commands.Aggregate(Collections.Instances, static stages => ByDefinition(stages, WaitKinds.Parked)),
            ],
            cancellationToken).ConfigureAwait(false);

        var statuses = ReadCounts(pages[0]);
        var due = ReadCounts(pages[1]).Values.Sum();
        var awaited = ReadIds(pages[6]).Select(static parent => parent.Id).ToHashSet();
        return new BackendCensus
        {
            Instances = Enum.GetValues<InstanceStatus>().ToDictionary(
                static status => status, status => statuses.GetValueOrDefault((long)status)),
            SignalsDue = due,
            SignalsLater = ReadCounts(pages[2]).Values.Sum() - due,
            DeadLetters = ReadCounts(pages[3]).Values.Sum(),
            Messages = ReadCounts(pages[4]).Values.Sum(),
            OpenByDefinition = ReadDefinitions(pages[7]).ToDictionary(static row => row.Definition, static row => row.Parked.Instances),
            ParkedByDefinition = ReadDefinitions(pages[8]).ToDictionary(static row => row.Definition, static row => row.Parked),
            Stuck = ReadIds(pages[5]).LongCount(waiting => (waiting.Waits & WaitKinds.Child) == 0 || !awaited.Contains(waiting.Id)),
        };
    }

    private static void CountBy(BsonWriter stages, string? field)
    {
        stages.BeginDocument();
        stages.BeginDocument("$group"u8);
        if (field is null)
            stages.WriteNull("_id"u8);
        else
            stages.Write("_id"u8, field);
        stages.BeginDocument("n"u8);
        stages.Write("$sum"u8, 1);
        stages.End();
        stages.End();
        stages.End();
    }

    private static void CountUntil(BsonWriter stages, DateTimeOffset now)
    {
        stages.BeginDocument();
        stages.BeginDocument("$match"u8);
        stages.BeginDocument("_id"u8);
        stages.Write("$lt"u8, DueKey.First(now.ToUnixTimeMilliseconds() + 1));
        stages.End();
        stages.End();
        stages.End();
        CountBy(stages, null);
    }

    /// <summary>Open instances that wait neither for the outside nor for a signal that exists.</summary>
    private static void Unmoved(BsonWriter stages)
    {
        stages.BeginDocument();
        stages.BeginDocument("$match"u8);
        Open(stages);
        stages.BeginDocument("waits"u8);
        stages.Write("$bitsAllClear"u8, (int)WaitKinds.External);
        stages.End();
        stages.End();
        stages.End();

        stages.BeginDocument();
        stages.BeginDocument("$project"u8);
        stages.Write("waits"u8, 1);
        stages.End();
        stages.End();

        stages.BeginDocument();
        stages.BeginDocument("$lookup"u8);
        stages.Write("from"u8, Collections.Signals);
        stages.Write("localField"u8, "_id"u8);
        stages.Write("foreignField"u8, "instance"u8);
        stages.Write("as"u8, "signals"u8);
        stages.End();
        stages.End();

        stages.BeginDocument();
        stages.BeginDocument("$match"u8);
        stages.BeginDocument("signals"u8);
        stages.Write("$size"u8, 0);
        stages.End();
        stages.End();
        stages.End();

        stages.BeginDocument();
        stages.BeginDocument("$project"u8);
        stages.Write("waits"u8, 1);
        stages.End();
        stages.End();
    }

    /// <summary>Whose children are open.</summary>
    private static void AwaitedParents(BsonWriter stages)
    {
        stages.BeginDocument();
        stages.BeginDocument("$match"u8);
        Open(stages);
        stages.BeginDocument("parent"u8);
        stages.Write("$exists"u8, true);
        stages.End();
        stages.End();
        stages.End();
        stages.BeginDocument();
        stages.BeginDocument("$group"u8);
        stages.Write("_id"u8, "$parent"u8);
        stages.End();
        stages.End();
    }

    /// <summary>Open instances that wait for all of this.</summary>
    private static void ByDefinition(BsonWriter stages, WaitKinds waits)
    {
        stages.BeginDocument();
        stages.BeginDocument("$match"u8);
        Open(stages);
        if (waits != WaitKinds.None)
        {
            stages.BeginDocument("waits"u8);
            stages.Write("$bitsAllSet"u8, (int)waits);
            stages.End();
        }

        stages.End();
        stages.End();
        stages.BeginDocument();
        stages.BeginDocument("$group"u8);
        stages.BeginDocument("_id"u8);
        stages.Write("name"u8, "$definition"u8);
        stages.Write("version"u8, "$definitionVersion"u8);
        stages.End();
        stages.BeginDocument("example"u8);
        stages.Write("$first"u8, "$_id"u8);
        stages.End();
        stages.BeginDocument("n"u8);
        stages.Write("$sum"u8, 1);
        stages.End();
        stages.End();
        stages.End();
    }

    private static void Open(BsonWriter filter)
    {
        filter.BeginDocument("status"u8);
        filter.Write("$lt"u8, (int)InstanceStatus.Completed);
        filter.End();
    }

    private static Dictionary<long, long> ReadCounts(IReadOnlyList<DocumentReply> pages)
    {
        var counts = new Dictionary<long, long>();
        foreach (var page in pages)
        {
            var documents = page.Documents();
            while (documents.Next())
            {
                var document = new BsonReader(documents.Document());
                document.Find("_id"u8);
                var key = document.Type == BsonType.Null ? 0 : document.Int64();
                document.Find("n"u8);
                counts[key] = document.Int64();
            }
        }

        return counts;
    }

    private static List<(Guid Id, WaitKinds Waits)> ReadIds(IReadOnlyList<DocumentReply> pages)
    {
        var ids = new List<(Guid, WaitKinds)>();
        foreach (var page in pages)
        {
            var documents = page.Documents();
            while (documents.Next())
            {
                var document = new BsonReader(documents.Document());
                document.Find("_id"u8);
                var id = document.Guid();
                ids.Add((id, document.Find("waits"u8) ? (WaitKinds)document.Int32() : WaitKinds.None));
            }
        }

        return ids;
    }

    private static List<(DefinitionVersion Definition, ParkedCount Parked)> ReadDefinitions(IReadOnlyList<DocumentReply> pages)
    {
        var open = new List<(DefinitionVersion, ParkedCount)>();
        foreach (var page in pages)
        {
            var documents = page.Documents();
            while (documents.Next())
            {
                var document = new BsonReader(documents.Document());
                document.Find("_id"u8);
                var id = new BsonReader(document.Document());
                id.Find("name"u8);
                var name = id.String();
                id.Find("version"u8);
                var version = id.Int32();
                document.Find("example"u8);
                var example = document.Guid();
                document.Find("n"u8);
                open.Add((new DefinitionVersion(name, version), new ParkedCount(document.Int64(), example)));
            }
        }

        return open;
    }
}
