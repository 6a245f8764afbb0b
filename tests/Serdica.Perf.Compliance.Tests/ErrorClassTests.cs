using System.Net;
using MongoDB.Driver;
using MongoDB.Driver.Core.Clusters;
using MongoDB.Driver.Core.Connections;
using MongoDB.Driver.Core.Servers;

namespace Serdica.Perf.Compliance;

/// <summary>The classes of errors of PostgreSQL, MongoDB and DocumentDB; those of Oracle are tested beside its numbers.</summary>
public sealed class ErrorClassTests
{
    [Fact]
    public void PostgreSql_has_them_by_its_state()
    {
        AreOf(BackendFailure.Timeout, "25P03", "25P04", "55P03", "57014", "57P05");
        AreOf(BackendFailure.Conflict, "22012", "23505", "40001", "40P01");
        AreOf(BackendFailure.ConnectionLost, "08006", "57P01");
        AreOf(BackendFailure.Refused, "42P01", "53300");

        static void AreOf(BackendFailure failure, params string[] states)
        {
            foreach (var state in states)
            {
                var error = PostgreSqlErrors.Wrap("do it", Of(state));
                Assert.Equal((failure, state), (error.Failure, error.Code));
            }
        }
    }

    [Fact]
    public void What_passes_by_itself_is_transient()
    {
        foreach (var state in (string[])["25006", "25P03", "25P04", "40001", "40P01", "53300", "55P03", "57014", "57P01", "57P02", "57P05"])
            Assert.True(PostgreSqlErrors.Wrap("do it", Of(state)).IsTransient, state);
        AreOf(BackendFailure.Timeout, 24, 50, 64, 89, 239, 262);
        AreOf(BackendFailure.Conflict, 112, 215, 246, 251, 365);
        AreOf(BackendFailure.ConnectionLost, 6, 7, 91, 133, 134, 189, 9001, 10058, 10107, 11600, 11601, 11602, 13435, 13436);
        Assert.All([0, 1, 13, 121, 10334, 11000, 40228], number => Assert.False(DocumentErrors.IsTransient(number)));

        static void AreOf(BackendFailure failure, params int[] numbers) =>
            Assert.All(numbers, n => Assert.Equal((failure, true), (DocumentErrors.FailureOf(n), DocumentErrors.IsTransient(n))));
    }

    [Fact]
    public void What_takes_the_server_away_ends_all_sessions_and_what_one_item_may_cause_is_told()
    {
        Assert.All(["08006", "25006", "57P01", "57P02", "57P03", "57P05"], state => Assert.True(PostgreSqlErrors.EndsSessions(Of(state))));
        Assert.All(["25P03", "40001", "53300", "57014"], state => Assert.False(PostgreSqlErrors.EndsSessions(Of(state))));
        Assert.All(["55P03", "40P01"], state => Assert.True(PostgreSqlErrors.Wrap("do it", Of(state)).MayBeOneItem));
        Assert.False(PostgreSqlErrors.Wrap("do it", Of("57014")).MayBeOneItem);
    }

    [Fact]
    public void Login_that_is_refused_is_not_tried_again()
    {
        var server = new ConnectionId(new ServerId(new ClusterId(), new DnsEndPoint("nowhere", 1)));
        var refusal = new MongoAuthenticationException(server, "no");

        Assert.False(new MongoDriverErrors(FromSeconds(1)).Wrap(refusal, "find", mayBeWritten: false).IsTransient);
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
    [InlineData(DocumentErrors.WriteConflict, BackendFailure.Conflict, "112")]
    [InlineData(DocumentErrors.DuplicateKey, BackendFailure.Conflict, "11000")]
    [InlineData(DocumentErrors.Unauthorized, BackendFailure.Refused, "13")]
    [InlineData(0, BackendFailure.ConnectionLost, null)]
    public void MongoDb_has_them_by_its_number(int number, BackendFailure failure, string? code)
    {
        var cause = new DocumentCommandException(number, "so", isTransient: false);
        var error = MongoDbErrors.Wrap("MongoDB", "do it", cause);

        Assert.Equal((failure, code, !cause.IsTransient), (error.Failure, error.Code, error.NothingWritten));
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

    [Fact]
    public void Answer_that_Npgsql_does_not_expect_may_have_been_written()
    {
        var error = new Exception("Received unexpected backend message DataRow. Please file a bug.");

        Assert.True(DocumentDbErrors.IsDriverError(error) && PostgreSqlErrors.IsDriverError(error));
        Assert.All(
            [PostgreSqlErrors.Wrap("do it", error), MongoDbErrors.Wrap("DocumentDB", "do it", DocumentDbErrors.Wrap(error))],
            wrapped =>
                Assert.Equal(
                    (true, false, BackendFailure.ConnectionLost),
                    (wrapped.IsTransient, wrapped.NothingWritten, wrapped.Failure)
                )
        );
    }

    private static PostgresException Of(string state) => new("so", "ERROR", "ERROR", state);
}
