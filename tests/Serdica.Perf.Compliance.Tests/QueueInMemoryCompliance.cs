namespace Serdica.Perf.Compliance;

/// <summary>The model behaves the same when no signal is decided directly.</summary>
public static class QueueInMemoryCompliance
{
    public sealed class Signalling(InMemoryFixture fixture) : SignallingCompliance(new QueueFixture(fixture));

    public sealed class Timers(InMemoryFixture fixture) : TimerCompliance(new QueueFixture(fixture));

    public sealed class Activities(InMemoryFixture fixture) : ActivityCompliance(new QueueFixture(fixture));

    public sealed class Children(InMemoryFixture fixture) : ChildCompliance(new QueueFixture(fixture));

    public sealed class Continuations(InMemoryFixture fixture) : ContinuationCompliance(new QueueFixture(fixture));

    public sealed class Cancelling(InMemoryFixture fixture) : CancellingCompliance(new QueueFixture(fixture));

    public sealed class DeadLetters(InMemoryFixture fixture) : DeadLetterCompliance(new QueueFixture(fixture));

    public sealed class Isolation(InMemoryFixture fixture) : IsolationCompliance(new QueueFixture(fixture));

    public sealed class Recovery(InMemoryFixture fixture) : RecoveryCompliance(new QueueFixture(fixture));

    public sealed class Watching(InMemoryFixture fixture) : WatchingCompliance(new QueueFixture(fixture));
}
