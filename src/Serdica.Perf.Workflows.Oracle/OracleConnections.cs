using System.Data.Common;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Opens sessions from the driver's own pool.</summary>
internal sealed class OracleConnections
{
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

        // No ambient transactions: each open would look for one.
        if (!settings.ContainsKey("Enlist"))
            settings["Enlist"] = "false";
        _connectionString = settings.ConnectionString;
    }

    public async Task<OracleSession> OpenAsync(CancellationToken cancellationToken)
    {
        var connection = _factory.CreateConnection()
            ?? throw new WorkflowBackendException($"The Oracle driver '{_factory.GetType().FullName}' makes no connections.", isTransient: false);
        try
        {
            connection.ConnectionString = _connectionString;
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentException)
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw new WorkflowBackendException("The Oracle connection string has a key or a value that the driver does not know.", isTransient: false);
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
