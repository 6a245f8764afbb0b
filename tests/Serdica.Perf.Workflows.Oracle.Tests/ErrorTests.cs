using System.Data.Common;
using System.Net.Sockets;

namespace Serdica.Perf.Workflows.Oracle.Tests;

public sealed class ErrorTests
{
    [Theory]
    [InlineData(25228, OracleErrorKind.NoMessage)]
    [InlineData(25263, OracleErrorKind.NoMessage)]
    [InlineData(1, OracleErrorKind.Conflict)]
    [InlineData(60, OracleErrorKind.Transient)]
    [InlineData(8177, OracleErrorKind.Transient)]
    [InlineData(4020, OracleErrorKind.Transient)]
    [InlineData(4068, OracleErrorKind.Transient)]
    [InlineData(14411, OracleErrorKind.Transient)]
    [InlineData(257, OracleErrorKind.LostConnection)]
    [InlineData(1536, OracleErrorKind.Transient)]
    [InlineData(1653, OracleErrorKind.Transient)]
    [InlineData(1654, OracleErrorKind.Transient)]
    [InlineData(1691, OracleErrorKind.Transient)]
    [InlineData(4031, OracleErrorKind.Transient)]
    [InlineData(30036, OracleErrorKind.Transient)]
    [InlineData(603, OracleErrorKind.LostConnection)]
    [InlineData(3113, OracleErrorKind.LostConnection)]
    [InlineData(2396, OracleErrorKind.LostConnection)]
    [InlineData(12518, OracleErrorKind.LostConnection)]
    [InlineData(12541, OracleErrorKind.LostConnection)]
    [InlineData(12592, OracleErrorKind.LostConnection)]
    [InlineData(12609, OracleErrorKind.LostConnection)]
    [InlineData(50000, OracleErrorKind.LostConnection)]
    [InlineData(16000, OracleErrorKind.LostConnection)]
    [InlineData(16456, OracleErrorKind.LostConnection)]
    [InlineData(25402, OracleErrorKind.LostConnection)]
    [InlineData(25408, OracleErrorKind.LostConnection)]
    [InlineData(12153, OracleErrorKind.LostConnection)]
    [InlineData(1013, OracleErrorKind.Cancelled)]
    [InlineData(24010, OracleErrorKind.Permanent)]
    [InlineData(12954, OracleErrorKind.Permanent)]
    [InlineData(6550, OracleErrorKind.Permanent)]
    internal void Number_has_its_kind(int number, OracleErrorKind kind)
    {
        Assert.Equal(kind, OracleErrors.KindOf(new NumberedException(number, "Something.")));
        Assert.Equal(kind, OracleErrors.KindOf(new TextException($"ORA-{number:00000}: something")));
        Assert.Equal(
            kind,
            OracleErrors.KindOf(
                new NumberedException(
                    number,
                    $"ORA-{number:00000}: something\nORA-06512: at \"WF.SERDICA_WF\", line 185\nORA-06512: at line 2"
                )
            )
        );
    }

    [Fact]
    public void Strongest_number_of_all_that_are_named_counts()
    {
        Assert.Equal(
            OracleErrorKind.Transient,
            OracleErrors.KindOf(new NumberedException(604, "ORA-00604: error at recursive SQL level 1\nORA-00060: deadlock detected"))
        );
        Assert.Equal(
            OracleErrorKind.Permanent,
            OracleErrors.KindOf(
                new TextException("ORA-03113: end of file\nORA-06550: line 1, column 7:\nPLS-00201: identifier 'DBMS_AQ' must be declared")
            )
        );
        Assert.Equal(
            OracleErrorKind.LostConnection,
            OracleErrors.KindOf(new TextException("Failed.", new NumberedException(3135, "Lost.")))
        );
    }

    [Theory]
    [InlineData(
        "ORA-00001: unique constraint (WF.SERDICA_WF_INSTANCE_PK) violated\nORA-03301: (ORA-00001 details) row with column values (1) "
            + "already exists\nORA-06512: at line 2",
        OracleErrorKind.Conflict
    )]
    [InlineData(
        "ORA-04068: existing state of packages has been discarded\nORA-04061: existing state of package body has been "
            + "invalidated\nORA-04065: not executed\nORA-06508: PL/SQL: could not find program unit being called",
        OracleErrorKind.Transient
    )]
    [InlineData("ORA-06508: PL/SQL: could not find program unit being called\nORA-06512: at line 2", OracleErrorKind.Permanent)]
    internal void Numbers_that_accompany_others_decide_nothing(string message, OracleErrorKind kind) =>
        Assert.Equal(kind, OracleErrors.KindOf(new TextException(message)));

