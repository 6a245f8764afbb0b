using System.Net.Sockets;

namespace Serdica.Perf.Compliance;

/// <summary>The classes of errors of PostgreSQL, MongoDB and DocumentDB; those of Oracle are tested beside its numbers.</summary>
public sealed class ErrorClassTests
{
    [Theory]
    [InlineData(PostgresErrorCodes.QueryCanceled, BackendFailure.Timeout)]
    [InlineData(PostgresErrorCodes.LockNotAvailable, BackendFailure.Timeout)]
    [InlineData(PostgresErrorCodes.IdleSessionTimeout, BackendFailure.Timeout)]
    [InlineData("25P03", BackendFailure.Timeout)]
    [InlineData("25P04", BackendFailure.Timeout)]
    [InlineData(PostgresErrorCodes.DivisionByZero, BackendFailure.Conflict)]
    [InlineData(PostgresErrorCodes.DeadlockDetected, BackendFailure.Conflict)]
    [InlineData(PostgresErrorCodes.SerializationFailure, BackendFailure.Conflict)]
    [InlineData(PostgresErrorCodes.UniqueViolation, BackendFailure.Conflict)]
    [InlineData(PostgresErrorCodes.AdminShutdown, BackendFailure.ConnectionLost)]
    [InlineData(PostgresErrorCodes.ConnectionFailure, BackendFailure.ConnectionLost)]
    [InlineData(PostgresErrorCodes.TooManyConnections, BackendFailure.Refused)]
    [InlineData(PostgresErrorCodes.UndefinedTable, BackendFailure.Refused)]
    public void PostgreSql_has_them_by_its_state(string state, BackendFailure failure)
    {
        var error = PostgreSqlErrors.Wrap("do it", new PostgresException("so", "ERROR", "ERROR", state));

        Assert.Equal((failure, state), (error.Failure, error.Code));
    }

    [Fact]
    public void What_passes_by_itself_is_transient()
    {
        foreach (var state in (string[])["25006", "25P03", "25P04", "40001", "40P01", "53300", "55P03", "57014", "57P01", "57P02", "57P05"])
            Assert.True(PostgreSqlErrors.Wrap("do it", new PostgresException("so", "ERROR", "ERROR", state)).IsTransient, state);
        int[] numbers = [6, 7, 24, 50, 89, 91, 112, 133, 134, 189, 215, 239, 246, 251, 262, 365, 9001, 10058, 10107];
        Assert.All([.. numbers, 11600, 11601, 11602, 13435, 13436], number => Assert.True(DocumentErrors.IsTransient(number)));
    }

    /// <summary>The texts are those of Citus 13.2.</summary>
    [Theory]
    [InlineData(PostgresErrorCodes.InternalError, "failure on connection marked as essential: 127.0.0.1:7701", true)]
    [InlineData(PostgresErrorCodes.ConnectionFailure, "connection to the remote node 127.0.0.1:7701 failed", true)]
    [InlineData(PostgresErrorCodes.CrashShutdown, "terminating connection because of crash of another server process", true)]
    [InlineData(PostgresErrorCodes.InternalError, "cannot execute a distributed query from a query on a shard", false)]
    [InlineData(PostgresErrorCodes.UndefinedTable, "relation does not exist", false)]
    public void Coordinator_that_loses_a_worker_does_not_say_that_nothing_was_written(string state, string text, bool isLost)
    {
        var error = PostgreSqlErrors.Wrap("do it", new PostgresException(text, "ERROR", "ERROR", state));

        Assert.Equal((isLost, !isLost), (error.IsTransient, error.NothingWritten));
        Assert.Equal(isLost ? BackendFailure.ConnectionLost : BackendFailure.Refused, error.Failure);
    }

    [Fact]
    public void Error_that_ends_the_session_does_not_say_that_nothing_was_written() =>
        Assert.False(PostgreSqlErrors.Wrap("do it", new PostgresException("so", "FATAL", "FATAL", "25P03")).NothingWritten);

    [Fact]
    public void PostgreSql_that_does_not_answer_has_a_class_and_no_code()
    {
        var late = PostgreSqlErrors.Wrap("do it", new NpgsqlException("reading", new TimeoutException()));
        var lost = PostgreSqlErrors.Wrap("do it", new NpgsqlException("reading", new SocketException()));

        Assert.Equal((BackendFailure.Timeout, null), (late.Failure, late.Code));
        Assert.Equal((BackendFailure.ConnectionLost, null), (lost.Failure, lost.Code));
    }

    [Theory]
    [InlineData(DocumentErrors.ExceededTimeLimit, BackendFailure.Timeout, "50")]
    [InlineData(DocumentErrors.NetworkTimeout, BackendFailure.Timeout, "89")]
    [InlineData(DocumentErrors.WriteConflict, BackendFailure.Conflict, "112")]
    [InlineData(DocumentErrors.DuplicateKey, BackendFailure.Conflict, "11000")]
    [InlineData(DocumentErrors.NotWritablePrimary, BackendFailure.ConnectionLost, "10107")]
    [InlineData(DocumentErrors.HostUnreachable, BackendFailure.ConnectionLost, "6")]
    [InlineData(DocumentErrors.MajorityNotAvailableYet, BackendFailure.ConnectionLost, "134")]
    [InlineData(DocumentErrors.DatabaseDropPending, BackendFailure.Conflict, "215")]
    [InlineData(DocumentErrors.TemporarilyUnavailable, BackendFailure.Conflict, "365")]
    [InlineData(DocumentErrors.Unauthorized, BackendFailure.Refused, "13")]
    [InlineData(0, BackendFailure.ConnectionLost, null)]
    public void MongoDb_has_them_by_its_number(int number, BackendFailure failure, string? code)
    {
        var error = MongoDbErrors.Wrap("MongoDB", "do it", new DocumentCommandException(number, "so", isTransient: false));

        Assert.Equal((failure, code), (error.Failure, error.Code));
    }

    [Fact]
    public void DocumentDb_keeps_the_state_of_an_error_that_MongoDb_has_no_number_for()
    {
        var error = MongoDbErrors.Wrap(
            "DocumentDB",
            "do it",
            DocumentDbErrors.Wrap(new PostgresException("full", "ERROR", "ERROR", PostgresErrorCodes.DiskFull))
        );

        Assert.Equal((BackendFailure.Refused, PostgresErrorCodes.DiskFull), (error.Failure, error.Code));
    }

    [Fact]
    public void DocumentDb_that_does_not_answer_in_time_is_a_timeout()
    {
        var error = MongoDbErrors.Wrap(
            "DocumentDB",
            "do it",
            DocumentDbErrors.Wrap(new NpgsqlException("reading", new TimeoutException()))
        );

        Assert.Equal((BackendFailure.Timeout, null), (error.Failure, error.Code));
    }
}
