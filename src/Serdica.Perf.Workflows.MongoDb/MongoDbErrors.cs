namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Turns a server's errors into those of the seam.</summary>
internal static class MongoDbErrors
{
    /// <param name="engine">Name of the server's kind.</param>
    public static DriverErrors Of(string engine) => new(
        static error => error is DocumentCommandException,
        (operation, error) => Wrap(engine, operation, (DocumentCommandException)error));

    /// <param name="engine">Name of the server's kind.</param>
    /// <param name="operation">What was tried, in words.</param>
    /// <param name="error">What the runner threw.</param>
    public static WorkflowBackendException Wrap(string engine, string operation, DocumentCommandException error) =>
        new($"The {engine} server could not {operation}: {error.Message}", error.IsTransient, error)
        {
            NothingWritten = error is { IsTransient: false, MayBeWritten: false },
        };
}
