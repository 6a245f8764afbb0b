using System.Data.Common;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Opens sessions from the driver's own pool.</summary>
internal sealed class OracleConnections
{
    /// <summary>
    /// What the driver would choose by itself, another time differently, unless the connection string says otherwise: no
    /// ambient transactions, which each open would look for, and a cache that holds every statement of the backend.
    /// </summary>
    private static readonly (string Key, string Value)[] Defaults =
    [
        ("Enlist", "false"),
        ("Self Tuning", "false"),
        ("Statement Cache Size", "50"),
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
        foreach (var (key, value) in Defaults.Where(item => !settings.ContainsKey(item.Key)))
            settings[key] = value;
        _connectionString = settings.ConnectionString;
        Settings = string.Join(", ", Defaults.Select(item => $"{item.Key}={settings[item.Key]}"));
    }

    /// <summary>How the driver is set, for results.</summary>
    public string Settings { get; }

    public async Task<OracleSession> OpenAsync(CancellationToken cancellationToken)
    {
        var connection =
            _factory.CreateConnection()
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
                "The Oracle connection string has a key or a value that the driver does not know.",
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
