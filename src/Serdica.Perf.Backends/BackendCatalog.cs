namespace Serdica.Perf.Backends;

/// <summary>
/// The one place that knows all backends and how each is provided. The command line and the perf tests use it.
/// </summary>
/// <param name="adjust">Applies the options to each request; they override the variables.</param>
internal sealed class BackendCatalog(
    ILoggerFactory loggers,
    DatabaseEnvironment environment,
    Func<DatabaseRequest, DatabaseRequest>? adjust = null
)
{
    private readonly ILogger _logger = loggers.CreateLogger(typeof(BackendCatalog).FullName!);
    private readonly ReadyServers _servers = new(environment, adjust, loggers.CreateLogger(typeof(BackendCatalog).FullName!));

    /// <summary>The source of a backend by its name, which is one of <see cref="BackendNames.All"/>.</summary>
    public BackendSource Source(string name) =>
        new(
            name,
            name switch
            {
                BackendNames.PostgreSql => token =>
                    ProvideAsync(name, (server, run) => PostgreSqlStore.MakeAsync(server, run, loggers), token),
                BackendNames.Citus => token =>
                    ProvideAsync(
                        name,
                        (server, run) => PostgreSqlStore.MakeAsync(server, run, loggers, PostgreSqlDistribution.Citus),
                        token
                    ),
                BackendNames.DocumentDb => token => ProvideAsync(name, DocumentStore.MakeAsync, token),
                BackendNames.MongoDb => token => ProvideAsync(name, MeasuredMongoDb.ProvideAsync, token),
                BackendNames.OracleAq or BackendNames.OracleAqReference => token =>
                    ProvideAsync(
                        DatabaseEnvironment.Oracle,
                        (request, logger, end) => MeasuredOracle.ProvideAsync(name, request, logger, end),
                        token
                    ),
                BackendNames.InMemory => _ =>
                    Task.FromResult<BackendProvision>(new BackendProvision.Provided(new InMemoryMeasuredBackend())),
                _ => throw new ArgumentException($"There is no backend '{name}'; there are {string.Join(", ", BackendNames.All)}."),
            }
        );

    /// <summary>
    /// An adjustment for a measurement that writes this much log and has this many host processes, from a source that overrides the
    /// variables; null leaves the choice to them.
    /// </summary>
    public static Func<DatabaseRequest, DatabaseRequest> From(
        DatabaseSourceKind? source,
        long? expectedLogBytes,
        int hosts = 0,
        int connections = 0
    ) =>
        request =>
            HostConnections.Allow(
                request with
                {
                    Source = source ?? request.Source,
                    ExpectedLogBytes = expectedLogBytes,
                },
                hosts,
                connections
            );

    /// <summary>What is asked for when Oracle is needed; null with the reason when a variable is invalid.</summary>
    public DatabaseRequest? OracleRequest(out string? problem) => _servers.Request(DatabaseEnvironment.Oracle, out problem);

    private Task<BackendProvision> ProvideAsync(
        string backend,
        Func<DatabaseRequest, ILogger, CancellationToken, Task<BackendProvision>> provideAsync,
        CancellationToken cancellationToken
    ) =>
        _servers.Request(backend, out var problem) is { } request
            ? provideAsync(request, _logger, cancellationToken)
            : Task.FromResult<BackendProvision>(new BackendProvision.Unavailable(problem!));

    private async Task<BackendProvision> ProvideAsync(
        string backend,
        Func<DatabaseServer, string, Task<IScenarioStore>> createStoreAsync,
        CancellationToken cancellationToken
    ) =>
        await _servers.ProvideAsync(backend, cancellationToken) switch
        {
            ProvisionOutcome.Provisioned { Server: var server } => new BackendProvision.Provided(
                new ServerMeasuredBackend(backend, server, createStoreAsync)
            ),
            ProvisionOutcome.Unavailable { Reason: var reason } => new BackendProvision.Unavailable(reason),
            var other => throw new InvalidOperationException($"Unknown outcome {other}."),
        };
}

/// <summary>The backends that can be asked for.</summary>
public static class BackendNames
{
    public const string PostgreSql = DatabaseEnvironment.PostgreSql;

    /// <summary>The PostgreSQL backend on tables that Citus distributes.</summary>
    public const string Citus = DatabaseEnvironment.Citus;

    public const string MongoDb = DatabaseEnvironment.MongoDb;
    public const string DocumentDb = DatabaseEnvironment.DocumentDb;
    public const string OracleAq = "oracle-aq";

    /// <summary>Oracle AQ with a transaction for each start, signal and message, as in the reference.</summary>
    public const string OracleAqReference = "oracle-aq-reference";

    public const string InMemory = "in-memory";

    public static IReadOnlyList<string> All { get; } = [PostgreSql, Citus, MongoDb, DocumentDb, OracleAq, OracleAqReference, InMemory];

    /// <summary>Those on servers of the PostgreSQL family, which the suite starts itself.</summary>
    internal static IReadOnlyList<string> OnPostgreSqlServers { get; } = [PostgreSql, Citus, DocumentDb];

    /// <summary>What of its capabilities decides the options in force.</summary>
    internal static BackendCapabilities Capabilities(string backend) =>
        new(Durable: true, CrossProcessHints: true) { OneByOne = backend == OracleAqReference };

    /// <summary>What environment variables call a backend; those on one server have one name there.</summary>
    internal static string InVariables(string backend) => backend is OracleAq or OracleAqReference ? DatabaseEnvironment.Oracle : backend;
}
