namespace Serdica.Perf.Compliance;

public static partial class OracleCompliance
{
    /// <summary>A transaction for each signal and message.</summary>
    public static class OneByOne
    {
        public sealed class Starting(OracleFixture fixture) : StartingCompliance(fixture.OneByOne);

        public sealed class Signalling(OracleFixture fixture) : SignallingCompliance(fixture.OneByOne);

        public sealed class Claiming(OracleFixture fixture) : ClaimingCompliance(fixture.OneByOne);

        public sealed class Timers(OracleFixture fixture) : TimerCompliance(fixture.OneByOne);

        public sealed class Activities(OracleFixture fixture) : ActivityCompliance(fixture.OneByOne);

        public sealed class Leases(OracleFixture fixture) : LeaseCompliance(fixture.OneByOne);

        public sealed class Children(OracleFixture fixture) : ChildCompliance(fixture.OneByOne);

        public sealed class Continuations(OracleFixture fixture) : ContinuationCompliance(fixture.OneByOne);

        public sealed class Cancelling(OracleFixture fixture) : CancellingCompliance(fixture.OneByOne);

        public sealed class DeadLetters(OracleFixture fixture) : DeadLetterCompliance(fixture.OneByOne);

        public sealed class Isolation(OracleFixture fixture) : IsolationCompliance(fixture.OneByOne);

        public sealed class Recovery(OracleFixture fixture) : RecoveryCompliance(fixture.OneByOne);

        public sealed class Watching(OracleFixture fixture) : WatchingCompliance(fixture.OneByOne);

        public sealed class Census(OracleFixture fixture) : CensusCompliance(fixture.OneByOne);

        public sealed class Messages(OracleFixture fixture) : MessageQueueCompliance(fixture.OneByOne);

        public sealed class Schema(OracleFixture fixture) : SchemaCompliance(fixture.OneByOne);
    }
}
