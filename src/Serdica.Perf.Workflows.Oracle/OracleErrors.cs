using System.Net.Sockets;
using static Serdica.Perf.Workflows.Oracle.OracleErrorKind;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>The one place that says what an error of Oracle means to the engine.</summary>
internal static partial class OracleErrors
{
    public const int UniqueConstraint = 1;
    public const int MissingTable = 942;
    public const int UserBreak = 1013;
    public const int PacketReader = 12570;
    public const int UnknownService = 12514;
    public const int LoginDenied = 1017;
    public const int MayNotLogIn = 1045;
    public const int InsufficientPrivileges = 1031;
    public const int CompiledWithErrors = 24344;

    private const int RecursiveSql = 604;

    // They accompany other numbers and say nothing by themselves: every error that leaves the package has 6512.
    private static readonly int[] Companions =
    [
        RecursiveSql,
        6512, // at line ... of a package
        6508, // could not find the program unit, beside 4068
        3301, // the row of a unique constraint's breach, from 23ai on
    ];

    // A cancelled call also comes back under these.
    private static readonly int[] CancellationNumbers = [UserBreak, RecursiveSql, 936, PacketReader];

    private static readonly Dictionary<int, OracleErrorKind> Kinds = new()
    {
        [25228] = NoMessage, // timeout or end of fetch
        [25254] = NoMessage, // timeout of LISTEN
        [25263] = NoMessage, // no message with that id

        [UserBreak] = Cancelled,

        [3113] = LostConnection, // end of file on communication channel
        [3114] = LostConnection, // not connected
        [3135] = LostConnection, // connection lost contact
        [1012] = LostConnection, // not logged on
        [603] = LostConnection, // session terminated by a fatal error
        [28] = LostConnection, // session killed
        [UnknownService] = LostConnection, // listener does not know the service yet
        [12516] = LostConnection, // no handler
        [12518] = LostConnection, // listener could not hand the connection over
        [12519] = LostConnection, // no handler
        [12520] = LostConnection, // no handler
        [12528] = LostConnection, // instance blocks new connections
        [12541] = LostConnection, // no listener
        [12170] = LostConnection, // connect timeout
        [PacketReader] = LostConnection, // packet reader failure
        [12537] = LostConnection, // connection closed; not verified
        [12153] = LostConnection, // not connected
        [12505] = LostConnection, // listener does not know the SID yet
        [12521] = LostConnection, // listener does not know the instance yet
        [12526] = LostConnection, // instances are in restricted mode
        [12527] = LostConnection, // instances are in restricted mode or block new connections
        [12543] = LostConnection, // host cannot be reached
        [12545] = LostConnection, // host or object does not exist
        [12560] = LostConnection, // protocol adapter
        [12592] = LostConnection, // bad packet
        [12609] = LostConnection, // receive timeout
        [12637] = LostConnection, // packet receive failed
        [1035] = LostConnection, // only for users with RESTRICTED SESSION
        [1041] = LostConnection, // internal state of the session is lost
        [2396] = LostConnection, // idle for too long
        [2399] = LostConnection, // connected for too long
        [1033] = LostConnection, // starting or stopping
        [1034] = LostConnection, // not available
        [1089] = LostConnection, // shutdown in progress
        [1109] = LostConnection, // not open
        [1090] = LostConnection, // shutdown in progress
        [1092] = LostConnection, // instance terminated
        [18] = LostConnection, // sessions used up
        [20] = LostConnection, // processes used up
        [12535] = LostConnection, // operation timed out
        [12547] = LostConnection, // lost contact
        [12571] = LostConnection, // packet writer failure
        [50000] = LostConnection, // the pool is exhausted
        [50201] = LostConnection, // not verified

        // After a switchover or a failover: the old primary only reads, and a new one may take the same call.
        [16000] = LostConnection, // open for read-only access
        [16456] = LostConnection, // switchover in progress or completed
        [25401] = LostConnection, // cannot continue fetches
        [25402] = LostConnection, // transaction must roll back
        [25403] = LostConnection, // could not reconnect
        [25405] = LostConnection, // transaction status unknown
        [25407] = LostConnection, // connection terminated
        [25408] = LostConnection, // cannot safely replay the call
        [25409] = LostConnection, // failover during the network operation

        [60] = Transient, // deadlock
        [8177] = Transient, // cannot serialise
        [54] = Transient, // busy and NOWAIT
        [30006] = Transient, // busy with timeout
        [4020] = Transient, // deadlock on an object
        [4021] = Transient, // timeout waiting to lock an object
        [14411] = Transient, // another definition of the object is under way
        [4061] = Transient, // package state
        [4065] = Transient, // package state
        [4068] = Transient, // package state
        [1555] = Transient, // snapshot too old

        // The server is out of something, whichever instance is written. It may be given more, or somebody may give some back.
        [257] = LostConnection, // the archiver is stuck; said at log-in
        [1000] = Transient, // cursors used up
        [1536] = Transient, // the quota of a tablespace is used up
        [1652] = Transient, // no room for a temporary segment
        [1653] = Transient, // no room for a table
        [1654] = Transient, // no room for an index
        [1688] = Transient, // no room for a table's partition
        [1691] = Transient, // no room for a large object
        [1692] = Transient, // no room for a large object's partition
        [4030] = Transient, // no memory for the process
        [4031] = Transient, // no shared memory
        [4036] = Transient, // memory of all processes used up
        [30036] = Transient, // no room for undo

        [UniqueConstraint] = Conflict,
    };

