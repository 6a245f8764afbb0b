namespace Serdica.Perf.Compliance;

/// <summary>A PostgreSQL server without autovacuum, which commits in every database now and then, among what a test counts.</summary>
public sealed class PostgreSqlCountedServer()
    : ServerFixture(
        DatabaseEnvironment.PostgreSql,
        (request, logger, cancellationToken) => PostgreSqlServers.ProvisionAsync(WithoutAutovacuum(request), logger, cancellationToken)
    )
{
    public async Task<string> ConnectionStringAsync(CancellationToken cancellationToken) =>
        (await ServerAsync(cancellationToken)).ConnectionString;

    /// <summary>A server of the user's own keeps its settings.</summary>
    private static DatabaseRequest WithoutAutovacuum(DatabaseRequest request) =>
        request.ConnectionString is not null
            ? request
            : request with { ServerSettings = new Dictionary<string, string>(request.ServerSettings) { ["autovacuum"] = "off" } };
}
