using Serdica.Perf.Workflows.PostgreSql;
using static Npgsql.PostgresErrorCodes;
using static Serdica.Perf.Workflows.MongoDb.DocumentErrors;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What an error of PostgreSQL, or of the extension in it, is called by MongoDB.</summary>
internal static partial class DocumentDbErrors
{
    /// <summary>
    /// Raised by the guards of <see cref="DocumentDbStatements"/>: a count, a key or a version was not as expected, or another session
    /// held the document. Any other error of a document would come again and again.
    /// </summary>
    public static bool IsRefusal(PostgresException error) =>
        error.SqlState == DivisionByZero
        || DocumentDbReplies.CodeOf(QuotedNumber(error)) is DuplicateKey or NotADocument or WriteConflict;

    public static bool IsConflict(Exception error) => error is PostgresException e && CodeOf(e.SqlState) == WriteConflict;

    public static bool IsDriverError(Exception error) => NpgsqlErrors.IsDriverError(error);

    public static DocumentCommandException Wrap(Exception error) =>
        error switch
        {
            PostgresException postgres => new(
                CodeOf(postgres.SqlState),
                $"{postgres.SqlState}: {postgres.MessageText}",
                postgres.IsTransient || IsShortage(QuotedNumber(postgres)),
                error
            )
            {
                // One of a statement is undone with its transaction; one that ends the session may come after the commit.
                MayBeWritten = postgres.InvariantSeverity != "ERROR",
            },
            NpgsqlException npgsql => new(0, DriverErrors.TextOf(error), npgsql.IsTransient || npgsql.InnerException is not null, error)
            {
                MayBeWritten = true,
            },
            _ => new(0, DriverErrors.TextOf(error), isTransient: true, error),
        };

    /// <summary>The extension's own states begin with M0 and are numbered by it, not by MongoDB.</summary>
    public static int CodeOf(string sqlState) =>
        sqlState switch
        {
            "M0001" => 2,
            "M0003" => 9,
            "M0004" => 14,
            "M0006" => 20,
            "M0008" => NamespaceNotFound,
            "M000F" => NamespaceExists,
            "M00EX" => ExceededTimeLimit,
            "M000R" => 85,
            "M000S" => 86,
            "M007N" => NotADocument,
            "M00E8" => NotWritablePrimary,
            "M00F1" => WriteConflict,
            "M000U" => CommandNotSupported,
            "M00F6" => NoSuchTransaction,
            "M001B" => ObjectTooLarge,
            "M001C" => DuplicateKey,
            UniqueViolation or ExclusionViolation => DuplicateKey,
            SerializationFailure or DeadlockDetected or LockNotAvailable =>
                WriteConflict,
            QueryCanceled => ExceededTimeLimit,
            UndefinedTable => NamespaceNotFound,
            FeatureNotSupported => CommandNotSupported,
            InFailedSqlTransaction => NoSuchTransaction,
            ReadOnlySqlTransaction => NotWritablePrimary,
            AdminShutdown or CrashShutdown or CannotConnectNow =>
                ShutdownInProgress,
            _ => Unknown,
        };

    /// <summary>A full disk passes: of the states of class 53, all packed ones end with these bits.</summary>
    private static bool IsShortage(int number) => number > 1 << 12 && number % (1 << 12) == (3 << 6 | 5);

    /// <summary>The number of the first error of a document that a guard quotes; 0 when the error is of another kind.</summary>
    private static int QuotedNumber(PostgresException error) =>
        error.SqlState == InvalidTextRepresentation && FirstCode().Match(error.MessageText) is { Success: true } code
            ? int.Parse(code.Groups[1].ValueSpan, CultureInfo.InvariantCulture)
            : 0;

    [GeneratedRegex("\"code\" : (\\d+)")]
    private static partial Regex FirstCode();
}
