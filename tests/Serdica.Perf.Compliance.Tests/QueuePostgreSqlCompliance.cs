namespace Serdica.Perf.Compliance;

/// <summary>PostgreSQL behaves the same when no signal is decided directly.</summary>
public static class QueuePostgreSqlCompliance
{
    public sealed class Signalling(PostgreSqlFixture fixture) : SignallingCompliance(new QueueFixture(fixture));

    public sealed class Timers(PostgreSqlFixture fixture) : TimerCompliance(new QueueFixture(fixture));

    public sealed class Activities(PostgreSqlFixture fixture) : ActivityCompliance(new QueueFixture(fixture));

    public sealed class Children(PostgreSqlFixture fixture) : ChildCompliance(new QueueFixture(fixture));

    public sealed class Continuations(PostgreSqlFixture fixture) : ContinuationCompliance(new QueueFixture(fixture));

    public sealed class Cancelling(PostgreSqlFixture fixture) : CancellingCompliance(new QueueFixture(fixture));

    public sealed class DeadLetters(PostgreSqlFixture fixture) : DeadLetterCompliance(new QueueFixture(fixture));

    public sealed class Isolation(PostgreSqlFixture fixture) : IsolationCompliance(new QueueFixture(fixture));

    public sealed class Recovery(PostgreSqlFixture fixture) : RecoveryCompliance(new QueueFixture(fixture));

    public sealed class Watching(PostgreSqlFixture fixture) : WatchingCompliance(new QueueFixture(fixture));
}
