namespace Serdica.Perf.Compliance;

/// <summary>What an operation of $currentOp waits for.</summary>
public sealed class MongoDbOperationTests
{
    private const string Quiet = "\"waitingForLock\": false, \"locks\": {}, \"waitingForFlowControl\": false";

    [Theory]
    [InlineData(
        """
            { "type": "op", "verb": "update", "waitingForLock": true,
              "locks": { "FeatureCompatibilityVersion": "w", "Global": "w", "Database": "w", "Collection": "W" },
              "waitingForFlowControl": false }
            """,
        "Lock",
        "Collection W"
    )]
    [InlineData(
        """{ "type": "op", "verb": "insert", "waitingForLock": false, "locks": {}, "waitingForFlowControl": true }""",
        "Flow control",
        "flow control"
    )]
    [InlineData(
        $$"""{ "type": "op", "verb": "find", {{Quiet}}, "waitingForLatch": { "captureName": "Journaler" } }""",
        "Latch",
        "latch Journaler"
    )]
    [InlineData($$"""{ "type": "op", "verb": "find", {{Quiet}}, "currentQueue": { "name": "execution" } }""", "Queue", "execution ticket")]
    [InlineData($$"""{ "type": "op", "verb": "find", {{Quiet}}, "currentQueue": null }""", "CPU", "find")]
    [InlineData(
        $$"""{ "type": "idleSession", "verb": null, {{Quiet}}, "transaction": { "timePreparedMicros": { "$numberLong": "5" } } }""",
        "Commit",
        "prepared transaction"
    )]
    [InlineData(
        $$"""{ "type": "op", "verb": "find", {{Quiet}}, "prepareReadConflicts": { "$numberLong": "1" } }""",
        "Commit",
        "conflict with a prepared transaction"
    )]
    [InlineData($$"""{ "type": "idleSession", "verb": null, {{Quiet}}, "transaction": {} }""", "Client", "open transaction")]
    [InlineData($$"""{ "type": "op", "verb": "commitTransaction", {{Quiet}} }""", "Commit", "commitTransaction")]
    [InlineData($$"""{ "type": "op", "verb": "delete", {{Quiet}}, "transaction": {} }""", "CPU", "delete")]
    [InlineData("""{ "type": "op" }""", "CPU", "running")]
    public void Is_told_by_class_and_name(string operation, string kind, string name) =>
        Assert.Equal((kind, name), MongoDbOperation.Read(BsonDocument.Parse(operation)));
}
