[assembly: AssemblyFixture(typeof(DocumentDbFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>DocumentDB behaves as the model does.</summary>
public static class DocumentDbCompliance
{
    public sealed class Starting(DocumentDbFixture fixture) : StartingCompliance(fixture);

    public sealed class Signalling(DocumentDbFixture fixture) : SignallingCompliance(fixture);

    public sealed class Direct(DocumentDbFixture fixture) : DirectDocumentCompliance(fixture);

    public sealed class Claiming(DocumentDbFixture fixture) : ClaimingCompliance(fixture);

    public sealed class Timers(DocumentDbFixture fixture) : TimerCompliance(fixture);

    public sealed class Activities(DocumentDbFixture fixture) : ActivityCompliance(fixture);

    public sealed class Leases(DocumentDbFixture fixture) : LeaseCompliance(fixture);

    public sealed class Children(DocumentDbFixture fixture) : ChildCompliance(fixture);

    public sealed class Continuations(DocumentDbFixture fixture) : ContinuationCompliance(fixture);

    public sealed class Cancelling(DocumentDbFixture fixture) : CancellingCompliance(fixture);

    public sealed class DeadLetters(DocumentDbFixture fixture) : DeadLetterCompliance(fixture);

    public sealed class Isolation(DocumentDbFixture fixture) : IsolationCompliance(fixture);

    public sealed class Recovery(DocumentDbFixture fixture) : RecoveryCompliance(fixture);

    public sealed class Watching(DocumentDbFixture fixture) : WatchingCompliance(fixture);

    public sealed class Census(DocumentDbFixture fixture) : CensusCompliance(fixture);

    public sealed class Messages(DocumentDbFixture fixture) : MessageQueueCompliance(fixture);

    public sealed class Schema(DocumentDbFixture fixture) : SchemaCompliance(fixture);
}
