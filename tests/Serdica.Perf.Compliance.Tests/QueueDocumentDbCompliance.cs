namespace Serdica.Perf.Compliance;

/// <summary>DocumentDB behaves the same when no signal is decided directly.</summary>
public static class QueueDocumentDbCompliance
{
    public sealed class Signalling(DocumentDbFixture fixture) : SignallingCompliance(new QueueFixture(fixture));

    public sealed class Timers(DocumentDbFixture fixture) : TimerCompliance(new QueueFixture(fixture));

    public sealed class Activities(DocumentDbFixture fixture) : ActivityCompliance(new QueueFixture(fixture));

    public sealed class Children(DocumentDbFixture fixture) : ChildCompliance(new QueueFixture(fixture));

    public sealed class Continuations(DocumentDbFixture fixture) : ContinuationCompliance(new QueueFixture(fixture));

    public sealed class Cancelling(DocumentDbFixture fixture) : CancellingCompliance(new QueueFixture(fixture));

    public sealed class DeadLetters(DocumentDbFixture fixture) : DeadLetterCompliance(new QueueFixture(fixture));

    public sealed class Isolation(DocumentDbFixture fixture) : IsolationCompliance(new QueueFixture(fixture));

    public sealed class Recovery(DocumentDbFixture fixture) : RecoveryCompliance(new QueueFixture(fixture));

    public sealed class Watching(DocumentDbFixture fixture) : WatchingCompliance(new QueueFixture(fixture));
}
