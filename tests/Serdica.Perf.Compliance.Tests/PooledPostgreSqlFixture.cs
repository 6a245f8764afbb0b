namespace Serdica.Perf.Compliance;

/// <summary>The same server, used as it must be behind a pooler in transaction mode.</summary>
internal sealed class PooledPostgreSqlFixture(PostgreSqlFixture server) : IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        new PostgreSqlTestSchema(await server.NewOptionsAsync(cancellationToken) with { TransactionPooling = true });
}
