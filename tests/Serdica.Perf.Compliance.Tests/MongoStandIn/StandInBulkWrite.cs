namespace Serdica.Perf.Compliance;

/// <summary>
/// The command <c>bulkWrite</c> of MongoDB 8.0, which the extension does not have, as its other commands: operations of one kind
/// on one collection that follow each other become one.
/// </summary>
internal static class StandInBulkWrite
{
    private static readonly Dictionary<string, (string Array, string Count)> Kinds = new(StringComparer.Ordinal)
    {
        ["insert"] = ("documents", "nInserted"),
        ["update"] = ("updates", "nMatched"),
        ["delete"] = ("deletes", "nDeleted"),
    };

    public static async Task<BsonDocument> RunAsync(BsonDocument command, Func<string, BsonDocument, Task<BsonDocument>> run)
    {
        var counts = Kinds.Values.ToDictionary(static kind => kind.Count, static _ => 0);
        var modified = 0;
        var errors = new BsonArray();
        var operations = command["ops"].AsBsonArray.Cast<BsonDocument>().ToList();
        for (var first = 0; first < operations.Count && errors.Count == 0;)
        {
            var (verb, target) = (operations[first].GetElement(0).Name, operations[first][0]);
            var group = operations.Skip(first).TakeWhile(next => next.GetElement(0).Name == verb && next[0] == target).ToList();
            var (array, count) = Kinds[verb];
            var names = command["nsInfo"][target.ToInt32()]["ns"].AsString.Split('.', 2);
            var reply = await run(names[0], new() { { verb, names[1] }, { array, new BsonArray(group.Select(Statement)) } });
            counts[count] += reply["n"].ToInt32();
            modified += reply.GetValue("nModified", 0).ToInt32();
            if (reply.TryGetValue("writeErrors", out var refused))
                errors.AddRange(refused.AsBsonArray.Select(error => ErrorOf(error, first)));
            first += group.Count;
        }

        var cursor = BsonDocument.Parse("{ id: NumberLong(0), ns: 'admin.$cmd.bulkWrite' }").Add("firstBatch", errors);
        return new BsonDocument
        {
            { "cursor", cursor },
            { "nErrors", errors.Count },
            { "nModified", modified },
            { "nUpserted", 0 },
            { "ok", 1.0 },
        }.AddRange(counts);
    }

    private static BsonValue Statement(BsonDocument operation) =>
        operation.GetElement(0).Name switch
        {
            "insert" => operation["document"],
            "update" => new BsonDocument
            {
                { "q", operation["filter"] },
                { "u", operation["updateMods"] },
                { "multi", operation["multi"] },
            },
            _ => new BsonDocument { { "q", operation["filter"] }, { "limit", operation["multi"].AsBoolean ? 0 : 1 } },
        };

    private static BsonDocument ErrorOf(BsonValue error, int first) =>
        new()
        {
            { "ok", 0.0 },
            { "idx", first + error["index"].ToInt32() },
            { "code", error["code"] },
            { "errmsg", error["errmsg"] },
            { "n", 0 },
        };
}
