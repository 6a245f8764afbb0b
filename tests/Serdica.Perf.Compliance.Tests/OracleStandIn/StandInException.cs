namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// An error as the Oracle driver tells it: a property for the number, the number in the text, and behind it the lines of
/// the package that it went through.
/// </summary>
internal sealed class StandInException(int number, string message)
    : DbException(Invariant($"ORA-{number:00000}: {message}\nORA-06512: at \"WF.SERDICA_WF\", line 7\nORA-06512: at line 2"))
{
    /// <summary>Read by reflection.</summary>
    public int Number => number;

    public static StandInException From(Exception error) =>
        error switch
        {
            OperationCanceledException => new(1013, "user requested cancel of current operation"),
            PostgresException { SqlState: PostgresErrorCodes.UniqueViolation } e => new(1, "unique constraint violated: " + e.MessageText),
            PostgresException { SqlState: PostgresErrorCodes.DeadlockDetected } => new(60, "deadlock detected while waiting for resource"),
            PostgresException { SqlState: PostgresErrorCodes.SerializationFailure } => new(
                8177,
                "can't serialize access for this transaction"
            ),
            PostgresException { SqlState: PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.UndefinedFunction } => new(
                942,
                "table or view does not exist"
            ),
            PostgresException { SqlState: "OR001" } e => new(20001, e.MessageText),
            PostgresException { SqlState: PostgresErrorCodes.NoDataFound } e => new(1403, e.MessageText),
            PostgresException
            {
                SqlState: PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown or PostgresErrorCodes.CannotConnectNow
            }
            or not PostgresException => new(3113, "end-of-file on communication channel"),
            PostgresException e => new(600, $"internal error: {e.SqlState} {e.MessageText} {e.Where}"),
        };
}
