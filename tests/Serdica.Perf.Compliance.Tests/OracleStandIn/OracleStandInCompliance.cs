namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// The Oracle backend with its shipped package behaves as the model does, on IvorySQL. What Oracle itself does is shown by
/// <see cref="OracleCompliance"/> alone.
/// </summary>
public static class OracleStandInCompliance
{
    public sealed class Starting(IvorySqlFixture server) : StartingCompliance(new StandInFixture(server));

    public sealed class Signalling(IvorySqlFixture server) : SignallingCompliance(new StandInFixture(server));

    public sealed class Claiming(IvorySqlFixture server) : ClaimingCompliance(new StandInFixture(server));

    public sealed class Timers(IvorySqlFixture server) : TimerCompliance(new StandInFixture(server));

    public sealed class Activities(IvorySqlFixture server) : ActivityCompliance(new StandInFixture(server));

    public sealed class Leases(IvorySqlFixture server) : LeaseCompliance(new StandInFixture(server));

    public sealed class Children(IvorySqlFixture server) : ChildCompliance(new StandInFixture(server));

    public sealed class Continuations(IvorySqlFixture server) : ContinuationCompliance(new StandInFixture(server));

    public sealed class Cancelling(IvorySqlFixture server) : CancellingCompliance(new StandInFixture(server));

    public sealed class DeadLetters(IvorySqlFixture server) : DeadLetterCompliance(new StandInFixture(server));

    public sealed class Isolation(IvorySqlFixture server) : IsolationCompliance(new StandInFixture(server));

    public sealed class Recovery(IvorySqlFixture server) : RecoveryCompliance(new StandInFixture(server));

    public sealed class Census(IvorySqlFixture server) : CensusCompliance(new StandInFixture(server));

    public sealed class Messages(IvorySqlFixture server) : MessageQueueCompliance(new StandInFixture(server));

    public sealed class Schema(IvorySqlFixture server) : SchemaCompliance(new StandInFixture(server));
}
