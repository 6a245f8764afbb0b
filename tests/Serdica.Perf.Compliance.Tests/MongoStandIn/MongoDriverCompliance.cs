[assembly: AssemblyFixture(typeof(MongoDriverFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>The adapter over <c>MongoDB.Driver</c> behaves as the model does, on the stand-in.</summary>
public static class MongoDriverCompliance
{
    public sealed class Starting(MongoDriverFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(MongoDriverFixture fixture) : SignallingCompliance(fixture);

    public sealed class Direct(MongoDriverFixture fixture) : DirectDocumentCompliance(fixture);

    public sealed class Claiming(MongoDriverFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(MongoDriverFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(MongoDriverFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(MongoDriverFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(MongoDriverFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(MongoDriverFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(MongoDriverFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(MongoDriverFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(MongoDriverFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(MongoDriverFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Census(MongoDriverFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(MongoDriverFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(MongoDriverFixture fixture) : SchemaCompliance(fixture);
}

/// <summary>The adapter with the commands of MongoDB 7.0: the topics that write.</summary>
public static class MongoDriver70Compliance
{
    public sealed class Starting(MongoDriverFixture server) : StartingCompliance(new MongoDriver70Fixture(server));

    public sealed class Signalling(MongoDriverFixture server) : SignallingCompliance(new MongoDriver70Fixture(server));

    public sealed class Direct(MongoDriverFixture server) : DirectDocumentCompliance(new MongoDriver70Fixture(server));

    public sealed class Claiming(MongoDriverFixture server) : ClaimingCompliance(new MongoDriver70Fixture(server));
}
