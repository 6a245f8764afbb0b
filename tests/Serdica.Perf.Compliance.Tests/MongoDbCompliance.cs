namespace Serdica.Perf.Compliance;

/// <summary>MongoDB behaves as the model does, wherever a server is named or containers run.</summary>
public static class MongoDbCompliance
{
    public sealed class Starting(MongoDbFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(MongoDbFixture fixture) : SignallingCompliance(fixture);

    public sealed class Direct(MongoDbFixture fixture) : DirectDocumentCompliance(fixture);

    public sealed class Claiming(MongoDbFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(MongoDbFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(MongoDbFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(MongoDbFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(MongoDbFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(MongoDbFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(MongoDbFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(MongoDbFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(MongoDbFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(MongoDbFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Census(MongoDbFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(MongoDbFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(MongoDbFixture fixture) : SchemaCompliance(fixture);

    public sealed class Documents(MongoDbFixture fixture) : DocumentCompliance(fixture);
}
