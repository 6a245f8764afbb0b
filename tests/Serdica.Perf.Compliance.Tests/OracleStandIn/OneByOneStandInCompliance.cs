namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>A transaction for each signal and message, with the shipped package on IvorySQL.</summary>
public static class OneByOneStandInCompliance
{
    public sealed class Starting(IvorySqlFixture server) : StartingCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Signalling(IvorySqlFixture server) : SignallingCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Claiming(IvorySqlFixture server) : ClaimingCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Timers(IvorySqlFixture server) : TimerCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Activities(IvorySqlFixture server) : ActivityCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Leases(IvorySqlFixture server) : LeaseCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Children(IvorySqlFixture server) : ChildCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Continuations(IvorySqlFixture server) : ContinuationCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Cancelling(IvorySqlFixture server) : CancellingCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class DeadLetters(IvorySqlFixture server) : DeadLetterCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Isolation(IvorySqlFixture server) : IsolationCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Recovery(IvorySqlFixture server) : RecoveryCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Census(IvorySqlFixture server) : CensusCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Messages(IvorySqlFixture server) : MessageQueueCompliance(new StandInFixture(server, isOneByOne: true));

    public sealed class Schema(IvorySqlFixture server) : SchemaCompliance(new StandInFixture(server, isOneByOne: true));
}
