namespace Serdica.Perf.Compliance;

/// <summary>A PostgreSQL server without autovacuum, which commits in every database now and then, among what a test counts.</summary>
public sealed class PostgreSqlCountedServer() : ServerFixture(DatabaseEnvironment.PostgreSql)
{
    public async Task<string> ConnectionStringAsync(CancellationToken cancellationToken) =>
        (await ServerAsync(cancellationToken)).ConnectionString;

    /// <summary>A server of the user's own keeps its settings.</summary>
    private protected override Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        if (request.ConnectionString is null)
            request = request with { ServerSettings = new Dictionary<string, string>(request.ServerSettings) { ["autovacuum"] = "off" } };
        return base.ProvisionAsync(request, cancellationToken);
    }
}
