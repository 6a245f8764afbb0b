namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Counts everything, as of one moment.</summary>
internal sealed class MongoDbCensus(IDocumentDatabase database, ServerClock clock)
{
    /// <summary>Not closed.</summary>
    private static readonly BsonDocument Open = new("status", new BsonDocument("$lt", (int)InstanceStatus.Completed));

    public async Task<BackendCensus> TakeAsync(CancellationToken cancellationToken)
    {
        var now = await clock.ReadAsync(cancellationToken).ConfigureAwait(false);
        var statuses = Counts(Collections.Instances, "$status");
        var due = Counts(
            Collections.Signals,
            filter: new("_id", new BsonDocument("$lt", DueKey.First(now.ToUnixTimeMilliseconds() + 1).ToBson()))
        );
        var signals = Counts(Collections.Signals);
        var letters = Counts(Collections.DeadLetters);
        var messages = Counts(Collections.Messages);
        var unmoved = Unmoved();
        var awaited = AwaitedParents();
        var open = ByDefinition(WaitKinds.None);
        var parked = ByDefinition(WaitKinds.Parked);
        await database
            .ReadSnapshotAsync([statuses, due, signals, letters, messages, unmoved, awaited, open, parked], cancellationToken)
            .ConfigureAwait(false);

        var byStatus = statuses.Found.ToDictionary(static row => (InstanceStatus)row["_id"].ToInt32(), static row => row["n"].ToInt64());
        var parents = awaited.Found.Select(static row => row["_id"].ToGuid()).ToHashSet();
        return new BackendCensus
        {
            Instances = Enum.GetValues<InstanceStatus>().ToDictionary(static status => status, byStatus.GetValueOrDefault),
            SignalsDue = Total(due),
            SignalsLater = Total(signals) - Total(due),
            DeadLetters = Total(letters),
            Messages = Total(messages),
            OpenByDefinition = open.Found.ToDictionary(DefinitionOf, static row => row["n"].ToInt64()),
            ParkedByDefinition = parked.Found.ToDictionary(
                DefinitionOf,
                static row => new ParkedCount(row["n"].ToInt64(), row["example"].ToGuid())
            ),
            Stuck = unmoved.Found.LongCount(row =>
                ((WaitKinds)row["waits"].ToInt32() & WaitKinds.Child) == 0 || !parents.Contains(row["_id"].ToGuid())
            ),
        };
    }

    private static DocumentQuery<BsonDocument> Counts(string collection, string? field = null, BsonDocument? filter = null) =>
        new(collection, Queries.Plain) { Filter = filter ?? [], FurtherStages = [Group((BsonValue?)field ?? BsonNull.Value, [])] };

    /// <summary>Open instances that wait neither for the outside nor for a signal that exists.</summary>
    private static DocumentQuery<BsonDocument> Unmoved() =>
        new(Collections.Instances, Queries.Plain)
        {
            Filter = new BsonDocument(Open).Add("waits", new BsonDocument("$bitsAllClear", (int)WaitKinds.External)),
            Projection = new("waits", 1),
            FurtherStages =
            [
                new(
                    "$lookup",
                    new BsonDocument
                    {
                        { "from", Collections.Signals },
                        { "localField", "_id" },
                        { "foreignField", "instance" },
                        { "as", "signals" },
                    }
                ),
                new("$match", new BsonDocument("signals", new BsonDocument("$size", 0))),
                new("$project", new BsonDocument("waits", 1)),
            ],
        };

    /// <summary>Whose children are open.</summary>
    private static DocumentQuery<BsonDocument> AwaitedParents() =>
        new(Collections.Instances, Queries.Plain)
        {
            Filter = new BsonDocument(Open).Add("parent", new BsonDocument("$exists", true)),
            FurtherStages = [new("$group", new BsonDocument("_id", "$parent"))],
        };

    /// <summary>Open instances that wait for all of this.</summary>
    private static DocumentQuery<BsonDocument> ByDefinition(WaitKinds waits) =>
        new(Collections.Instances, Queries.Plain)
        {
            Filter = waits == WaitKinds.None ? Open : new BsonDocument(Open).Add("waits", new BsonDocument("$bitsAllSet", (int)waits)),
            FurtherStages =
            [
                Group(
                    new BsonDocument { { "name", "$definition" }, { "version", "$definitionVersion" } },
                    new("example", new BsonDocument("$first", "$_id"))
                ),
            ],
        };

    private static BsonDocument Group(BsonValue key, BsonDocument further) =>
        new("$group", new BsonDocument("_id", key).AddRange(further).Add("n", new BsonDocument("$sum", 1)));

    private static long Total(DocumentQuery<BsonDocument> counts) => counts.Found.Sum(static row => row["n"].ToInt64());

    private static DefinitionVersion DefinitionOf(BsonDocument row) => new(row["_id"]["name"].AsString, row["_id"]["version"].ToInt32());
}
