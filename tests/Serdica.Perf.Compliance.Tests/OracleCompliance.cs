namespace Serdica.Perf.Compliance;

/// <summary>Oracle behaves as the model does, wherever a server is named.</summary>
public static partial class OracleCompliance
{
    public sealed class Starting(OracleFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(OracleFixture fixture) : SignallingCompliance(fixture);

    public sealed class Claiming(OracleFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(OracleFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(OracleFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(OracleFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(OracleFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(OracleFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(OracleFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(OracleFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(OracleFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(OracleFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Watching(OracleFixture fixture) : WatchingCompliance(fixture);

    public sealed class Census(OracleFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(OracleFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(OracleFixture fixture) : SchemaCompliance(fixture);
}
