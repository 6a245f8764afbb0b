namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Counts everything, as of one moment.</summary>
internal sealed class MongoDbCensus(IDocumentDatabase database, ServerClock clock)
{
    public async Task<BackendCensus> TakeAsync(CancellationToken cancellationToken)
    {
        var now = await clock.ReadAsync(cancellationToken).ConfigureAwait(false);
        var statuses = Counts(Collections.Instances, "'$status'");
        var due = Counts(Collections.Signals);
        due.Filter.Add("_id", new BsonDocument("$lt", DueKey.After(now).ToBson()));
        var signals = Counts(Collections.Signals);
        var letters = Counts(Collections.DeadLetters);
        var messages = Counts(Collections.Messages);
        var unmoved = Unmoved();
        var awaited = OpenInstances("parent: { $exists: true },", "{ $group: { _id: '$parent' } }");
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

    /// <summary>Open instances that wait neither for the outside nor for a signal that exists.</summary>
    private static DocumentQuery<BsonDocument> Unmoved() =>
        OpenInstances(
            $"waits: {{ $bitsAllClear: {(int)WaitKinds.External} }},",
            "{ $project: { waits: 1 } }",
            $"{{ $lookup: {{ from: '{Collections.Signals}', localField: '_id', foreignField: 'instance', as: 'signals' }} }}",
            "{ $match: { signals: { $size: 0 } } }",
            "{ $project: { waits: 1 } }"
        );

    private static DocumentQuery<BsonDocument> ByDefinition(WaitKinds waits) =>
        OpenInstances(
            waits == WaitKinds.None ? "" : $"waits: {{ $bitsAllSet: {(int)waits} }},",
            "{ $group: { _id: { name: '$definition', version: '$definitionVersion' }, example: { $first: '$_id' }, n: { $sum: 1 } } }"
        );

    /// <param name="condition">With a comma at its end, or empty.</param>
    private static DocumentQuery<BsonDocument> OpenInstances(string condition, params IEnumerable<string> stages) =>
        Asked(Collections.Instances, $"{{ {condition} status: {{ $lt: {(int)InstanceStatus.Completed} }} }}", stages);

    private static DocumentQuery<BsonDocument> Counts(string collection, string key = "null") =>
        Asked(collection, "{}", $"{{ $group: {{ _id: {key}, n: {{ $sum: 1 }} }} }}");

    private static DocumentQuery<BsonDocument> Asked(string collection, string filter, params IEnumerable<string> stages) =>
        new(collection, Queries.Plain)
        {
            Filter = BsonDocument.Parse(filter),
            FurtherStages = [.. stages.Select(BsonDocument.Parse)],
        };

    private static long Total(DocumentQuery<BsonDocument> counts) => counts.Found.Sum(static row => row["n"].ToInt64());

    private static DefinitionVersion DefinitionOf(BsonDocument row) => new(row["_id"]["name"].AsString, row["_id"]["version"].ToInt32());
}
