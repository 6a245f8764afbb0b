using System.Data.Common;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Turns a server's errors into those of the seam.</summary>
internal static class MongoDbErrors
{
    public static DriverErrors Of(string engine) =>
        new(
            static error => error is DocumentCommandException,
            (operation, error) => Wrap(engine, operation, (DocumentCommandException)error)
        );

    public static WorkflowBackendException Wrap(string engine, string operation, DocumentCommandException error) =>
        new($"The {engine} server could not {operation}: {error.Message}", error.IsTransient, error)
        {
            NothingWritten = error is { IsTransient: false, MayBeWritten: false },
            Failure =
                error is { Code: 0, InnerException: var cause } && cause?.GetBaseException() is TimeoutException
                    ? BackendFailure.Timeout
                    : DocumentErrors.FailureOf(error.Code),
            Code = CodeOf(error),
        };

    /// <summary>DocumentDB has errors of PostgreSQL that MongoDB has no number for.</summary>
    private static string? CodeOf(DocumentCommandException error) =>
        error.Code is 0 or DocumentErrors.Unknown && error.InnerException is DbException { SqlState: { } state } ? state
        : error.Code == 0 ? null
        : error.Code.ToString(CultureInfo.InvariantCulture);
}
