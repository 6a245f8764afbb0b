namespace Serdica.Perf.Backends;

/// <summary>Opens the store of an application on its own server; nothing is created there.</summary>
internal static class ApplicationStore
{
    private const string DefaultDatabase = "serdica_workflow";

    public static IReadOnlyList<string> Backends { get; } = [.. BackendNames.All.Where(name => name != BackendNames.InMemory)];

    /// <summary>Those that can wait until another process has made the store.</summary>
    public static IReadOnlyList<string> Joinable { get; } = [BackendNames.PostgreSql, BackendNames.Citus];

    /// <param name="name">Schema, database or prefix of the application; null for the backend's default.</param>
    /// <param name="mustExist">Whether another process makes the store (<see cref="Joinable"/>).</param>
    /// <returns>The backend, or why there is none.</returns>
    /// <exception cref="ArgumentException">The name is not usable, or the connection string cannot be read.</exception>
    public static (IWorkflowBackend? Backend, string? Reason) Open(
        string backend,
        string? name,
        DatabaseEnvironment environment,
        bool mustExist = false
    )
    {
        var server = BackendNames.InVariables(backend);
        if (environment.ReadApplication(server) is not { } connectionString)
            return (
                null,
                $"No server is named: set {DatabaseEnvironment.ApplicationVariable(server)} to the connection string of the "
                    + $"application's server."
            );

        return backend switch
        {
            BackendNames.PostgreSql => (new PostgreSqlWorkflowBackend(PostgreSqlOptions(connectionString, name, mustExist)), null),
            BackendNames.Citus => (new PostgreSqlWorkflowBackend(CitusOptions(PostgreSqlOptions(connectionString, name, mustExist))), null),
            BackendNames.DocumentDb => (MongoDbWorkflowBackend.OnDocumentDb(connectionString, name ?? DefaultDatabase), null),
            BackendNames.MongoDb => (MongoDbWorkflowBackend.OnMongoDb(connectionString, name ?? DefaultDatabase), null),
            BackendNames.OracleAq or BackendNames.OracleAqReference => OracleDriver.TryFind(out var factory)
                ? (new OracleWorkflowBackend(OracleOptions(MeasuredOracle.Options(backend, connectionString, factory), name)), null)
                : (null, OracleDriver.Missing),
            _ => throw new ArgumentException($"There is no backend '{backend}' that keeps data; there are {string.Join(", ", Backends)}."),
        };
    }

    private static PostgreSqlBackendOptions PostgreSqlOptions(string connectionString, string? schema, bool mustExist)
    {
        var options = new PostgreSqlBackendOptions { ConnectionString = connectionString, MustExist = mustExist };
        return schema is null ? options : options with { Schema = schema };
    }

    /// <summary>With as many buckets as the store has; those of a new one where it is not there yet.</summary>
    private static PostgreSqlBackendOptions CitusOptions(PostgreSqlBackendOptions options)
    {
        options = options with { Distribution = PostgreSqlDistribution.Citus };
        options.Validate();
        try
        {
            var buckets = PostgreSqlSchema.CountBuckets(options);
            if (buckets is null && options.MustExist)
                throw PostgreSqlSchema.NotThere(options.Schema);
            return options with { Buckets = buckets ?? options.Buckets };
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e))
        {
            throw PostgreSqlErrors.Wrap("read how many buckets its schema has", e);
        }
    }

    private static OracleBackendOptions OracleOptions(OracleBackendOptions options, string? prefix) =>
        prefix is null ? options : options with { Prefix = prefix };
}
