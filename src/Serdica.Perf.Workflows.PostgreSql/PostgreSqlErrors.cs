using System.Net.Sockets;
using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The one place that says what an error of PostgreSQL means to the engine.</summary>
internal static class PostgreSqlErrors
{
    /// <summary>Raised by update.sql when a version is not the expected one.</summary>
    private const string VersionConflict = PostgresErrorCodes.DivisionByZero;

    public static bool IsConflict(Exception error) =>
        error is PostgresException { SqlState: VersionConflict or PostgresErrorCodes.SerializationFailure or PostgresErrorCodes.DeadlockDetected };

    public static bool IsDriverError(Exception error) =>
        error is NpgsqlException or TimeoutException or SocketException or IOException;

    /// <param name="operation">What was tried, in words.</param>
    /// <param name="error">What the driver threw.</param>
    public static WorkflowBackendException Wrap(string operation, Exception error)
    {
        var transient = error switch
        {
            PostgresException postgres => postgres.IsTransient,
            NpgsqlException npgsql => npgsql.IsTransient || npgsql.InnerException is not null,
            _ => true,
        };
        var text = error is PostgresException { SqlState: var code, MessageText: var message }
            ? $"{code}: {message}"
            : error.Message;
        return new WorkflowBackendException($"PostgreSQL could not {operation}: {text}", transient, error)
        {
            // An error of a statement, and not of the session: the server has rolled its transaction back.
            NothingWritten = error is PostgresException { InvariantSeverity: "ERROR" },
        };
    }
}
