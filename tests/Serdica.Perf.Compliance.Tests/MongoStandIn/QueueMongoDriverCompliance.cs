namespace Serdica.Perf.Compliance;

/// <summary>The adapter over <c>MongoDB.Driver</c> behaves the same when no signal is decided directly.</summary>
public static class QueueMongoDriverCompliance
{
    public sealed class Signalling(MongoDriverFixture fixture) : SignallingCompliance(new QueueFixture(fixture));

    public sealed class Timers(MongoDriverFixture fixture) : TimerCompliance(new QueueFixture(fixture));

    public sealed class Activities(MongoDriverFixture fixture) : ActivityCompliance(new QueueFixture(fixture));

    public sealed class Children(MongoDriverFixture fixture) : ChildCompliance(new QueueFixture(fixture));

    public sealed class Continuations(MongoDriverFixture fixture) : ContinuationCompliance(new QueueFixture(fixture));

    public sealed class Cancelling(MongoDriverFixture fixture) : CancellingCompliance(new QueueFixture(fixture));

    public sealed class DeadLetters(MongoDriverFixture fixture) : DeadLetterCompliance(new QueueFixture(fixture));

    public sealed class Isolation(MongoDriverFixture fixture) : IsolationCompliance(new QueueFixture(fixture));

    public sealed class Recovery(MongoDriverFixture fixture) : RecoveryCompliance(new QueueFixture(fixture));
}
