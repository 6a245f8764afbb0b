[assembly: AssemblyFixture(typeof(InMemoryFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>The model passes the suite that it is the model of.</summary>
public static class InMemoryCompliance
{
    public sealed class Starting(InMemoryFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(InMemoryFixture fixture) : SignallingCompliance(fixture);

    public sealed class Direct(InMemoryFixture fixture) : DirectLockingCompliance(fixture);

    public sealed class Parents(InMemoryFixture fixture) : ParentCompliance(fixture);

    public sealed class Claiming(InMemoryFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(InMemoryFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(InMemoryFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(InMemoryFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(InMemoryFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(InMemoryFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(InMemoryFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(InMemoryFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(InMemoryFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(InMemoryFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Watching(InMemoryFixture fixture) : WatchingCompliance(fixture);

    public sealed class Census(InMemoryFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(InMemoryFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(InMemoryFixture fixture) : SchemaCompliance(fixture);
}
