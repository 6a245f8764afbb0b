namespace Serdica.Perf.Compliance;

/// <summary>PostgreSQL on Citus behaves the same when no signal is decided directly.</summary>
public static class QueueCitusCompliance
{
    public sealed class Signalling(CitusFixture fixture) : SignallingCompliance(new QueueFixture(fixture));

    public sealed class Timers(CitusFixture fixture) : TimerCompliance(new QueueFixture(fixture));

    public sealed class Activities(CitusFixture fixture) : ActivityCompliance(new QueueFixture(fixture));

    public sealed class Children(CitusFixture fixture) : ChildCompliance(new QueueFixture(fixture));

    public sealed class Continuations(CitusFixture fixture) : ContinuationCompliance(new QueueFixture(fixture));

    public sealed class Cancelling(CitusFixture fixture) : CancellingCompliance(new QueueFixture(fixture));

    public sealed class DeadLetters(CitusFixture fixture) : DeadLetterCompliance(new QueueFixture(fixture));

    public sealed class Isolation(CitusFixture fixture) : IsolationCompliance(new QueueFixture(fixture));

    public sealed class Recovery(CitusFixture fixture) : RecoveryCompliance(new QueueFixture(fixture));

    public sealed class Watching(CitusFixture fixture) : WatchingCompliance(new QueueFixture(fixture));
}
