namespace Serdica.Perf.Compliance;

/// <summary>The PostgreSQL server, used in the way that a pooler in transaction mode requires.</summary>
internal sealed class PooledPostgreSqlFixture(PostgreSqlFixture server) : IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        server.SchemaOf(await server.NewOptionsAsync(cancellationToken) with { TransactionPooling = true });

    public Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) =>
        server.BorrowAsync(cancellationToken, isPooled: true);
}