    [Fact]
    public void Help_address_in_the_text_is_no_number() =>
        Assert.Equal(
            OracleErrorKind.NoMessage,
            OracleErrors.KindOf(new TextException("ORA-25228: timeout\nhttps://docs.oracle.com/error-help/db/ora-06512/"))
        );

    [Fact]
    public void Cancelled_call_is_one_only_when_the_token_is_cancelled()
    {
        var error = new NumberedException(1013, "ORA-00604: error\nORA-01013: user requested cancel");

        Assert.True(OracleErrors.IsCancellation(error, new CancellationToken(canceled: true)));
        Assert.False(OracleErrors.IsCancellation(error, CancellationToken.None));
        Assert.False(OracleErrors.IsCancellation(new NumberedException(3113, "Lost."), new CancellationToken(canceled: true)));
    }

    [Theory]
    [InlineData(3113, true)]
    [InlineData(60, true)]
    [InlineData(1, false)]
    [InlineData(942, false)]
    public void Engine_hears_whether_the_same_call_may_succeed_later(int number, bool isTransient)
    {
        var error = OracleErrors.Wrap("do it", new NumberedException(number, $"ORA-{number:00000}: so."));

        Assert.Equal(isTransient, error.IsTransient);
        Assert.StartsWith("Oracle could not do it: ORA-", error.Message);
    }

    [Theory]
    [InlineData("ORA-00060: deadlock detected", BackendFailure.Conflict, "ORA-00060")]
    [InlineData("ORA-00001: unique constraint violated\nORA-06512: at line 2", BackendFailure.Conflict, "ORA-00001")]
    [InlineData("ORA-30006: resource busy; acquire with WAIT timeout expired", BackendFailure.Timeout, "ORA-30006")]
    [InlineData("ORA-12170: connect timeout", BackendFailure.Timeout, "ORA-12170")]
    [InlineData("ORA-12609: TNS: Receive timeout occurred", BackendFailure.Timeout, "ORA-12609")]
    [InlineData("ORA-01013: user requested cancel", BackendFailure.Timeout, "ORA-01013")]
    [InlineData("ORA-03113: end-of-file on communication channel", BackendFailure.ConnectionLost, "ORA-03113")]
    [InlineData("ORA-00942: table or view does not exist", BackendFailure.Refused, "ORA-00942")]
    [InlineData("Object reference not set.", BackendFailure.Refused, null)]
    public void Failure_has_its_class_and_its_number(string message, BackendFailure failure, string? code)
    {
        var error = OracleErrors.Wrap("do it", new TextException(message));

        Assert.Equal((failure, code), (error.Failure, error.Code));
    }

    [Theory]
    [InlineData("ORA-01400: cannot insert NULL", true)]
    [InlineData("ORA-20001: Item 3 has no op that package SERDICA_WF knows.\nORA-06512: at line 2", true)]
    [InlineData("ORA-00060: deadlock detected", true)]
    [InlineData("ORA-04068: existing state of packages has been discarded\nORA-04061: invalidated\nORA-04065: not executed", true)]
    [InlineData("ORA-00001: unique constraint violated", true)]
    [InlineData("ORA-01013: user requested cancel", false)]
    [InlineData("ORA-00060: deadlock detected\nORA-03113: end-of-file on communication channel", false)]
    [InlineData("ORA-03113: end-of-file on communication channel", false)]
    [InlineData("ORA-03106: fatal two-task communication protocol error", false)]
    [InlineData("ORA-12599: TNS:cryptographic checksum mismatch", false)]
    [InlineData("ORA-00600: internal error code", false)]
    [InlineData("ORA-00603: server session terminated by fatal error", false)]
    [InlineData("ORA-50045: something of the driver", false)]
    [InlineData("Object reference not set.", false)]
    public void Only_a_statement_that_the_server_refused_is_sure_to_have_written_nothing(string message, bool nothingWritten)
    {
        Assert.Equal(nothingWritten, OracleErrors.Wrap("do it", new TextException(message)).NothingWritten);
        Assert.False(OracleErrors.Wrap("do it", new OracleCommitException(new TextException(message))).NothingWritten);
    }

