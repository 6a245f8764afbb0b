namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Opens sessions from the driver's own pool.</summary>
internal sealed class OracleConnections
{
    private const string MinPoolKey = "Min Pool Size";
    private const string MaxPoolKey = "Max Pool Size";

    /// <summary>Two workers, the callers that submit beside them, the wait for hints, and the statistics.</summary>
    private const int MinPoolSize = 8;

    /// <summary>The driver's own default.</summary>
    private const int DefaultMaxPoolSize = 100;

    /// <summary>
    /// What the driver would choose by itself, another time differently, unless the connection string says otherwise: no
    /// ambient transactions, which each open would look for, a cache that holds every statement of the backend, and a pool that
    /// keeps what a host needs. By default it keeps one connection and closes idle ones after some minutes, so that the next load
    /// would measure log-ins (ODP.NET Developer's Guide, "Connection Pooling").
    /// </summary>
    private static readonly (string Key, string Value)[] Defaults =
    [
        ("Enlist", "false"),
        ("Self Tuning", "false"),
        ("Statement Cache Size", "50"),
        (MinPoolKey, MinPoolSize.ToString(CultureInfo.InvariantCulture)),
        (MaxPoolKey, DefaultMaxPoolSize.ToString(CultureInfo.InvariantCulture)),
    ];

    private readonly DbProviderFactory _factory;
    private readonly string _connectionString;
    private readonly OracleScripts _scripts;
    private readonly TimeSpan _timeout;

    public OracleConnections(OracleBackendOptions options, OracleScripts scripts)
    {
        _factory = options.Factory ?? OracleDriver.Find();
        _scripts = scripts;
        _timeout = options.CommandTimeout;
        var settings = new DbConnectionStringBuilder { ConnectionString = options.ConnectionString };
        var hasOwnMinimum = settings.ContainsKey(MinPoolKey);
        foreach (var (key, value) in Defaults.Where(item => !settings.ContainsKey(item.Key)))
            settings[key] = value;
        MaxPoolSize = int.TryParse(settings[MaxPoolKey].ToString(), CultureInfo.InvariantCulture, out var most) ? most : DefaultMaxPoolSize;

        // The driver refuses a pool that is to keep more than it may have.
        if (!hasOwnMinimum && MaxPoolSize < MinPoolSize)
            settings[MinPoolKey] = settings[MaxPoolKey];
        _connectionString = settings.ConnectionString;
        Settings = string.Join(", ", Defaults.Select(item => $"{item.Key}={settings[item.Key]}"));
    }

    /// <summary>How the driver is set, for results.</summary>
    public string Settings { get; }

    /// <summary>How many connections this process opens at most.</summary>
    public int MaxPoolSize { get; }

    /// <summary>Without their values, which may be secrets.</summary>
    private IEnumerable<string> Keys => new DbConnectionStringBuilder { ConnectionString = _connectionString }.Keys.Cast<string>();

    public async Task<OracleSession> OpenAsync(CancellationToken cancellationToken)
    {
        var connection = _factory.CreateConnection()
            ?? throw new WorkflowBackendException(
                $"The Oracle driver '{_factory.GetType().FullName}' makes no connections.",
                isTransient: false
            );
        try
        {
            connection.ConnectionString = _connectionString;
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentException)
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw new WorkflowBackendException(
                $"The driver rejected the Oracle connection string. Keys used: {string.Join(", ", Keys)}. Check their spelling and their "
                    + "values.",
                isTransient: false
            );
        }
        catch (DbException e) when (OracleErrors.IsCancellation(e, cancellationToken))
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw new OperationCanceledException("Opening the connection was cancelled.", e, cancellationToken);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        return new OracleSession(connection, _scripts, _timeout);
    }

    /// <summary>One statement, or one call that the driver commits by itself.</summary>
    public async Task<T> UseAsync<T>(Func<OracleSession, Task<T>> use, CancellationToken cancellationToken)
    {
        var session = await OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (session.ConfigureAwait(false))
            return await use(session).ConfigureAwait(false);
    }
}