    /// <summary>The numbers above that mean that a limit of time was reached.</summary>
    private static readonly int[] Timeouts = [UserBreak, 4021, 12170, 12535, 12609, 30006];

    /// <summary>A number that stands in no row of the table is permanent.</summary>
    public static OracleErrorKind KindOf(int number) => Kinds.GetValueOrDefault(number, OracleErrorKind.Permanent);

    /// <summary>The strongest kind of all numbers that the error and what it wraps bear.</summary>
    public static OracleErrorKind KindOf(Exception error)
    {
        if (error is OracleCommitException { InnerException: { } cause })
            error = cause;
        if (error is not DbException)
            return OracleErrorKind.LostConnection;
        var numbers = NumbersOf(error);
        numbers.ExceptWith(Companions);
        return numbers.Count == 0 ? OracleErrorKind.Permanent : numbers.Max(KindOf);
    }

    public static bool Has(Exception error, int number) => NumbersOf(error).Contains(number);

    /// <summary>1950: no quota on the tablespace. PLS-00201: an identifier that is not declared, or not granted.</summary>
    public static bool IsMissingGrant(Exception error) =>
        NumbersOf(error).Overlaps([InsufficientPrivileges, MissingTable, 1950])
        || error.Message.Contains("PLS-00201", Ordinal);

    /// <summary>Drivers tell a cancelled call as an error of their own.</summary>
    public static bool IsCancellation(Exception error, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested && NumbersOf(error).Overlaps(CancellationNumbers);

    public static bool IsDriverError(Exception error) => error is DbException or TimeoutException or SocketException or IOException;

    public static WorkflowBackendException Wrap(string operation, Exception error)
    {
        var kind = KindOf(error);
        return new($"Oracle could not {operation}: {DriverErrors.TextOf(error)}", isTransient: kind < OracleErrorKind.Conflict, error)
        {
            NothingWritten = kind >= OracleErrorKind.Transient && error is not OracleCommitException && IsOfStatement(error),
            Failure = FailureOf(error),
            Code = DecisiveNumber(error) is { } number ? Invariant($"ORA-{number:00000}") : null,
        };
    }

    private static BackendFailure FailureOf(Exception error) =>
        error.GetBaseException() is TimeoutException || (DecisiveNumber(error) is { } number && Timeouts.Contains(number))
            ? BackendFailure.Timeout
            : KindOf(error) switch
            {
                OracleErrorKind.Cancelled or OracleErrorKind.NoMessage => BackendFailure.Timeout,
                OracleErrorKind.LostConnection => BackendFailure.ConnectionLost,
                OracleErrorKind.Transient or OracleErrorKind.Conflict => BackendFailure.Conflict,
                _ => BackendFailure.Refused,
            };

    /// <summary>The number by which the error has its kind; null without one.</summary>
    private static int? DecisiveNumber(Exception error)
    {
        var numbers = NumbersOf(error);
        numbers.ExceptWith(Companions);
        return numbers.Count == 0 ? null : numbers.OrderByDescending(KindOf).ThenBy(static number => number).First();
    }

    /// <summary>
    /// Whether the server itself has refused a statement, whose transaction it then undoes. Errors without a number, of the
    /// network, of the protocol and of the driver may come after a call that the driver has committed.
    /// </summary>
    private static bool IsOfStatement(Exception error)
    {
        var numbers = NumbersOf(error);
        numbers.ExceptWith(Companions);
        return numbers.Count > 0
            && !numbers.Any(static number =>
                number is 600 or 603 or 7445 or (>= 3106 and <= 3149) or (>= 12150 and <= 12699) or (>= 50_000 and <= 59_999)
            );
    }

    /// <summary>
    /// By the driver's property <c>Number</c>, and by all numbers that the messages name: one error may wrap another.
    /// The texts end with a help address in lower case, which is none.
    /// </summary>
    private static HashSet<int> NumbersOf(Exception error)
    {
        var numbers = new HashSet<int>();
        for (var current = error; current is not null; current = current.InnerException)
        {
            if (current.GetType().GetProperty("Number")?.GetValue(current) is int number && number != 0)
                numbers.Add(number);
            foreach (Match match in NumberInText().Matches(current.Message))
                numbers.Add(int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture));
        }

        return numbers;
    }

    [GeneratedRegex(@"ORA-(\d{5})")]
    private static partial Regex NumberInText();
}

/// <summary>What an error means to the engine, the weakest first: of several numbers the strongest kind counts.</summary>
internal enum OracleErrorKind
{
    /// <summary>A timeout of a dequeue; nothing is wrong.</summary>
    NoMessage,

    /// <summary>The caller has cancelled, or the command took too long.</summary>
    Cancelled,

    /// <summary>The connection is not usable any more; another one may be.</summary>
    LostConnection,

    /// <summary>Roll back and try again.</summary>
    Transient,

    /// <summary>Somebody else was first: load and decide again.</summary>
    Conflict,

    /// <summary>It fails again in the same way.</summary>
    Permanent,
}

/// <summary>A commit has failed, or its answer was lost: what it was to write may be durable.</summary>
internal sealed class OracleCommitException(Exception cause) : DbException(cause.Message, cause);
