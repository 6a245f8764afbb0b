namespace Serdica.Perf.Compliance;

/// <summary>PostgreSQL behaves as the model does when Citus distributes its tables.</summary>
public static class CitusCompliance
{
    public sealed class Starting(CitusFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(CitusFixture fixture) : SignallingCompliance(fixture);

    public sealed class Direct(CitusFixture fixture) : DirectLockingCompliance(fixture);

    public sealed class Parents(CitusFixture fixture) : ParentCompliance(fixture);

    public sealed class Claiming(CitusFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(CitusFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(CitusFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(CitusFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(CitusFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(CitusFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(CitusFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(CitusFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(CitusFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(CitusFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Watching(CitusFixture fixture) : WatchingCompliance(fixture);

    public sealed class Census(CitusFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(CitusFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(CitusFixture fixture) : SchemaCompliance(fixture);
}
