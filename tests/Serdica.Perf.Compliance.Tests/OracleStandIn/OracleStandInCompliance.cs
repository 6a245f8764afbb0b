namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// The C# side of the Oracle backend behaves as the model does, over a stand-in for the package. What Oracle itself does
/// is shown by <see cref="OracleCompliance"/> alone.
/// </summary>
public static class OracleStandInCompliance
{
    public sealed class Starting(PostgreSqlFixture server) : StartingCompliance(new StandInFixture(server));

    public sealed class Signalling(PostgreSqlFixture server) : SignallingCompliance(new StandInFixture(server));

    public sealed class Claiming(PostgreSqlFixture server) : ClaimingCompliance(new StandInFixture(server));

    public sealed class Timers(PostgreSqlFixture server) : TimerCompliance(new StandInFixture(server));

    public sealed class Activities(PostgreSqlFixture server) : ActivityCompliance(new StandInFixture(server));

    public sealed class Leases(PostgreSqlFixture server) : LeaseCompliance(new StandInFixture(server));

    public sealed class Children(PostgreSqlFixture server) : ChildCompliance(new StandInFixture(server));

    public sealed class Continuations(PostgreSqlFixture server) : ContinuationCompliance(new StandInFixture(server));

    public sealed class Cancelling(PostgreSqlFixture server) : CancellingCompliance(new StandInFixture(server));

    public sealed class DeadLetters(PostgreSqlFixture server) : DeadLetterCompliance(new StandInFixture(server));

    public sealed class Isolation(PostgreSqlFixture server) : IsolationCompliance(new StandInFixture(server));

    public sealed class Recovery(PostgreSqlFixture server) : RecoveryCompliance(new StandInFixture(server));

    public sealed class Census(PostgreSqlFixture server) : CensusCompliance(new StandInFixture(server));

    public sealed class Messages(PostgreSqlFixture server) : MessageQueueCompliance(new StandInFixture(server));

    public sealed class Schema(PostgreSqlFixture server) : SchemaCompliance(new StandInFixture(server));
}
