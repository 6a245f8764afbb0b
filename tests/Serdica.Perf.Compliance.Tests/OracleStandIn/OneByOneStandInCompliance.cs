namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>A transaction for each signal and message, with the shipped package on IvorySQL.</summary>
public static class OneByOneStandInCompliance
{
    public sealed class Starting(IvorySqlFixture server) : StartingCompliance(new OneByOneFixture(server));

    public sealed class Signalling(IvorySqlFixture server) : SignallingCompliance(new OneByOneFixture(server));

    public sealed class Claiming(IvorySqlFixture server) : ClaimingCompliance(new OneByOneFixture(server));

    public sealed class Timers(IvorySqlFixture server) : TimerCompliance(new OneByOneFixture(server));

    public sealed class Activities(IvorySqlFixture server) : ActivityCompliance(new OneByOneFixture(server));

    public sealed class Leases(IvorySqlFixture server) : LeaseCompliance(new OneByOneFixture(server));

    public sealed class Children(IvorySqlFixture server) : ChildCompliance(new OneByOneFixture(server));

    public sealed class Continuations(IvorySqlFixture server) : ContinuationCompliance(new OneByOneFixture(server));

    public sealed class Cancelling(IvorySqlFixture server) : CancellingCompliance(new OneByOneFixture(server));

    public sealed class DeadLetters(IvorySqlFixture server) : DeadLetterCompliance(new OneByOneFixture(server));

    public sealed class Isolation(IvorySqlFixture server) : IsolationCompliance(new OneByOneFixture(server));

    public sealed class Recovery(IvorySqlFixture server) : RecoveryCompliance(new OneByOneFixture(server));

    public sealed class Census(IvorySqlFixture server) : CensusCompliance(new OneByOneFixture(server));

    public sealed class Messages(IvorySqlFixture server) : MessageQueueCompliance(new OneByOneFixture(server));

    public sealed class Schema(IvorySqlFixture server) : SchemaCompliance(new OneByOneFixture(server));
}
