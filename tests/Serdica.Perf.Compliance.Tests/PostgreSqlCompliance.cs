[assembly: AssemblyFixture(typeof(PostgreSqlFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>PostgreSQL behaves as the model does.</summary>
public static class PostgreSqlCompliance
{
    public sealed class Starting(PostgreSqlFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(PostgreSqlFixture fixture) : SignallingCompliance(fixture);

    public sealed class Direct(PostgreSqlFixture fixture) : DirectLockingCompliance(fixture);

    public sealed class Parents(PostgreSqlFixture fixture) : ParentCompliance(fixture);

    public sealed class Claiming(PostgreSqlFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(PostgreSqlFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(PostgreSqlFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(PostgreSqlFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(PostgreSqlFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(PostgreSqlFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(PostgreSqlFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(PostgreSqlFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(PostgreSqlFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(PostgreSqlFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Watching(PostgreSqlFixture fixture) : WatchingCompliance(fixture);

    public sealed class Census(PostgreSqlFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(PostgreSqlFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(PostgreSqlFixture fixture) : SchemaCompliance(fixture);
}
