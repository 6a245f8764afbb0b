namespace Serdica.Perf.Databases.Containers.Modules;

/// <summary>PostgreSQL in its official image.</summary>
internal class PostgreSqlModule(PostgreSqlFlavour flavour) : ContainerModule
{
    private const int ConnectTimeoutSeconds = 5;

    private static readonly Dictionary<string, string> Place = new() { ["listen_addresses"] = "*" };

    public override string Backend => flavour.Backend;

    public override string Product => flavour.Product;

    public override string Image => ContainerImages.PostgreSql;

    public override int Port => 5432;

    // A place of our own, because that of the image differs from version to version.
    public override string DataFolder => "/var/lib/serdica-perf";

    public override string PasswordVariable => "POSTGRES_PASSWORD";

    public override bool TakesSettings => true;

    protected PostgreSqlFlavour Flavour => flavour;

    /// <summary>What the image may have left to do; <see langword="null"/> for nothing.</summary>
    protected virtual string? FirstStatement => null;

    // A log that is kept to be written over would take memory from the data, and nothing waits for the files of a new one.
    public override IReadOnlyDictionary<string, string> SettingsInMemory { get; } =
        new Dictionary<string, string> { ["min_wal_size"] = "80MB", ["max_wal_size"] = "1GB" };

    public override IReadOnlyDictionary<string, string> Variables(string password) =>
        new Dictionary<string, string>
        {
            ["POSTGRES_USER"] = User,
            [PasswordVariable] = password,
            ["POSTGRES_DB"] = "postgres",
            ["POSTGRES_INITDB_ARGS"] = "--no-locale --encoding=UTF8",
            ["PGDATA"] = $"{DataFolder}/data",
        };

    public override IReadOnlyList<string> Command(IReadOnlyDictionary<string, string> serverSettings) =>
        [
            "postgres",
            .. PostgreSqlSettings
                .Compose(flavour, countsStatements: true, Place, serverSettings)
                .SelectMany(setting => (string[])["-c", $"{setting.Key}={setting.Value}"]),
        ];

    public override string ConnectionString(string host, int port, string password) =>
        new NpgsqlConnectionStringBuilder
        {
            Host = host,
            Port = port,
            Database = "postgres",
            Username = User,
            Password = password,
        }.ConnectionString;

    public override async Task<(ServerDescription? Description, string? NotYet)> AskAsync(
        IDatabaseContainer container,
        string connectionString,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        try
        {
            var probe = new NpgsqlConnectionStringBuilder(connectionString) { Timeout = ConnectTimeoutSeconds };
            return (
                await PostgreSqlPreparation.PrepareAsync(
                    flavour,
                    probe.ConnectionString,
                    $"The {Product} server in the container",
                    DatabaseSourceKind.Containers,
                    fileSystem,
                    cancellationToken,
                    FirstStatement
                ),
                null
            );
        }
        catch (Exception e) when (e is NpgsqlException or SocketException or IOException or TimeoutException)
        {
            return (null, e.Message);
        }
    }
}
