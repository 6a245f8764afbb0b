namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>MongoDB's numbers of the errors that mean something to the backend.</summary>
internal static class DocumentErrors
{
    public const int Unknown = 1;
    public const int HostUnreachable = 6;
    public const int HostNotFound = 7;
    public const int Unauthorized = 13;
    public const int LockTimeout = 24;
    public const int NamespaceNotFound = 26;
    public const int CursorNotFound = 43;
    public const int NamespaceExists = 48;
    public const int ExceededTimeLimit = 50;
    public const int CommandNotFound = 59;

    /// <summary>The primary has written, and did not hear in time that the other members have.</summary>
    public const int WriteConcernTimeout = 64;

    public const int NetworkTimeout = 89;
    public const int ShutdownInProgress = 91;
    public const int WriteConflict = 112;
    public const int CommandNotSupported = 115;
    public const int FailedToSatisfyReadPreference = 133;

    /// <summary>A member has just started, or has just become primary.</summary>
    public const int MajorityNotAvailableYet = 134;

    /// <summary>An election has begun, and the primary is none any more.</summary>
    public const int PrimarySteppedDown = 189;

    public const int DatabaseDropPending = 215;

    public const int SnapshotTooOld = 239;

    public const int SnapshotUnavailable = 246;
    public const int NoSuchTransaction = 251;
    public const int OperationTimeLimit = 262;
    public const int TemporarilyUnavailable = 365;
    public const int SocketException = 9001;
    public const int LegacyNotPrimary = 10058;

    /// <summary>A write reached a server that only reads: a secondary, or a primary of before a failover.</summary>
    public const int NotWritablePrimary = 10107;

    public const int ObjectTooLarge = 10334;

    public const int DuplicateKey = 11000;
    public const int InterruptedAtShutdown = 11600;
    public const int Interrupted = 11601;
    public const int InterruptedByReplicaStateChange = 11602;
    public const int NotPrimaryNoSecondaryOk = 13435;
    public const int NotPrimaryOrSecondary = 13436;

    /// <summary>A <c>$replaceWith</c> that gave no document: how the backend's updates refuse another version.</summary>
    public const int NotADocument = 40228;

    public const int UnknownStage = 40324;

    /// <summary>Whether the same command may succeed later.</summary>
    public static bool IsTransient(int code) =>
        code is not (0 or DuplicateKey or NotADocument) && FailureOf(code) != BackendFailure.Refused;

    /// <summary>The class of an error; 0 is a lost connection.</summary>
    public static BackendFailure FailureOf(int code) =>
        code switch
        {
            LockTimeout or ExceededTimeLimit or WriteConcernTimeout or NetworkTimeout or OperationTimeLimit or SnapshotTooOld =>
                BackendFailure.Timeout,
            WriteConflict or SnapshotUnavailable or NoSuchTransaction or DuplicateKey or NotADocument or DatabaseDropPending
                or TemporarilyUnavailable => BackendFailure.Conflict,
            0 or HostUnreachable or HostNotFound or SocketException or ShutdownInProgress or FailedToSatisfyReadPreference
                or MajorityNotAvailableYet => BackendFailure.ConnectionLost,
            _ => IsFailover(code) ? BackendFailure.ConnectionLost : BackendFailure.Refused,
        };

    /// <summary>The server has stopped being the one that writes: another one will, or the same one again.</summary>
    public static bool IsFailover(int code) =>
        code is PrimarySteppedDown or LegacyNotPrimary or NotWritablePrimary or InterruptedAtShutdown or Interrupted
            or InterruptedByReplicaStateChange or NotPrimaryNoSecondaryOk or NotPrimaryOrSecondary;
}

/// <summary>A server has refused a command, or could not be reached.</summary>
/// <param name="code">MongoDB's number of the error, see <see cref="DocumentErrors"/>; 0 for a lost connection.</param>
/// <param name="isTransient">Whether the same command may succeed later; also known from the number.</param>
internal sealed class DocumentCommandException(int code, string message, bool isTransient, Exception? inner = null)
    : Exception(message, inner)
{
    public int Code { get; } = code;

    public bool IsTransient { get; } = isTransient || DocumentErrors.IsTransient(code);

    /// <summary>The error came from a commit, or from a connection that may have lost a commit's answer.</summary>
    public bool MayBeWritten { get; init; }
}
