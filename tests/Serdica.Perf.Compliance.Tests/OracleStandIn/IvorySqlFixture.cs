using System.Net;
using Serdica.Perf.Compliance.OracleStandIn;
using Serdica.Perf.Databases.PostgreSql;
using Serdica.Perf.Databases.PostgreSql.Installed;

[assembly: AssemblyFixture(typeof(IvorySqlFixture))]

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// A throw-away server of IvorySQL, which is PostgreSQL with PL/SQL, for the tests of the package. It is not Oracle, and no figure
/// is taken from it.
/// </summary>
public sealed class IvorySqlFixture() : ServerFixture(Flavour.Name)
{
    private readonly Flavour _flavour = new();

    /// <summary>A pool of sessions that speak Oracle's language; skips the test when this machine has no IvorySQL.</summary>
    internal async Task<NpgsqlDataSource> ConnectAsync(CancellationToken cancellationToken) =>
        Open(Place((await ServerAsync(cancellationToken)).ConnectionString));

    /// <summary>The server as PostgreSQL's language reaches it; skips the test when this machine has no IvorySQL.</summary>
    internal Task<DatabaseServer> StartAsync(CancellationToken cancellationToken) => ServerAsync(cancellationToken);

    /// <summary>The place at which the same server listens for Oracle's language.</summary>
    internal string Place(string connectionString) => _flavour.Place(connectionString);

    private protected override async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        var outcome = await new LocalPostgreSql(_flavour).ProvisionAsync(request, NullLogger.Instance, cancellationToken);
        if (outcome is ProvisionOutcome.Provisioned { Server: var server })
        {
            await using var source = Open(Place(server.ConnectionString));
            await using (var run = source.CreateCommand(StandInScripts.Run))
                await run.ExecuteNonQueryAsync(cancellationToken);
            foreach (var statement in StandInScripts.Shims)
                await StandInScripts.RunAsync(source, statement, cancellationToken);
        }

        return outcome;
    }

    internal static NpgsqlDataSource Open(string connectionString)
    {
        var builder = new NpgsqlDataSourceBuilder(connectionString);

        // Types are loaded by queries in PostgreSQL's language.
        builder.ConfigureTypeLoading(loading => loading.EnableTypeLoading(false));
        return builder.Build();
    }

    private sealed class Flavour : PostgreSqlFlavour
    {
        public const string Name = "ivorysql";

        private static readonly string[] UsualPlaces = ["/opt/ivorysql*/bin", "/usr/ivory-*/bin", "/usr/local/ivorysql*/bin"];

        /// <summary>Sessions of this port speak Oracle's language, and those of the other PostgreSQL's.</summary>
        private readonly int _port = LocalCluster.FreePort();

        public override string Backend => Name;

        public override string Product => "IvorySQL";

        public override IReadOnlyList<string> PreloadLibraries => ["liboracle_parser", "ivorysql_ora"];

        public override IReadOnlyDictionary<string, string> Settings =>
            new Dictionary<string, string>
            {
                ["ivorysql.listen_addresses"] = IPAddress.Loopback.ToString(),
                ["ivorysql.port"] = _port.ToString(CultureInfo.InvariantCulture),
            };

        public override (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request)
        {
            string[] places = request.ConnectionString is { } folder ? [folder] : UsualPlaces;
            return new PostgreSqlBinarySearch([], places, PostgreSqlVersion.Of).Installed().FirstOrDefault() is { } found
                ? (found, null)
                : (
                    null,
                    $"IvorySQL is not installed in {string.Join(", ", places)}: set {Variable} to the folder with its programs "
                        + $"(postgres, initdb, pg_ctl)."
                );
        }

        public override Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
            NpgsqlConnection connection,
            DatabaseSourceKind source,
            string? fileSystem,
            CancellationToken cancellationToken
        ) => new StandardPostgreSql().ExamineAsync(connection, source, fileSystem, cancellationToken);

        public string Place(string connectionString) =>
            new NpgsqlConnectionStringBuilder(connectionString) { Port = _port, ApplicationName = "oracle-stand-in" }.ConnectionString;
    }
}