    [Fact]
    public void Commit_that_is_lost_with_its_connection_is_transient()
    {
        Exception[] causes = [new IOException(), new SocketException(), new TimeoutException()];
        var errors = causes.Select(cause => OracleErrors.Wrap("do it", new OracleCommitException(cause))).ToList();

        Assert.All(errors, error => Assert.Equal((true, false), (error.IsTransient, error.NothingWritten)));
        Assert.Equal(
            [BackendFailure.ConnectionLost, BackendFailure.ConnectionLost, BackendFailure.Timeout],
            errors.Select(error => error.Failure)
        );
    }

    [Fact]
    public void Innermost_cause_is_told()
    {
        var error = OracleErrors.Wrap(
            "do it",
            new NumberedException(
                12570,
                "ORA-12570: packet reader failure",
                new IOException("Unable to read.", new TimeoutException("Timed out."))
            )
        );

        Assert.Equal("Oracle could not do it: ORA-12570: packet reader failure: Timed out.", error.Message);
    }

    [Theory]
    [InlineData("ORA-01017: invalid username/password; logon denied", "correct user and password")]
    [InlineData("ORA-01045: user WF lacks CREATE SESSION privilege; logon denied", "GRANT CREATE SESSION TO")]
    [InlineData("ORA-12514: TNS:listener does not currently know of service", "lsnrctl services")]
    public void Refused_log_in_says_what_to_do(string message, string advice) =>
        Assert.Contains(advice, OracleInspection.Unreachable(new TextException(message)));

    /// <summary>The page grants what the suite grants to its own user, and the right to log in.</summary>
    [Fact]
    public void First_run_makes_a_user_that_may_log_in_and_has_no_role_beyond_that_for_statistics()
    {
        var page = File.ReadAllText(Path.Combine(RepositoryRoot.Folder, "docs/oracle-first-run.md"));
        var grants = page[page.IndexOf("CREATE USER wf")..];
        grants = grants[..grants.IndexOf("```")];

        Assert.Contains("GRANT CREATE SESSION, CREATE TABLE, CREATE PROCEDURE TO wf;", grants);
        Assert.Contains("QUOTA UNLIMITED ON users", grants);
        Assert.Contains("GRANT EXECUTE ON sys.dbms_aq TO wf;", grants);
        Assert.Contains("GRANT EXECUTE ON sys.dbms_aqadm TO wf;", grants);
        Assert.Equal(["SELECT_CATALOG_ROLE"], Regex.Matches(grants, @"\w+_ROLE").Select(match => match.Value));
    }

    [Fact]
    public void Missing_driver_is_one_sentence_that_names_the_package_and_the_switch()
    {
        Assert.SkipWhen(OracleDriver.TryFind(out _), "The driver is in this build.");

        var error = Assert.Throws<WorkflowBackendException>(() =>
            new OracleWorkflowBackend(new OracleBackendOptions { ConnectionString = "Data Source=nowhere;Password=s3cret" })
        );

        Assert.Contains("Oracle.ManagedDataAccess.Core", error.Message);
        Assert.Contains("WithOracleDriver", error.Message);
        Assert.False(error.IsTransient);
    }

    [Theory]
    [InlineData("lower_case")]
    [InlineData("SPACE INSIDE")]
    [InlineData("X; DROP TABLE Y")]
    [InlineData("1ST")]
    [InlineData("")]
    public void Prefix_that_is_no_identifier_is_refused(string prefix) =>
        Assert.Throws<ArgumentException>(() =>
            new OracleWorkflowBackend(new OracleBackendOptions { ConnectionString = "Data Source=nowhere", Prefix = prefix })
        );

    private sealed class NumberedException(int number, string message, Exception? inner = null) : DbException(message, inner)
    {
        public int Number => number;
    }

    private sealed class TextException(string message, Exception? inner = null) : DbException(message, inner);
}
