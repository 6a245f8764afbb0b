using Serdica.Perf.Databases.PostgreSql;

[assembly: AssemblyFixture(typeof(CitusFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>
/// A Citus cluster; one distributed schema for each test. It is the one whose coordinator SERDICA_PERF_CITUS names, or a throw-away one
/// of a coordinator and two workers.
/// </summary>
public sealed class CitusFixture() : ServerFixture(DatabaseEnvironment.Citus), IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaOf(await NewOptionsAsync(cancellationToken));

    /// <summary>Options of a schema that nobody else uses; skips the test when this machine has no cluster.</summary>
    public async Task<PostgreSqlBackendOptions> NewOptionsAsync(CancellationToken cancellationToken)
    {
        var coordinator = await ServerAsync(cancellationToken);
        return PostgreSqlFixture.Patient with
        {
            ConnectionString = coordinator.ConnectionString,
            Distribution = PostgreSqlDistribution.Citus,
            Schema = PostgreSqlTestSchema.NewName(),
        };
    }

    /// <summary>
    /// The schema of these options, which is dropped when it is disposed of: over connections of its own, because one that the
    /// coordinator kept to a worker may have been broken by another test.
    /// </summary>
    internal static IBackendSchema SchemaOf(PostgreSqlBackendOptions options) => new PostgreSqlTestSchema(options, async () =>
        {
            await using var backend = new PostgreSqlWorkflowBackend(options);
            await backend.DropSchemaAsync(CancellationToken.None);
        });

    /// <summary>The workers of a cluster that was started here; null for one that somebody else runs.</summary>
    internal async Task<IReadOnlyList<DatabaseServer>?> WorkersAsync(CancellationToken cancellationToken) =>
        await ServerAsync(cancellationToken) is CitusCluster cluster ? [.. cluster.Nodes.Skip(1)] : null;

    /// <summary>The cluster, if it was started here from installed programs.</summary>
    internal async Task<LocalCitusCluster?> ClusterAsync(CancellationToken cancellationToken) =>
        await ServerAsync(cancellationToken) as LocalCitusCluster;
}
