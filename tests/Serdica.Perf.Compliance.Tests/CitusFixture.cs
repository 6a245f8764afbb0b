using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Npgsql;
using Serdica.Perf.Compliance;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.External;
using Serdica.Perf.Databases.Local;
using Serdica.Perf.Databases.PostgreSql;
using Serdica.Perf.Databases.PostgreSql.Installed;

[assembly: AssemblyFixture(typeof(CitusFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>
/// A Citus cluster; one distributed schema for each test. It is the one whose coordinator SERDICA_PERF_CITUS names, or a throw-away one
/// of a coordinator and two workers where the extension is installed.
/// </summary>
public sealed class CitusFixture() : ServerFixture(Flavour.Name, new Flavour().ProvisionAsync), IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaOf(await NewOptionsAsync(cancellationToken));

    /// <summary>Options of a schema that nobody else uses; skips the test when this machine has no cluster.</summary>
    public async Task<PostgreSqlBackendOptions> NewOptionsAsync(CancellationToken cancellationToken)
    {
        var coordinator = await ServerAsync(cancellationToken);
        return new PostgreSqlBackendOptions
        {
            ConnectionString = coordinator.ConnectionString,
            Distribution = PostgreSqlDistribution.Citus,

            // A node sends parameters to another as text: 20 MB in one batch take seconds on a busy machine.
            SubmitTimeout = TimeSpan.FromSeconds(30),
            ClaimTimeout = TimeSpan.FromSeconds(30),
            Schema = PostgreSqlTestSchema.NewName(),
        };
    }

    /// <summary>
    /// The schema of these options, which is dropped when it is disposed of: over connections of its own, because one that the
    /// coordinator kept to a worker may have been broken by another test.
    /// </summary>
    internal static IBackendSchema SchemaOf(PostgreSqlBackendOptions options) =>
        new PostgreSqlTestSchema(
            options,
            async () =>
            {
                await using var backend = new PostgreSqlWorkflowBackend(options);
                await backend.DropSchemaAsync(CancellationToken.None);
            }
        );

    /// <summary>The workers of a cluster that was started here; null for one that somebody else runs.</summary>
    internal async Task<IReadOnlyList<LocalPostgreSqlServer>?> WorkersAsync(CancellationToken cancellationToken) =>
        (await ServerAsync(cancellationToken) as Cluster)?.Workers;

    private sealed class Flavour : PostgreSqlFlavour
    {
        public const string Name = "citus";

        public override string Backend => Name;

        public override string Product => "Citus";

        public override IReadOnlyList<string> PreloadLibraries => [Name];

        public override IReadOnlyDictionary<string, string> Settings { get; } =
            new Dictionary<string, string>
            {
                // Each session of the coordinator has its own on the workers.
                [PostgreSqlSettings.MaxConnections] = "300",
                ["max_prepared_transactions"] = "300",
                ["wal_level"] = "logical",
                ["citus.node_conninfo"] = "sslmode=disable",
            };

        public override string Password { get; } = RandomNumberGenerator.GetHexString(32);

        public override bool ServerLogsInToItself => true;

        public override string FirstStatement => "create extension citus";

        public override (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request) =>
            PostgreSqlBinarySearch.OnThisMachine().Installed().FirstOrDefault(static installed => installed.HasLibrary(Name)) is { } found
                ? (found, null)
                : (
                    null,
                    $"Citus is not installed with any PostgreSQL of this machine: install it, or set {Variable} to the connection string "
                        + "of a coordinator."
                );

        public override Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
            NpgsqlConnection connection,
            DatabaseSourceKind source,
            string? fileSystem,
            CancellationToken cancellationToken
        ) => new StandardPostgreSql().ExamineAsync(connection, source, fileSystem, cancellationToken);

        public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
        {
            if (request.ConnectionString is not null)
                return await new ExternalPostgreSql(this).ProvisionAsync(request, logger, cancellationToken);
            var source = new LocalPostgreSql(this);
            var nodes = new List<LocalPostgreSqlServer>();
            for (var i = 0; i < 3; i++)
            {
                if (await source.ProvisionAsync(request, logger, cancellationToken) is not ProvisionOutcome.Provisioned provisioned)
                    return new ProvisionOutcome.Unavailable(FindBinaries(request).Problem ?? "A node of Citus could not be started.");
                nodes.Add((LocalPostgreSqlServer)provisioned.Server);
            }

            var cluster = new Cluster(nodes);
            await cluster.JoinAsync(cancellationToken);
            return new ProvisionOutcome.Provisioned(cluster);
        }
    }

    private sealed class Cluster(List<LocalPostgreSqlServer> nodes) : DatabaseServer
    {
        public override string ConnectionString => nodes[0].ConnectionString;

        public override ServerDescription Description => nodes[0].Description;

        public IReadOnlyList<LocalPostgreSqlServer> Workers => nodes[1..];

        /// <summary>Makes the first node the coordinator, and the others its workers.</summary>
        public async Task JoinAsync(CancellationToken cancellationToken)
        {
            await using var connection = new NpgsqlConnection(
                new NpgsqlConnectionStringBuilder(ConnectionString) { Pooling = false }.ConnectionString
            );
            await connection.OpenAsync(cancellationToken);
            for (var i = 0; i < nodes.Count; i++)
            {
                var node = new NpgsqlConnectionStringBuilder(nodes[i].ConnectionString);
                var join = i == 0 ? "citus_set_coordinator_host" : "citus_add_node";
                await using var command = new NpgsqlCommand($"select {join}('{node.Host}', {node.Port})", connection);
                await command.ExecuteNonQueryAsync(cancellationToken);
            }
        }

        public override async ValueTask DisposeAsync()
        {
            foreach (var node in nodes)
                await node.DisposeAsync();
        }
    }
}
