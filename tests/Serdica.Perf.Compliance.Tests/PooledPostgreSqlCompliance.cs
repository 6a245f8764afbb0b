namespace Serdica.Perf.Compliance;

/// <summary>
/// PostgreSQL behaves as the model does when nothing may rely on a session: the topics that go through the hot
/// statements, whose plans are then pinned in each transaction.
/// </summary>
public static class PooledPostgreSqlCompliance
{
    public sealed class Starting(PostgreSqlFixture server) : StartingCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Signalling(PostgreSqlFixture server) : SignallingCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Direct(PostgreSqlFixture server) : DirectLockingCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Parents(PostgreSqlFixture server) : ParentCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Claiming(PostgreSqlFixture server) : ClaimingCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Timers(PostgreSqlFixture server) : TimerCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Leases(PostgreSqlFixture server) : LeaseCompliance(new PooledPostgreSqlFixture(server));

    public sealed class Messages(PostgreSqlFixture server) : MessageQueueCompliance(new PooledPostgreSqlFixture(server));
}
