using System.Net.Sockets;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The one place that says what an error of PostgreSQL means to the engine.</summary>
internal static class PostgreSqlErrors
{
    /// <summary>Raised by update.sql when a version is not the expected one.</summary>
    public const string VersionConflict = PostgresErrorCodes.DivisionByZero;

    private const string ConnectionClass = "08";

    // The driver has no names for these two.
    private const string IdleInTransaction = "25P03";
    private const string TransactionTimeout = "25P04";

    /// <summary>The server stops, starts, or is no primary any more.</summary>
    private static readonly FrozenSet<string> ServerStates =
    [
        PostgresErrorCodes.ReadOnlySqlTransaction,
        PostgresErrorCodes.AdminShutdown,
        PostgresErrorCodes.CrashShutdown,
        PostgresErrorCodes.CannotConnectNow,
        PostgresErrorCodes.IdleSessionTimeout,
    ];

    /// <summary>The session may go on, or has ended alone; the same call may succeed later.</summary>
    private static readonly FrozenSet<string> PassingStates =
    [
        PostgresErrorCodes.QueryCanceled,
        PostgresErrorCodes.LockNotAvailable,
        IdleInTransaction,
        TransactionTimeout,
        PostgresErrorCodes.TooManyConnections,
        PostgresErrorCodes.SerializationFailure,
        PostgresErrorCodes.DeadlockDetected,
    ];

    /// <summary>The server has stopped what took too long.</summary>
    private static readonly FrozenSet<string> Timeouts =
    [
        PostgresErrorCodes.QueryCanceled,
        PostgresErrorCodes.LockNotAvailable,
        PostgresErrorCodes.IdleSessionTimeout,
        IdleInTransaction,
        TransactionTimeout,
    ];

    public static bool IsConflict(Exception error) =>
        error
            is PostgresException
        {
            SqlState: VersionConflict or PostgresErrorCodes.SerializationFailure or PostgresErrorCodes.DeadlockDetected
        };

    public static bool IsDriverError(Exception error) => NpgsqlErrors.IsDriverError(error);

    /// <summary>
    /// Whether the server, or the way to it, is not what it was: it stops, has become a standby, or does not answer. What else
    /// is connected to it is then of no use either.
    /// </summary>
    public static bool EndsSessions(Exception error) =>
        error switch
        {
            PostgresException { SqlState: var state } postgres => state.StartsWith(ConnectionClass, Ordinal)
                || ServerStates.Contains(state)
                || IsLostWorker(postgres),
            NpgsqlException or TimeoutException or SocketException or IOException => true,
            _ => false,
        };

    public static WorkflowBackendException Wrap(string operation, Exception error)
    {
        var isUncommitted = error is UncommittedException;
        if (isUncommitted)
            error = error.InnerException!;
        var transient = error switch
        {
            PostgresException postgres => postgres.IsTransient || EndsSessions(postgres) || PassingStates.Contains(postgres.SqlState),
            NpgsqlException npgsql => npgsql.IsTransient || npgsql.InnerException is not null,
            _ => true,
        };
        var text = error is PostgresException { SqlState: var code, MessageText: var message }
            ? $"{code}: {message}"
            : DriverErrors.TextOf(error);
        return new WorkflowBackendException($"PostgreSQL could not {operation}: {text}", transient, error)
        {
            // An error of a statement, and not of the session: the server has rolled its transaction back. A coordinator of Citus that
            // loses a worker while that commits has such an error as well, and does not know what the worker has done. After an error
            // that does not pass, each item would be tried alone.
            NothingWritten =
                (isUncommitted && transient) || (error is PostgresException { InvariantSeverity: "ERROR" } && !EndsSessions(error)),
            MayBeOneItem =
                error is PostgresException { SqlState: PostgresErrorCodes.LockNotAvailable or PostgresErrorCodes.DeadlockDetected },
            Failure = FailureOf(error),
            Code = (error as PostgresException)?.SqlState,
        };
    }

    /// <summary>The session of a coordinator of Citus had its connection to a worker broken: it has no code of its own.</summary>
    private static bool IsLostWorker(PostgresException error) =>
        error.SqlState == PostgresErrorCodes.InternalError
        && error.MessageText.StartsWith("failure on connection marked as essential", Ordinal);

    private static BackendFailure FailureOf(Exception error) =>
        error switch
        {
            PostgresException { SqlState: var state } when Timeouts.Contains(state) => BackendFailure.Timeout,
            PostgresException { SqlState: PostgresErrorCodes.UniqueViolation } => BackendFailure.Conflict,
            PostgresException conflict when IsConflict(conflict) => BackendFailure.Conflict,
            PostgresException ended when EndsSessions(ended) => BackendFailure.ConnectionLost,
            PostgresException => BackendFailure.Refused,
            TimeoutException or NpgsqlException { InnerException: TimeoutException } => BackendFailure.Timeout,
            _ => BackendFailure.ConnectionLost,
        };
}

/// <summary>A write has failed before the server was asked to commit it.</summary>
internal sealed class UncommittedException(Exception cause) : NpgsqlException(cause.Message, cause);
