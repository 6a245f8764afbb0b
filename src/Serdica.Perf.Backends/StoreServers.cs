namespace Serdica.Perf.Backends;

/// <summary>The places where the suite makes its stores, by backend.</summary>
internal static class StoreServers
{
    /// <summary>Backends whose stores outlive a process that is killed.</summary>
    public static IReadOnlyList<string> Backends => ApplicationStore.Backends;

    /// <summary>Backends for which the environment names an external server for measurements, one for each server.</summary>
    public static IEnumerable<string> Named(DatabaseEnvironment environment) =>
        Backends
            .DistinctBy(BackendNames.InVariables)
            .Where(backend =>
                !environment.TryReadRequest(BackendNames.InVariables(backend), out var request, out _)
                || request.ConnectionString is not null
            );

    /// <summary>The external server that the environment names for measurements.</summary>
    /// <returns>The server, or why there is none.</returns>
    /// <exception cref="ArgumentException">The connection string cannot be read.</exception>
    public static (IStoreServer? Server, string? Reason) Open(string backend, DatabaseEnvironment environment)
    {
        var variable = BackendNames.InVariables(backend);
        if (!environment.TryReadRequest(variable, out var request, out var problem))
            return (null, problem);
        if (request.ConnectionString is not { } connectionString)
            return (null, $"No server is named: set {DatabaseEnvironment.ConnectionStringVariable(variable)} to its connection string.");

        return backend switch
        {
            BackendNames.PostgreSql or BackendNames.Citus => (new PostgreSqlStores(connectionString), null),
            BackendNames.DocumentDb => (OnDocumentDb(connectionString), null),
            BackendNames.MongoDb => (OnMongoDb(connectionString), null),
            BackendNames.OracleAq or BackendNames.OracleAqReference => OracleDriver.TryFind(out var factory)
                ? (new OracleStores(new() { ConnectionString = connectionString, Factory = factory }), null)
                : (null, OracleDriver.Missing),
            _ => throw new ArgumentException($"There is no backend '{backend}' with stores; there are {string.Join(", ", Backends)}."),
        };
    }

    public static DocumentStores OnDocumentDb(string connectionString) =>
        new(
            BackendNames.DocumentDb,
            name => new DocumentDbDatabase(connectionString, name),
            cancellationToken => DocumentDatabases.OnDocumentDbAsync(connectionString, cancellationToken)
        );

    public static DocumentStores OnMongoDb(string connectionString) =>
        new(
            BackendNames.MongoDb,
            name => new MongoDriverDatabase(connectionString, name),
            cancellationToken => DocumentDatabases.OnMongoDbAsync(connectionString, cancellationToken)
        );
}
